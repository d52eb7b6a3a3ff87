package dev.blitz.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a part of a group in a JVM of its own, so that neither compiled code nor heap of other
 * groups shows in its figures. The child writes its result to a file.
 */
public final class ForkedRun {
  /** A heap that neither grows nor shrinks while it is measured. Groups may ask for another. */
  private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g");

  private static final List<String> ACCESS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          // Peers that still use Unsafe would print warnings into the report.
          "--sun-misc-unsafe-memory-access=allow");

  private ForkedRun() {}

  /**
   * Runs the child and waits for it.
   *
   * @param main its main class, on the class path of this JVM
   * @param group gives JVM arguments
   * @param gc its collector
   * @param arguments of the main class, to which the result file is added as the last one
   * @return what it measured
   * @throws IOException if the child fails
   * @throws InterruptedException if the wait is interrupted; the child is ended
   */
  public static GroupResult run(Class<?> main, Group group, Gc gc, List<String> arguments)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("blitz-bench", ".json");
    try {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add(gc.flag());
      command.addAll(HEAP);
      command.addAll(ACCESS);
      command.addAll(group.jvmArguments());
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
      command.addAll(arguments);
      command.add(output.toString());
      int exit = runToEnd(new ProcessBuilder(command).inheritIO());
      if (exit != 0) {
        throw new IOException("group " + group.name() + " failed with exit code " + exit);
      }
      return ResultFiles.read(output);
    } finally {
      Files.deleteIfExists(output);
    }
  }

  private static int runToEnd(ProcessBuilder builder) throws IOException, InterruptedException {
    var process = builder.start();
    var onInterrupt = new Thread(process::destroyForcibly, "end-child");
    Runtime.getRuntime().addShutdownHook(onInterrupt);
    try {
      return process.waitFor();
    } finally {
      process.destroyForcibly();
      Runtime.getRuntime().removeShutdownHook(onInterrupt);
    }
  }
}
