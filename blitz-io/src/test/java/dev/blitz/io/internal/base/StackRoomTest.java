package dev.blitz.io.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.direct.ChildJvm;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each check demands its bytes, whoever compiles it. */
@Strict
@OnceIsEnough
class StackRoomTest {
  private static final String NAME = StackRoomProgram.class.getName();

  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"})
  void aCheck_demandsItsBytes(String compilers) throws Exception {
    var result =
        ChildJvm.run(
            StackRoomProgram.class,
            compilers,
            "-XX:CompileCommand=quiet",
            "-XX:CompileCommand=exclude," + NAME + "::recurse",
            "-XX:CompileCommand=exclude," + NAME + "::ask");
    Map<String, Integer> bytes = new TreeMap<>();
    result
        .output()
        .lines()
        .map(line -> line.split(" "))
        .forEach(part -> bytes.put(part[0], Integer.valueOf(part[1])));
    assertThat(bytes.get("step")).isBetween(8 << 10, 10 << 10);
    assertThat(bytes.get("wake")).isBetween(16 << 10, 18 << 10);
    assertThat(bytes.get("calls")).isBetween(24 << 10, 26 << 10);
    assertThat(bytes.get("many")).isBetween(32 << 10, 34 << 10);
    assertThat(bytes.get("owner")).isBetween(40 << 10, 42 << 10);
  }
}
