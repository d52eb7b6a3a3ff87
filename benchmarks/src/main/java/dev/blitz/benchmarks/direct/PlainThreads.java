package dev.blitz.benchmarks.direct;

import dev.blitz.benchmarks.harness.Fixture;
import java.util.ArrayList;
import java.util.List;

/** The peer: the same lambdas on the JDK's virtual threads. */
final class PlainThreads {
  private final DirectSizes sizes;

  PlainThreads(DirectSizes sizes) {
    this.sizes = sizes;
  }

  /** What a virtual thread computes. */
  private interface Body {
    long run() throws InterruptedException;
  }

  private static final class Running {
    private final Thread thread;
    private long result;

    Running(Body body) {
      thread =
          Thread.startVirtualThread(() -> {
            try {
              result = body.run();
            } catch (InterruptedException e) {
              throw new IllegalStateException("nobody interrupts", e);
            }
          });
    }

    long join() throws InterruptedException {
      thread.join();
      return result;
    }
  }

  private static long inside(Body body) throws InterruptedException {
    return new Running(body).join();
  }

  Fixture spawnJoin() {
    return () ->
        inside(() -> {
          List<Running> threads = new ArrayList<>(sizes.batch());
          long sum = 0;
          for (int b = 0; b < sizes.batches(); b++) {
            for (int i = 0; i < sizes.batch(); i++) {
              int n = i & 127;
              threads.add(new Running(() -> n));
            }
            for (Running t : threads) {
              sum += t.join();
            }
            threads.clear();
          }
          return sum;
        });
  }

  Fixture lockPingPong() {
    return () ->
        inside(() -> {
          var turns = new Turns.Locked();
          var other = new Running(() -> turns.play(1, sizes.roundTrips()));
          long mine = turns.play(0, sizes.roundTrips());
          return mine + other.join();
        });
  }

  Fixture parkPingPong() {
    return () ->
        inside(() -> {
          var turns = new Turns.Parked();
          var a = new Running(() -> play(turns, 0));
          var b = new Running(() -> play(turns, 1));
          turns.begin();
          return a.join() + b.join();
        });
  }

  private int play(Turns.Parked turns, int side) {
    turns.join(side);
    return turns.play(side, sizes.roundTrips());
  }

  Fixture yields() {
    return () ->
        inside(() -> {
          List<Running> threads = new ArrayList<>();
          for (int i = 0; i < sizes.yielders(); i++) {
            threads.add(
                new Running(() -> {
                  yieldTimes(sizes.yields());
                  return 1;
                }));
          }
          for (Running t : threads) {
            t.join();
          }
          return (long) sizes.yielders() * sizes.yields();
        });
  }

  // The method under measurement is this very one.
  @SuppressWarnings("ThreadPriorityCheck")
  static void yieldTimes(int times) {
    for (int i = 0; i < times; i++) {
      Thread.yield();
    }
  }
}
