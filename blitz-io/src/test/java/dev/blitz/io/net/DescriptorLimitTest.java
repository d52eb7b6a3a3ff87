package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.driver.backends.Backends;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What happens in a process with few descriptors, or without native access; in a JVM of its own.
 */
@Strict
class DescriptorLimitTest {

  static List<String> backends() {
    return Backends.probeAll().stream()
        .filter(BackendProbe::available)
        .map(BackendProbe::name)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("backends")
  void accept_withoutDescriptors_goesOnWhenThereAreSomeAgain(String backend) throws Exception {
    Path shell = Path.of("/bin/sh");
    assumeTrue(Files.isExecutable(shell), "a shell to set the limit with");
    List<String> command =
        new ArrayList<>(List.of(shell.toString(), "-c", "ulimit -n 96; exec \"$@\"", "sh"));
    command.addAll(java("--enable-native-access=ALL-UNNAMED", FewDescriptors.class, backend));
    String output = outputOf(command);
    assertThat(output).endsWith("all connections answered");
    if (backend.equals("epoll")) { // with io_uring the kernel may have accepted ahead
      assertThat(output).contains("cannot accept");
    }
  }

  @Test
  void whereNativeAccessIsDenied_tasksRun_andSocketsSayWhatIsMissing() throws Exception {
    assertThat(outputOf(java("--illegal-native-access=deny", NoNativeAccess.class, "")))
        .contains("task ran")
        .contains("--enable-native-access=ALL-UNNAMED")
        .endsWith("no sockets");
  }

  @Test
  void whereTheJvmOnlyWarns_socketsAreUsed() throws Exception {
    assertThat(outputOf(java("--illegal-native-access=warn", NoNativeAccess.class, "")))
        .contains("task ran")
        .endsWith("a listener");
  }

  private static List<String> java(String option, Class<?> main, String argument) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        option,
        "-cp",
        System.getProperty("java.class.path"),
        main.getName(),
        argument);
  }

  private static String outputOf(List<String> command) throws Exception {
    Path output = Files.createTempFile("child", ".txt");
    try {
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        assertThat(process.waitFor(Timeouts.LONG.toMillis(), TimeUnit.MILLISECONDS))
            .as("the child ended; it said: %s", Files.readString(output))
            .isTrue();
      } finally {
        process.destroyForcibly().waitFor();
      }
      return Files.readString(output).strip();
    } finally {
      Files.delete(output);
    }
  }
}
