package dev.blitz.io.direct;

import dev.blitz.io.BlitzRuntime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }
}
