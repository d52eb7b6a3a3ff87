package dev.blitz.benchmarks.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A server in a process of its own, and the CPU time that its threads have used. */
final class ServerProcess {
  private static final Pattern COMPILER = Pattern.compile("C[12] Compiler");

  private final Process process;
  private final int port;

  private ServerProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts it; its first line says {@code port N}. It ends with this JVM. */
  static ServerProcess start(List<String> command) throws IOException {
    List<String> pinned = new ArrayList<>(Processors.serverPrefix());
    pinned.addAll(command);
    var process = new ProcessBuilder(pinned).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    String line = process.inputReader().readLine();
    if (line == null || !line.startsWith("port ")) {
      process.destroyForcibly();
      throw new IOException(command.getLast() + " did not start; it said: " + line);
    }
    return new ServerProcess(process, Integer.parseInt(line.substring("port ".length())));
  }

  int port() {
    return port;
  }

  /**
   * Nanoseconds on a CPU by thread, as the kernel's scheduler counts them; without those of the
   * JVM's compilers, which say how long the server has run and not what a request costs.
   */
  Map<String, Long> cpuByThread() throws IOException {
    Map<String, Long> used = new HashMap<>();
    try (var threads =
        Files.newDirectoryStream(Path.of("/proc", Long.toString(process.pid()), "task"))) {
      for (Path thread : threads) {
        try {
          if (COMPILER.matcher(Files.readString(thread.resolve("comm"))).lookingAt()) {
            continue;
          }
          String[] fields = Files.readString(thread.resolve("schedstat")).split(" ", 2);
          used.put(thread.getFileName().toString(), Long.parseLong(fields[0]));
        } catch (NoSuchFileException ended) {
          // It has ended; a server's own threads do not.
        }
      }
    }
    return used;
  }

  /** What all threads have used since {@code before}. */
  long cpuSince(Map<String, Long> before) throws IOException {
    long sum = 0;
    for (var now : cpuByThread().entrySet()) {
      sum += now.getValue() - before.getOrDefault(now.getKey(), 0L);
    }
    return sum;
  }
}
