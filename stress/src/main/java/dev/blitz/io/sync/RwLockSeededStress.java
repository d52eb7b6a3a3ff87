package dev.blitz.io.sync;

import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.Task;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.SplittableRandom;

/** Readers never see half of what a writer does, whoever loses patience or downgrades. */
public final class RwLockSeededStress implements SeededStress {
  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, RwLockSeededStress::round);
  }

  private static void round(SplittableRandom random) {
    var lock = RwLock.create();
    int[] pair = {0, 0};
    try (var crowd = new Crowd(random)) {
      crowd.spawn(
          random.nextInt(2, 16),
          own -> {
            int[] left = {own.nextInt(1, 100)};
            return Futures.loop(() -> {
              if (left[0]-- == 0) {
                return Futures.ready(Futures.Step.STOP);
              }
              return own.nextInt(3) == 0 ? write(lock, pair, own) : read(lock, pair, own);
            });
          });
      crowd.join();
    }
    Crowd.check(lock.available() == lock.maximum() && !lock.hasWaiters(), lock);
    Crowd.check(lock.waiting.isEmpty(), lock);
  }

  private static Future<Futures.Step> read(RwLock lock, int[] pair, SplittableRandom own) {
    return Crowd.impatient(lock.read(), own)
        .andThen(result -> {
          RwLock.ReadGuard guard = result.value();
          return guard == null ? Futures.ready(Futures.Step.MORE) : look(guard, pair, own);
        });
  }

  private static Future<Futures.Step> look(
      RwLock.ReadGuard guard, int[] pair, SplittableRandom own) {
    int seen = pair[0];
    Future<?> work = own.nextBoolean() ? Task.yieldNow() : Futures.ready(guard);
    return work.map(done -> {
      Crowd.check(seen == pair[0] && seen == pair[1], guard);
      guard.close();
      return Futures.Step.MORE;
    });
  }

  private static Future<Futures.Step> write(RwLock lock, int[] pair, SplittableRandom own) {
    return Crowd.impatient(lock.write(), own)
        .andThen(result -> {
          RwLock.WriteGuard guard = result.value();
          if (guard == null) {
            return Futures.ready(Futures.Step.MORE);
          }
          pair[0]++;
          Future<?> work = own.nextBoolean() ? Task.yieldNow() : Futures.ready(guard);
          return work.andThen(done -> {
            pair[1]++;
            if (own.nextInt(3) == 0) {
              return look(guard.downgrade(), pair, own);
            }
            guard.close();
            return Futures.ready(Futures.Step.MORE);
          });
        });
  }
}
