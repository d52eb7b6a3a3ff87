package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.direct.ChildJvm;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The memory ends in the midst of something: see {@link LittleMemoryOfRuntimes}. */
@Strict
@OnceIsEnough
class LittleMemoryOfRuntimesTest {
  private static final List<String> OPTIONS =
      List.of("-Xmx12m", "-XX:+UseSerialGC", "-XX:-UseTLAB", "-XX:-UseGCOverheadLimit");

  @ParameterizedTest
  @EnumSource
  void littleMemory_losesNothing(LittleMemoryOfRuntimes.Part part) throws Exception {
    var result = ChildJvm.run(LittleMemoryOfRuntimes.class, OPTIONS, List.of(part.name()));
    assertThat(result.output()).contains("refused: true").contains("wrong: none");
  }
}
