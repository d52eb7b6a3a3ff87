package dev.blitz.io;

import dev.blitz.io.observe.CloseReport;
import dev.blitz.io.policy.SpinMode;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.stress.Patience;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** What seeded programs do to, and ask of, a whole runtime. */
final class RuntimeProbe {
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(20);

  private RuntimeProbe() {}

  /** A runtime whose workers, spinning and random choices follow from {@code random}. */
  static RuntimeBuilder builder(SplittableRandom random, int maxWorkers) {
    SpinMode[] modes = SpinMode.values();
    return BlitzRuntime.builder()
        .workers(random.nextInt(1, maxWorkers + 1))
        .seed(random.nextLong())
        .spin(modes[random.nextInt(modes.length)])
        .stallThreshold(Duration.ZERO);
  }

  /** Spawns unless the runtime is closed. */
  static <T> @Nullable JoinHandle<T> trySpawn(Spawn<T> spawn) {
    try {
      return spawn.spawn();
    } catch (RejectedExecutionException e) {
      return null;
    }
  }

  /** One way to spawn. */
  @FunctionalInterface
  interface Spawn<T> {
    JoinHandle<T> spawn();
  }

  /** Every task has ended or ends soon. */
  static void awaitAll(BlitzRuntime rt, List<? extends JoinHandle<?>> handles) {
    for (JoinHandle<?> h : handles) {
      Patience.until(h::isDone, () -> h + describe(rt));
    }
  }

  /** All counters come to rest: no task lives, nobody searches, everybody is parked. */
  static void awaitQuiet(BlitzRuntime rt) {
    Patience.until(
        () -> {
          var s = rt.stats();
          return s.live() == 0 && s.searching() == 0 && s.parked() == s.workers().size();
        },
        () -> "quiescence" + describe(rt));
  }

  /** Closes; everything must end in time, and no thread be left when this returns. */
  static void closeClean(BlitzRuntime rt) {
    CloseReport report = rt.close(CLOSE_LIMIT);
    if (!report.clean()) {
      throw new AssertionError(report + describe(rt));
    }
    checkNoThreads(rt);
    if (rt.stats().live() != 0) {
      throw new AssertionError("closed, but tasks live" + describe(rt));
    }
  }

  /** After a close that was clean. */
  static void checkNoThreads(BlitzRuntime rt) {
    List<String> left = threads(rt);
    if (!left.isEmpty()) {
      throw new AssertionError("closed, but these threads are left: " + left);
    }
  }

  /** The names of the runtime's threads that are alive. */
  static List<String> threads(BlitzRuntime rt) {
    String prefix = "blitz-" + rt.name() + "-";
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith(prefix))
        .toList();
  }

  private static String describe(BlitzRuntime rt) {
    return " of " + rt + ": " + rt.stats() + "; tasks: " + rt.dump();
  }
}
