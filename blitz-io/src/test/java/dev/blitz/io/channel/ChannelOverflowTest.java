package dev.blitz.io.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A stack that overflows in the middle of an operation: see {@link OverflowPrograms}. In JVMs of
 * their own, because it depends on who has compiled what.
 */
@Strict
class ChannelOverflowTest {
  private static final int SHIFTS = 24;

  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-Xcomp", "-XX:TieredStopAtLevel=1", "-XX:+TieredCompilation"})
  void aStackThatOverflows_leavesNothingHalfDone(String mode) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(mode);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(OverflowPrograms.class.getName());
    command.add(String.valueOf(SHIFTS));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("0 wrong of " + OverflowPrograms.all().size());
  }
}
