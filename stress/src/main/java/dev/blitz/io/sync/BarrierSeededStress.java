package dev.blitz.io.sync;

import dev.blitz.io.future.Futures;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Tasks meet again and again and lose patience at random: one leader each time, nobody left. */
public final class BarrierSeededStress implements SeededStress {
  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, BarrierSeededStress::round);
  }

  private static void round(SplittableRandom random) {
    int parties = random.nextInt(1, 5);
    int meetings = random.nextInt(1, 100);
    var barrier = Barrier.create(parties);
    var leaders = new AtomicInteger();
    try (var crowd = new Crowd(random)) {
      crowd.spawn(
          parties + random.nextInt(3),
          own ->
              Futures.loop(() ->
                  Crowd.impatient(barrier.arrive(), own)
                      .map(result -> {
                        if (result.value() == Arrival.LEADER) {
                          leaders.incrementAndGet();
                        }
                        return barrier.meetings() < meetings
                            ? Futures.Step.MORE
                            : Futures.Step.STOP;
                      })));
      Patience.until(() -> barrier.meetings() >= meetings, barrier::toString);
      // Those who are left are too few: as many more as it takes let them go.
      Patience.until(
          () -> {
            leaders.addAndGet(complete(barrier));
            return crowd.isDone();
          },
          barrier::toString);
      crowd.join();
    }
    Crowd.check(leaders.get() == barrier.meetings(), leaders + " leaders of " + barrier);
    Crowd.check(barrier.arrived() == 0, barrier);
  }

  private static int complete(Barrier barrier) {
    int led = 0;
    var waiting = new ArrayList<Waiting<Arrival>>();
    for (int i = 0; i < barrier.parties(); i++) {
      var one = new Waiting<>(barrier.arrive());
      if (one.poll()) {
        led++;
      } else {
        waiting.add(one);
      }
    }
    waiting.forEach(Waiting::drop);
    return led;
  }
}
