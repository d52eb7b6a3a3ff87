package dev.blitz.stress.control;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.IntSupplier;

/**
 * Rounds in which several threads count together, for the seeded control and its canary: what the
 * counter then says must be what they counted.
 */
public final class CountingRounds {
  private static final int MAX_THREADS = 4;
  private static final int MAX_INCREMENTS = 20_000;

  private CountingRounds() {}

  /**
   * Counts until the budget is used up.
   *
   * @param seed decides the number of threads and increments of each round
   * @param budget how long to go on
   * @param increment adds one, from any thread
   * @param count reads the counter, between rounds only
   * @throws AssertionError when an increment was lost
   */
  public static void run(long seed, Duration budget, Runnable increment, IntSupplier count)
      throws InterruptedException, ExecutionException {
    var random = new Random(seed);
    long deadline = System.nanoTime() + budget.toNanos();
    int round = 0;
    do {
      int threads = random.nextInt(2, MAX_THREADS + 1);
      int increments = random.nextInt(1, MAX_INCREMENTS);
      int before = count.getAsInt();
      countTogether(threads, increments, increment);
      int counted = count.getAsInt() - before;
      if (counted != threads * increments) {
        throw new AssertionError(
            "round %d: %d threads counted to %d each, together %d"
                .formatted(round, threads, increments, counted));
      }
      round++;
    } while (System.nanoTime() < deadline);
  }

  private static void countTogether(int threads, int increments, Runnable increment)
      throws InterruptedException, ExecutionException {
    var start = new CyclicBarrier(threads);
    var counting = new FutureTask<?>[threads];
    for (int i = 0; i < threads; i++) {
      counting[i] =
          new FutureTask<>(() -> {
            start.await();
            for (int n = 0; n < increments; n++) {
              increment.run();
            }
            return null;
          });
      Thread.ofPlatform().start(counting[i]);
    }
    for (FutureTask<?> one : counting) {
      one.get();
    }
  }
}
