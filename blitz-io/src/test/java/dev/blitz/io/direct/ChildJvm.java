package dev.blitz.io.direct;

import dev.blitz.io.BlitzRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a main class of the tests in a JVM of its own, in the same mode as this one. */
public final class ChildJvm {
  private ChildJvm() {}

  /** How it ended, and what it printed. */
  public record Result(int exit, String output) {}

  /** Runs {@code main} without arguments, with further options for the JVM. */
  public static Result run(Class<?> main, String... options)
      throws IOException, InterruptedException {
    return run(main, List.of(options), List.of());
  }

  /** Runs {@code main} with options for the JVM and arguments for the program. */
  public static Result run(Class<?> main, List<String> options, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    try (var probe = BlitzRuntime.builder().workers(1).build()) {
      if (probe.carriers().own()) {
        command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
      }
    }
    command.addAll(options);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(arguments);
    Path output = Files.createTempFile("child", ".txt"); // a read of its pipe heeds no interrupt
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        int exit = process.waitFor();
        return new Result(exit, Files.readString(output));
      } finally {
        process.destroyForcibly().onExit().join();
      }
    } finally {
      Files.delete(output);
    }
  }
}
