package dev.blitz.io.sync;

import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.Task;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Tasks take one or more of a few permits and lose patience at random: permits are conserved. */
public final class SemaphoreSeededStress implements SeededStress {
  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, SemaphoreSeededStress::round);
  }

  private static void round(SplittableRandom random) {
    int permits = random.nextInt(1, 5);
    var semaphore = random.nextBoolean() ? Semaphore.create(permits) : Semaphore.barging(permits);
    var inside = new AtomicInteger();
    try (var crowd = new Crowd(random)) {
      crowd.spawn(
          random.nextInt(2, 20),
          own -> {
            int[] left = {own.nextInt(1, 80)};
            return Futures.loop(() -> {
              if (left[0]-- == 0) {
                return Futures.ready(Futures.Step.STOP);
              }
              return visit(semaphore, permits, inside, own);
            });
          });
      crowd.join();
    }
    Crowd.check(inside.get() == 0, inside);
    Crowd.check(semaphore.availablePermits() == permits && !semaphore.hasWaiters(), semaphore);
    Crowd.check(semaphore.waiting.isEmpty(), semaphore);
  }

  private static Future<Futures.Step> visit(
      Semaphore semaphore, int permits, AtomicInteger inside, SplittableRandom own) {
    int n = own.nextInt(1, permits + 1);
    if (own.nextInt(8) == 0) {
      if (semaphore.tryAcquire(n)) {
        Crowd.check(inside.addAndGet(n) <= permits, semaphore);
        inside.addAndGet(-n);
        semaphore.release(n);
      }
      return Futures.ready(Futures.Step.MORE);
    }
    return Crowd.impatient(semaphore.acquire(n), own)
        .andThen(result -> {
          Semaphore.Permit permit = result.value();
          if (permit == null) {
            return Futures.ready(Futures.Step.MORE);
          }
          Crowd.check(inside.addAndGet(n) <= permits, semaphore);
          Future<?> work = own.nextBoolean() ? Task.yieldNow() : Futures.ready(permit);
          return work.map(done -> {
            inside.addAndGet(-n);
            if (n > 1 && own.nextBoolean()) {
              permit.split(own.nextInt(1, n)).close();
            }
            permit.close();
            return Futures.Step.MORE;
          });
        });
  }
}
