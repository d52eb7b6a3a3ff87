package dev.blitz.stress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Runs a main class in a JVM of its own. Lincheck rewrites the classes of its JVM, and a check may
 * hang or crash: none of that may reach the process which does the counting.
 *
 * @param directory the working directory; the output is kept there in {@code output.log}
 * @param ownCarriers whether java.lang is open, so that workers carry virtual threads
 */
public record ChildJvm(Path directory, boolean ownCarriers) {
  private static final String OPENS = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  /** What Blitz needs, what Lincheck's agent needs, and no warnings about either. */
  private static final List<String> COMMON =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-XX:+EnableDynamicAgentLoading",
          "-Xshare:auto");

  ChildJvm(Path directory) {
    this(directory, true);
  }

  /** With an empty folder of this name, among the results. */
  public static ChildJvm in(String folder, boolean ownCarriers) throws IOException {
    return new ChildJvm(Workplace.fresh(folder), ownCarriers);
  }

  /** The flags of its JVM. */
  List<String> flags() {
    var flags = new ArrayList<>(COMMON);
    if (ownCarriers) {
      flags.add(OPENS);
    }
    return flags;
  }

  Path log() {
    return directory.resolve("output.log");
  }

  /**
   * Runs to the end or to the limit, then kills.
   *
   * @param options further flags of its JVM
   * @param lines sees each line of output as it comes
   * @return what went wrong with the process itself, or an empty string
   */
  public String run(
      Class<?> main,
      List<String> options,
      List<String> args,
      Duration limit,
      Consumer<String> lines)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath(), main.getName()));
    command.addAll(args);
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> kill(process)));
    var timedOut = new AtomicBoolean();
    var timer = CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS);
    timer.execute(() -> {
      if (process.isAlive()) {
        timedOut.set(true);
        kill(process);
      }
    });
    try (var output = process.inputReader(UTF_8);
        var log = Files.newBufferedWriter(log())) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        log.write(line);
        log.newLine();
        log.flush();
        lines.accept(line);
      }
    }
    int exit = process.waitFor();
    if (timedOut.get()) {
      return "killed after " + limit.toSeconds() + " s; see " + log();
    }
    return exit == 0 ? "" : "exit code " + exit + "; see " + log();
  }

  /** Ours, independent of the working directory, which is another one for the child. */
  private static String classPath() {
    return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
        .splitAsStream(System.getProperty("java.class.path"))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(joining(File.pathSeparator));
  }

  private static void kill(Process process) {
    // Children first: they would outlive their parent.
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
