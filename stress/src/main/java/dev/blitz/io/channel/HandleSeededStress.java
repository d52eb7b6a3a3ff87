package dev.blitz.io.channel;

import dev.blitz.stress.Crew;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.SplittableRandom;

/** Handles that are copied while others are closed: a copy is of an open channel, or fails. */
public final class HandleSeededStress implements SeededStress {

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, HandleSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    Channel<Integer> channel = Channel.bounded(2);
    Sender<Integer> sender = channel.sender();
    var crew = new Crew(random);
    crew.start(own -> sender.close());
    for (int i = random.nextInt(1, 3); i > 0; i--) {
      crew.start(own -> {
        try (Sender<Integer> copy = sender.copy()) {
          if (copy.trySend(1) == SendResult.CLOSED) {
            throw new AssertionError("a copy of a closed channel: " + copy);
          }
        } catch (IllegalStateException e) {
          if (!String.valueOf(e.getMessage()).startsWith("this handle was closed")) {
            throw e;
          }
        }
      });
    }
    crew.join();
    if (!channel.isClosed()) {
      throw new AssertionError("nobody has closed " + channel);
    }
  }
}
