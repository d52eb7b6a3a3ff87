package dev.blitz.parallel.internal;

import dev.blitz.parallel.IntWork;
import dev.blitz.parallel.Pool;

/**
 * The steps of a fork one by one, in batches that fill half a fork stack, all on one worker: no
 * step waits for another processor's cache. Nanoseconds per step.
 */
public final class ForkSteps {
  private static final int BATCH = 128;
  private static final int BATCHES = 20_000;
  private static final IntWork<RuntimeException> WORK = () -> 1;

  private ForkSteps() {}

  /** One batch on a worker whose stack is empty; returns the nanoseconds of the step. */
  private interface Batch {
    long run(WorkerThread worker);
  }

  private static double perStep(Batch batch) {
    try (var pool = Pool.of(1)) {
      return pool.call(() -> {
        var worker = (WorkerThread) Thread.currentThread();
        long nanos = 0;
        for (int i = 0; i < BATCHES; i++) {
          nanos += batch.run(worker);
        }
        return (double) nanos / BATCHES / BATCH;
      });
    }
  }

  /**
   * A private fork is pushed.
   *
   * @return nanoseconds
   */
  public static double push() {
    return perStep(worker -> {
      long start = System.nanoTime();
      pushAll(worker);
      long nanos = System.nanoTime() - start;
      popAll(worker);
      return nanos;
    });
  }

  /**
   * A private fork is taken back and run.
   *
   * @return nanoseconds
   */
  public static double localJoin() {
    return perStep(worker -> {
      pushAll(worker);
      long start = System.nanoTime();
      popAll(worker);
      return System.nanoTime() - start;
    });
  }

  /**
   * The oldest shared fork is claimed.
   *
   * @return nanoseconds
   */
  public static double steal() {
    return perStep(worker -> {
      pushAll(worker);
      worker.share(BATCH);
      SharedFork last = null;
      long start = System.nanoTime();
      for (int i = 0; i < BATCH; i++) {
        last = worker.steal();
      }
      long nanos = System.nanoTime() - start;
      if (last == null) {
        throw new IllegalStateException("nothing was left to steal");
      }
      // Claimed and never to be run: taken off as one takes off what a thief has finished.
      for (int i = BATCH - 1; i >= 0; i--) {
        worker.popShared(i);
      }
      return nanos;
    });
  }

  /**
   * A fork that a thief has taken and finished is joined.
   *
   * @return nanoseconds
   */
  public static double stolenAndDone() {
    return perStep(worker -> {
      pushAll(worker);
      worker.share(BATCH);
      for (int i = 0; i < BATCH; i++) {
        SharedFork stolen = worker.steal();
        if (stolen != null) {
          stolen.execute(worker);
        }
      }
      long sum = 0;
      long start = System.nanoTime();
      for (int i = BATCH - 1; i >= 0; i--) {
        sum += (Integer) worker.<RuntimeException>joinShared(i);
      }
      long nanos = System.nanoTime() - start;
      check(sum);
      return nanos;
    });
  }

  private static void pushAll(WorkerThread worker) {
    for (int i = 0; i < BATCH; i++) {
      int fork = worker.push(WORK);
      if (worker.needsAttention(fork)) {
        worker.attend();
      }
    }
  }

  private static void popAll(WorkerThread worker) {
    long sum = 0;
    for (int i = BATCH - 1; i >= 0; i--) {
      if (worker.popPrivate(i)) {
        sum += WORK.run();
      }
    }
    check(sum);
  }

  private static void check(long sum) {
    if (sum != BATCH) {
      throw new IllegalStateException(sum + " of " + BATCH + " forks were joined");
    }
  }
}
