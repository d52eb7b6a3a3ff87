package dev.blitz.io.sync;

import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.Task;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tasks count under a lock, across suspensions, and lose patience at random: the count is exact.
 */
public final class MutexSeededStress implements SeededStress {
  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, MutexSeededStress::round);
  }

  private static void round(SplittableRandom random) {
    var mutex = random.nextBoolean() ? Mutex.create() : Mutex.barging();
    int[] count = {0};
    var entered = new AtomicInteger();
    try (var crowd = new Crowd(random)) {
      crowd.spawn(
          random.nextInt(2, 12),
          own -> {
            int[] left = {own.nextInt(1, 200)};
            return Futures.loop(() ->
                Crowd.impatient(mutex.lock(), own)
                    .andThen(result -> {
                      Mutex.Guard guard = result.value();
                      Future<Futures.Step> step =
                          guard == null
                              ? Futures.ready(Futures.Step.MORE)
                              : count(guard, count, entered, own);
                      return step.map(more -> left[0]-- > 0 ? more : Futures.Step.STOP);
                    }));
          });
      crowd.join();
    }
    Crowd.check(count[0] == entered.get(), count[0] + " counted, " + entered + " entered");
    Crowd.check(!mutex.isLocked() && !mutex.hasWaiters() && mutex.waiting.isEmpty(), mutex);
  }

  private static Future<Futures.Step> count(
      Mutex.Guard guard, int[] count, AtomicInteger entered, SplittableRandom own) {
    entered.incrementAndGet();
    int before = count[0];
    Future<?> work = own.nextInt(4) == 0 ? Task.yieldNow() : Futures.ready(guard);
    return work.map(done -> {
      count[0] = before + 1;
      guard.close();
      return Futures.Step.MORE;
    });
  }
}
