package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.testkit.Timeouts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a main class in a JVM of its own, with the class path of this one. */
final class ChildJvm {
  private ChildJvm() {}

  /** What it said on both streams until it ended. */
  static String outputOf(Class<?> main, String argument, String... options) throws Exception {
    return outputOf(command(main, argument, options));
  }

  /** As above, in a process that may have {@code limit} descriptors. */
  static String outputWithDescriptors(int limit, Class<?> main, String argument) throws Exception {
    Path shell = Path.of("/bin/sh");
    assumeTrue(Files.isExecutable(shell), "a shell to set the limit with");
    List<String> command =
        new ArrayList<>(
            List.of(shell.toString(), "-c", "ulimit -S -n " + limit + "; exec \"$@\"", "sh"));
    command.addAll(
        command(main, argument, "--enable-native-access=ALL-UNNAMED", "-XX:-MaxFDLimit"));
    return outputOf(command);
  }

  private static List<String> command(Class<?> main, String argument, String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1"); // none of them is about compiled code; all are short
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName(), argument));
    return command;
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
