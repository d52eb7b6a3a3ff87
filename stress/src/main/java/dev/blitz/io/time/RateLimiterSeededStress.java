package dev.blitz.io.time;

import dev.blitz.io.future.Futures;
import dev.blitz.io.sync.Crowd;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tasks take tokens and lose patience at random: all get theirs in the end, and never more than the
 * burst and what has come since.
 */
public final class RateLimiterSeededStress implements SeededStress {
  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, RateLimiterSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    int perMilli = random.nextInt(1, 200);
    int burst = random.nextInt(1, 6);
    long before = System.nanoTime();
    var granted = new AtomicInteger();
    RateLimiter limiter;
    try (var crowd = new Crowd(random)) {
      limiter = crowd.make(() -> RateLimiter.create(perMilli, Duration.ofMillis(1), burst));
      crowd.spawn(
          random.nextInt(2, 12),
          own -> {
            int[] left = {own.nextInt(1, 40)};
            return Futures.loop(() -> {
              if (left[0]-- == 0) {
                return Futures.stop();
              }
              int n = own.nextInt(1, burst + 1);
              if (own.nextInt(8) == 0) {
                count(limiter.tryAcquire(n), n, granted, before, perMilli, burst);
                return Futures.more();
              }
              return Crowd.impatient(limiter.acquire(n), own)
                  .map(result -> {
                    count(result.value() != null, n, granted, before, perMilli, burst);
                    return Futures.Step.MORE;
                  });
            });
          });
      crowd.join();
    }
    Crowd.check(!limiter.hasWaiters(), limiter);
  }

  private static void count(
      boolean got, int n, AtomicInteger granted, long before, int perMilli, int burst) {
    if (got) {
      int sum = granted.addAndGet(n);
      long most = burst + (System.nanoTime() - before) * perMilli / 1_000_000;
      Crowd.check(sum <= most, sum + " tokens, at most " + most);
    }
  }
}
