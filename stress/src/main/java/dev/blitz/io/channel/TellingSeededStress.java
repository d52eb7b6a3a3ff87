package dev.blitz.io.channel;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.stress.Crew;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Broadcast and watch, with receives that are dropped at random points: received + missed = sent,
 * the last value is always seen, nobody stays queued.
 */
public final class TellingSeededStress implements SeededStress {
  private static final int MESSAGES = 2_000;
  private static final Optional<Integer> DROPPED = Optional.of(-1);

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, TellingSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    broadcast(random);
    watch(random);
  }

  private static void broadcast(SplittableRandom random) throws Exception {
    Broadcast<Integer> broadcast =
        new Broadcast<>(random.nextInt(1, 20), random.nextInt(2) == 0 ? 0 : Long.MAX_VALUE - 999);
    int senders = random.nextInt(1, 4);
    var sending = new AtomicInteger(senders);
    var crew = new Crew(random);
    for (int r = random.nextInt(1, 4); r > 0; r--) {
      BroadcastReceiver<Integer> receiver = broadcast.subscribe();
      crew.start(own -> {
        long received = 0;
        while (true) {
          try {
            Optional<Integer> message = drive(receiver.next(), own, DROPPED);
            if (message.isEmpty()) {
              break;
            }
            received += message.equals(DROPPED) ? 0 : 1;
            if (own.nextInt(32) == 0) {
              receiver.copy().close(); // counts for all that is unread, and lets go of it
            }
          } catch (LaggedException e) {
            Patience.delay(own);
          }
        }
        long sent = (long) senders * MESSAGES;
        if (received + receiver.missed() != sent) {
          throw new AssertionError(
              received + " received, " + receiver.missed() + " missed, " + sent + " sent");
        }
      });
    }
    for (int s = 0; s < senders; s++) {
      crew.start(own -> {
        for (int i = 0; i < MESSAGES; i++) {
          broadcast.send(i);
          if (own.nextInt(64) == 0) {
            Patience.delay(own);
          }
        }
        if (sending.decrementAndGet() == 0) {
          broadcast.close();
        }
      });
    }
    crew.join();
    if (broadcast.waiters.length() != 0) {
      throw new AssertionError("somebody is still queued at " + broadcast);
    }
  }

  private static void watch(SplittableRandom random) throws Exception {
    Watch<Integer> watch = Watch.of(0);
    var crew = new Crew(random);
    for (int r = random.nextInt(1, 4); r > 0; r--) {
      WatchReceiver<Integer> receiver = watch.subscribe();
      crew.start(own -> {
        int seen = 0;
        while (true) {
          Optional<Integer> change = drive(receiver.next(), own, DROPPED);
          if (change.isEmpty()) {
            break;
          }
          if (change.equals(DROPPED)) {
            continue;
          }
          if (change.get() <= seen) {
            throw new AssertionError("saw " + change.get() + " after " + seen);
          }
          seen = change.get();
        }
        if (seen != MESSAGES) {
          throw new AssertionError("the last value seen was " + seen);
        }
      });
    }
    crew.start(own -> {
      for (int i = 1; i <= MESSAGES; i++) {
        watch.update(v -> v + 1);
        if (own.nextInt(64) == 0) {
          Patience.delay(own);
        }
      }
      watch.close();
    });
    crew.join();
    if (watch.waiters.length() != 0) {
      throw new AssertionError("somebody is still queued at " + watch);
    }
  }

  /**
   * Polls until it ends, or drops it at some point. A wake may come late, for what was seen before.
   */
  private static <T> T drive(UncheckedFuture<T> future, SplittableRandom random, T dropped) {
    var called = new AtomicBoolean();
    Waker waker = () -> called.set(true);
    for (; ; ) {
      called.set(false);
      T value = future.poll(Context.of(waker));
      if (value != null) {
        return value;
      }
      boolean wait = random.nextInt(3) > 0;
      if (wait) {
        Patience.until(called::get, future::toString);
      }
      if (random.nextInt(3) == 0) {
        future.drop();
        return dropped;
      }
    }
  }
}
