package dev.blitz.parallel;

import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Single jobs for a pool that has just gone to sleep, or is about to: the moment at which a wake-up
 * would be lost. A lost one never returns, and the runner prints where everybody waits.
 */
public final class SleepingPoolSeededStress implements SeededStress {
  private static final int JOBS_PER_ROUND = 10_000;
  private static final int MAX_WORKERS = 4;
  private static final int MAX_SPINS = 3_000;

  /** For the service loader. */
  public SleepingPoolSeededStress() {}

  @Override
  public void run(long seed, Duration budget) {
    var random = new SplittableRandom(seed);
    long deadline = System.nanoTime() + budget.toNanos();
    do {
      round(random);
    } while (System.nanoTime() < deadline);
  }

  private static void round(SplittableRandom random) {
    int workers = random.nextInt(1, MAX_WORKERS + 1);
    var spawned = new AtomicLong();
    long calls = 0;
    try (var pool = Pool.builder().workers(workers).seed(random.nextLong()).build()) {
      for (int i = 0; i < JOBS_PER_ROUND; i++) {
        // Deep asleep, or anywhere between the last search and sleep.
        if (random.nextBoolean()) {
          awaitSleep(pool);
        } else {
          spin(random.nextInt(MAX_SPINS));
        }
        if (random.nextInt(8) == 0) {
          pool.spawn(spawned::incrementAndGet);
        } else {
          calls += pool.call(() -> 1);
        }
      }
    }
    if (calls + spawned.get() != JOBS_PER_ROUND) {
      throw new AssertionError(calls + " calls and " + spawned + " spawned jobs ran");
    }
  }

  private static void awaitSleep(Pool pool) {
    PoolStats stats = pool.stats();
    while (stats.slept() - stats.woken() < pool.workers()) {
      Thread.onSpinWait();
      stats = pool.stats();
    }
  }

  private static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }
}
