package dev.blitz.parallel;

import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Single jobs for a pool that has just gone to sleep, or is about to: the moment at which a wake-up
 * would be lost. A lost one never returns, and the runner prints where everybody waits.
 *
 * <p>The long form, with minutes to spend on this program alone, does not end before a million
 * jobs: {@code ./blitz stress 20 SleepingPool}. To fall asleep a worker yields some thirty times,
 * and on a busy machine each of them may take a time slice: slow is not stuck.
 */
public final class SleepingPoolSeededStress implements SeededStress {
  private static final int JOBS_PER_ROUND = 10_000;
  private static final int LONG_FORM_JOBS = 1_000_000;
  private static final Duration LONG_FORM = Duration.ofMinutes(2);
  private static final int MAX_WORKERS = 4;
  private static final int MAX_SPINS = 3_000;

  /** For the service loader. */
  public SleepingPoolSeededStress() {}

  @Override
  public void run(long seed, Duration budget) {
    var random = new SplittableRandom(seed);
    long deadline = System.nanoTime() + budget.toNanos();
    long wanted = budget.compareTo(LONG_FORM) < 0 ? 0 : LONG_FORM_JOBS;
    long jobs = 0;
    do {
      round(random);
      jobs += JOBS_PER_ROUND;
    } while (System.nanoTime() < deadline || jobs < wanted);
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

  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it but speed
  private static void awaitSleep(Pool pool) {
    PoolStats stats = pool.stats();
    while (stats.slept() - stats.woken() < pool.workers()) {
      // With more workers than processors a spinning waiter would keep them from falling asleep.
      Thread.yield();
      stats = pool.stats();
    }
  }

  private static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }
}
