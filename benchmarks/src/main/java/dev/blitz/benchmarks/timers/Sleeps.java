package dev.blitz.benchmarks.timers;

import dev.blitz.benchmarks.harness.LiveHeap;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.task.Task;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Tasks that sleep on a real runtime, and virtual threads that do the same. */
final class Sleeps {
  private static final int WORKERS = 2;
  private static final Duration HOUR = Duration.ofHours(1);
  private static final long STUCK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private Sleeps() {}

  static BlitzRuntime runtime() {
    return BlitzRuntime.builder().workers(WORKERS).name("bench").build();
  }

  static void tasks(SleepLateness sleeps) throws InterruptedException {
    try (var runtime = runtime()) {
      for (int i = 0; i < sleeps.count(); i++) {
        runtime.spawn(new Sleeper(sleeps, i));
      }
      sleeps.await();
    }
  }

  static void virtualThreads(SleepLateness sleeps) throws InterruptedException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < sleeps.count(); i++) {
        int index = i;
        threads.execute(() -> sleepOnThread(sleeps, index));
      }
      sleeps.await();
    }
  }

  private static void sleepOnThread(SleepLateness sleeps, int index) {
    long start = System.nanoTime();
    try {
      Thread.sleep(Duration.ofNanos(sleeps.delay(index)));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a sleeper", e);
    }
    sleeps.over(index, start);
  }

  /** How late a sleep of a millisecond ends, in microseconds, while one of two workers is stuck. */
  static double besideStuckPoll() throws Exception {
    var stuck = new CountDownLatch(1);
    try (var runtime = runtime()) {
      Future<Done> hog =
          cx -> {
            stuck.countDown();
            long start = System.nanoTime();
            while (System.nanoTime() - start < STUCK_NANOS) {
              Thread.onSpinWait();
            }
            return Done.DONE;
          };
      var ended = runtime.spawn(hog);
      stuck.await();
      long nanos = runtime.run(new Millisecond());
      ended.await();
      return (double) nanos / TimeUnit.MICROSECONDS.toNanos(1);
    }
  }

  /** Live heap per task of a million that sleep; nobody holds their handles. */
  static double bytesPending(int count) {
    try (var runtime = runtime()) {
      return (double) LiveHeap.bytesOf(() -> asleep(runtime, count)) / count;
    }
  }

  private static BlitzRuntime asleep(BlitzRuntime runtime, int count) {
    for (int i = 0; i < count; i++) {
      runtime.spawn(Task.sleep(HOUR));
    }
    while (runtime.stats().timers() < count) {
      Thread.onSpinWait();
    }
    return runtime;
  }

  private static final class Sleeper implements Future<Done> {
    private final SleepLateness sleeps;
    private final int index;
    private long start;
    private @Nullable Future<Done> sleep;

    Sleeper(SleepLateness sleeps, int index) {
      this.sleeps = sleeps;
      this.index = index;
    }

    @Override
    public @Nullable Done poll(Context cx) throws Exception {
      var current = sleep;
      if (current == null) {
        start = System.nanoTime();
        current = Task.sleep(Duration.ofNanos(sleeps.delay(index)));
        sleep = current;
      }
      if (current.poll(cx) == null) {
        return null;
      }
      sleeps.over(index, start);
      return Done.DONE;
    }
  }

  /** Sleeps a millisecond from its first poll; how many nanoseconds too long that was. */
  private static final class Millisecond implements Future<Long> {
    private final Future<Done> sleep = Task.sleep(Duration.ofMillis(1));
    private long start;
    private boolean started;

    @Override
    public @Nullable Long poll(Context cx) throws Exception {
      if (!started) {
        started = true;
        start = System.nanoTime();
      }
      if (sleep.poll(cx) == null) {
        return null;
      }
      return System.nanoTime() - start - TimeUnit.MILLISECONDS.toNanos(1);
    }
  }
}
