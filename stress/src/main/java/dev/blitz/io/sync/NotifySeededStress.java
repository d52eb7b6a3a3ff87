package dev.blitz.io.sync;

import dev.blitz.io.future.Futures;
import dev.blitz.io.task.Task;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Producers notify one consumer per item, consumers lose patience at random: a notification that is
 * lost leaves items behind that nobody comes for.
 */
public final class NotifySeededStress implements SeededStress {
  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, NotifySeededStress::round);
  }

  private static void round(SplittableRandom random) {
    var notify = Notify.create();
    var queue = new ConcurrentLinkedQueue<Integer>();
    var taken = new AtomicInteger();
    int producers = random.nextInt(1, 4);
    int each = random.nextInt(1, 200);
    int items = producers * each;
    try (var crowd = new Crowd(random)) {
      crowd.spawn(
          random.nextInt(1, 6),
          own ->
              Futures.loop(() -> {
                while (queue.poll() != null) {
                  taken.incrementAndGet();
                  if (own.nextInt(4) == 0) {
                    break; // somebody else's business, which only a notification tells
                  }
                }
                if (taken.get() == items) {
                  notify.notifyOne(); // the end goes round
                  return Futures.ready(Futures.Step.STOP);
                }
                if (!queue.isEmpty()) {
                  notify.notifyOne();
                }
                return Crowd.impatient(notify.notified(), own).map(result -> Futures.Step.MORE);
              }));
      crowd.spawn(
          producers,
          own -> {
            int[] left = {each};
            return Futures.loop(() -> {
              if (left[0]-- == 0) {
                return Futures.ready(Futures.Step.STOP);
              }
              queue.add(left[0]);
              notify.notifyOne();
              if (own.nextInt(16) == 0) {
                notify.notifyWaiters();
              }
              return own.nextBoolean()
                  ? Task.yieldNow().map(done -> Futures.Step.MORE)
                  : Futures.ready(Futures.Step.MORE);
            });
          });
      crowd.join();
    }
    Crowd.check(taken.get() == items && !notify.hasWaiters(), taken + " of " + items);
  }
}
