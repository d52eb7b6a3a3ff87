package dev.blitz.examples;

import dev.blitz.io.Blitz;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.parallel.Parallel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The tour that {@code ./blitz demo} runs: one scene per capability.
 *
 * <p>Shows: what this machine offers; a hundred thousand tasks; timers; fork-join. Takes a few
 * seconds. Run: {@code ./blitz demo}.
 */
public final class Demo {
  private Demo() {}

  private static final int TASKS = 100_000;

  /** Runs every scene. */
  public static void main(String[] args) throws Exception {
    machine();
    tasks();
    timers();
    forkJoin();
  }

  private static void machine() {
    scene("This machine");
    IO.println("  cores     " + Runtime.getRuntime().availableProcessors());
    IO.println(
        "  system    "
            + property("os.name")
            + " "
            + property("os.version")
            + ", "
            + property("os.arch"));
    IO.println("  java      " + property("java.vm.name") + " " + property("java.vm.version"));
    for (var probe : Blitz.backends()) {
      IO.println("  backend   " + probe);
    }
  }

  private static void tasks() throws Exception {
    scene("Tasks: " + TASKS + " of them, each yields twice, one sums them up");
    try (var runtime = BlitzRuntime.create()) {
      long start = System.nanoTime();
      Future<Long> sum =
          Futures.lazy(
                  () -> {
                    List<JoinHandle<Integer>> all = new ArrayList<>();
                    for (int i = 0; i < TASKS; i++) {
                      int n = i;
                      all.add(
                          Task.spawn(Task.yieldNow().andThen(d -> Task.yieldNow()).map(d -> n)));
                    }
                    return Task.joinAll(all);
                  })
              .andThen(joined -> joined)
              .map(values -> values.stream().mapToLong(Integer::longValue).sum());
      IO.println("  sum       " + runtime.run(sum) + " in " + millisSince(start) + " ms");
      var stats = runtime.stats();
      IO.println(
          "  stats     "
              + stats.polled()
              + " polls, "
              + stats.stolen()
              + " tasks stolen, workers slept "
              + stats.timesParked()
              + " times");
    }
  }

  private static void timers() throws Exception {
    scene("Timers: the faster of two, and one that gives up");
    Future<String> race =
        Futures.race(
            Task.sleep(Duration.ofMillis(20)).map(d -> "20 ms"),
            Task.sleep(Duration.ofMillis(200)).map(d -> "200 ms"));
    IO.println("  race      " + Blitz.run(race) + " won");
    Future<String> gaveUp =
        Futures.<Done>pending()
            .timeout(Duration.ofMillis(30))
            .map(d -> "never")
            .recover(e -> "gave up: " + e.getMessage());
    IO.println("  time-out  " + Blitz.run(gaveUp));
  }

  private static void forkJoin() {
    scene("Fork-join: fib(32) with a fork at every call");
    long start = System.nanoTime();
    IO.println("  fib(32)   " + fib(32) + " in " + millisSince(start) + " ms");
  }

  private static int fib(int n) {
    return n < 2 ? n : Parallel.joinInt(() -> fib(n - 1), () -> fib(n - 2), Integer::sum);
  }

  private static void scene(String title) {
    IO.println(title);
  }

  private static long millisSince(long startNanos) {
    return (System.nanoTime() - startNanos) / 1_000_000;
  }

  private static String property(String key) {
    return System.getProperty(key, "unknown");
  }
}
