package dev.blitz.io.time;

import dev.blitz.io.future.Futures;
import dev.blitz.io.sync.Crowd;
import dev.blitz.io.task.Task;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Several wait for delayed values and lose patience at random, while values are inserted, put off
 * and removed: each value that stays comes once, to one of them.
 */
public final class DelayQueueSeededStress implements SeededStress {
  private static final int END = -1;

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, DelayQueueSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    int inserters = random.nextInt(1, 3);
    int each = random.nextInt(1, 60);
    int sweepers = random.nextInt(1, 6);
    var left = new AtomicInteger(inserters * each);
    Set<Integer> seen = ConcurrentHashMap.newKeySet();
    DelayQueue<Integer> queue;
    try (var crowd = new Crowd(random)) {
      queue = crowd.make(DelayQueue::create);
      Runnable oneLess =
          () -> {
            if (left.decrementAndGet() == 0) {
              for (int i = 0; i < sweepers; i++) {
                queue.insert(END, Duration.ZERO);
              }
            }
          };
      crowd.spawn(
          sweepers,
          own ->
              Futures.loop(() ->
                  Crowd.impatient(queue.next(), own)
                      .map(result -> {
                        Integer value = result.value();
                        if (value == null) {
                          return Futures.Step.MORE;
                        }
                        if (value == END) {
                          return Futures.Step.STOP;
                        }
                        Crowd.check(seen.add(value), "twice: " + value);
                        oneLess.run();
                        return Futures.Step.MORE;
                      })));
      for (int n = 0; n < inserters; n++) {
        int base = n * each;
        crowd.spawn(
            1,
            own -> {
              int[] i = {0};
              return Futures.loop(() -> {
                if (i[0] == each) {
                  return Futures.stop();
                }
                var key = queue.insert(base + i[0]++, Duration.ofNanos(own.nextInt(3_000_000)));
                switch (own.nextInt(6)) {
                  case 0 -> queue.reset(key, Duration.ofNanos(own.nextInt(2_000_000)));
                  case 1 -> {
                    if (queue.remove(key)) {
                      oneLess.run();
                    }
                  }
                  default -> {}
                }
                return Task.yieldNow().map(done -> Futures.Step.MORE);
              });
            });
      }
      crowd.join();
    }
    Crowd.check(queue.size() == 0 && !queue.hasWaiters(), queue.size() + " values left");
  }
}
