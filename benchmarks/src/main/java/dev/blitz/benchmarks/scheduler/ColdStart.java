package dev.blitz.benchmarks.scheduler;

import dev.blitz.io.Blitz;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How long the first task takes in a new JVM, the runtime and its close included, and how long the
 * first virtual thread does. Each measurement has a JVM of its own, which tells the time from its
 * own clock: the start of the JVM itself is not in it.
 */
final class ColdStart {
  /** What a first task may take longer than a first virtual thread. */
  private static final double FACTOR = 1.5;

  private ColdStart() {}

  /** Milliseconds of the first direct task. */
  static double directMillis() throws IOException, InterruptedException {
    return millis("direct");
  }

  /** Milliseconds of the first virtual thread. */
  static double threadMillis() throws IOException, InterruptedException {
    return millis("thread");
  }

  /** Milliseconds of the first task beyond one and a half times those of a virtual thread. */
  static double excessMillis() throws IOException, InterruptedException {
    return directMillis() - FACTOR * threadMillis();
  }

  private static double millis(String what) throws IOException, InterruptedException {
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Program.class.getName(),
            what);
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String out;
    try (var in = process.getInputStream()) {
      out = new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
    if (process.waitFor() != 0) {
      throw new IOException("a JVM that starts " + what + " failed: " + out);
    }
    return (double) Long.parseLong(out) / TimeUnit.MILLISECONDS.toNanos(1);
  }

  /** What the new JVM runs: prints the nanoseconds from the start of main to the result. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws Exception {
      long start = System.nanoTime();
      int one =
          switch (args[0]) {
            case "direct" -> Blitz.run(() -> 1);
            case "thread" -> onThread();
            default -> throw new IllegalArgumentException(args[0]);
          };
      long nanos = System.nanoTime() - start;
      if (one != 1) {
        throw new IllegalStateException("the task returned " + one);
      }
      System.out.println(nanos);
    }

    private static int onThread() throws InterruptedException {
      var result = new int[1];
      Thread.startVirtualThread(() -> result[0] = 1).join();
      return result[0];
    }
  }
}
