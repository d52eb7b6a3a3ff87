package dev.blitz.io.sync;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Initialisers succeed, fail or are given up: one at a time, and all agree on one value. */
public final class OnceCellSeededStress implements SeededStress {
  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, OnceCellSeededStress::round);
  }

  private static void round(SplittableRandom random) {
    for (int i = 0; i < 20; i++) {
      var cell = OnceCell.<Integer>create();
      var running = new AtomicInteger();
      Set<Integer> seen = ConcurrentHashMap.newKeySet();
      int failing = random.nextInt(1, 5);
      try (var crowd = new Crowd(random)) {
        crowd.spawn(
            random.nextInt(2, 20),
            own ->
                Futures.loop(() ->
                    Crowd.impatient(new Attempt(cell, running, own, failing), own)
                        .map(result -> {
                          Integer value = result.value();
                          if (value == null || value < 0) {
                            return Futures.Step.MORE;
                          }
                          seen.add(value);
                          return Futures.Step.STOP;
                        })));
        crowd.join();
      }
      Crowd.check(seen.size() == 1 && seen.contains(cell.get()), seen + " of " + cell);
      Crowd.check(running.get() == 0, running);
      Crowd.check(cell.initialising() == null, cell);
    }
  }

  private static final class OnPurpose extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** One way to the value; a failure is -1. */
  private static final class Attempt implements UncheckedFuture<Integer> {
    private final Future<Integer> inner;

    Attempt(OnceCell<Integer> cell, AtomicInteger running, SplittableRandom own, int failing) {
      int value = own.nextInt(1_000);
      inner = cell.getOrInitAsync(() -> new Initialiser(running, value, own, failing));
    }

    @Override
    public @Nullable Integer poll(Context cx) {
      try {
        return inner.poll(cx);
      } catch (OnPurpose expected) {
        return -1;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void drop() {
      inner.drop();
    }
  }

  /** Counts itself while it is there. */
  private static final class Initialiser implements Future<Integer> {
    private final AtomicInteger running;
    private final int value;
    private final boolean fails;
    private int pending;

    Initialiser(AtomicInteger running, int value, SplittableRandom own, int failing) {
      this.running = running;
      this.value = value;
      fails = own.nextInt(failing + 1) > 0;
      pending = own.nextInt(3);
      Crowd.check(running.incrementAndGet() == 1, "two initialisers at a time");
    }

    @Override
    public @Nullable Integer poll(Context cx) {
      if (pending-- > 0) {
        cx.waker().wake();
        return null;
      }
      running.decrementAndGet();
      if (fails) {
        throw new OnPurpose();
      }
      return value;
    }

    @Override
    public void drop() {
      running.decrementAndGet();
    }
  }
}
