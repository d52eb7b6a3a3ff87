package dev.blitz.io.internal.scheduler;

import dev.blitz.stress.Crew;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * An owner and up to three thieves on a ring whose positions wrap around during the round: each
 * item is seen exactly once, with what was written into it.
 */
public final class RingWrapSeededStress implements SeededStress {
  private static final int MAX_ITEMS = 40_000;

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, RingWrapSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    int items = random.nextInt(1_000, MAX_ITEMS);
    int capacity = 2 << random.nextInt(8);
    // The positions pass Integer.MAX_VALUE or 0 somewhere in the round.
    int origin =
        (random.nextBoolean() ? Integer.MAX_VALUE : -1) - random.nextInt(Math.max(1, items / 2));
    var ring = new LocalRunQueue<RingItem>(capacity, origin);
    var seen = new AtomicIntegerArray(items + 1);
    var done = new AtomicBoolean();
    var crew = new Crew(random);
    crew.start(own -> {
      try {
        own(ring, items, seen, own);
      } finally {
        done.set(true);
      }
    });
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      crew.start(own -> steal(ring, capacity, seen, done, own));
    }
    crew.join();
    for (int i = 0; i <= items; i++) {
      if (seen.get(i) != (i == 0 ? 0 : 1)) {
        throw new AssertionError(
            "item %d of %d was seen %d times".formatted(i, items, seen.get(i)));
      }
    }
  }

  private static void note(AtomicIntegerArray seen, @Nullable RingItem item) {
    if (item != null) {
      seen.incrementAndGet(item.value); // 0: taken before its value could be seen
    }
  }

  private static void own(
      LocalRunQueue<RingItem> ring, int items, AtomicIntegerArray seen, SplittableRandom random) {
    int next = 1;
    while (next <= items) {
      int burst = random.nextInt(1, 20);
      for (int i = 0; i < burst && next <= items; i++) {
        RingItem item = RingItem.of(next++);
        if (random.nextInt(4) == 0) {
          RingItem evicted = ring.swapLifo(item);
          if (evicted != null) {
            push(ring, evicted, seen);
          }
        } else {
          push(ring, item, seen);
        }
      }
      for (int i = random.nextInt(16); i > 0; i--) {
        note(seen, ring.pop());
      }
      if (random.nextInt(4) == 0) {
        note(seen, ring.popLifo());
      }
    }
    drain(ring, seen);
  }

  private static void push(LocalRunQueue<RingItem> ring, RingItem item, AtomicIntegerArray seen) {
    ring.push(
        item,
        (spilled, count) -> {
          for (int i = 0; i < count; i++) {
            note(seen, spilled.get(i));
          }
        });
  }

  private static void steal(
      LocalRunQueue<RingItem> victim,
      int capacity,
      AtomicIntegerArray seen,
      AtomicBoolean done,
      SplittableRandom random) {
    var loot = new LocalRunQueue<RingItem>(capacity, random.nextInt());
    while (!done.get()) {
      note(seen, victim.stealInto(loot));
      if (random.nextInt(8) == 0) {
        note(seen, victim.stealLifo());
      }
      for (int i = random.nextInt(1 + capacity / 2); i > 0; i--) {
        note(seen, loot.pop());
      }
    }
    drain(loot, seen);
  }

  private static void drain(LocalRunQueue<RingItem> ring, AtomicIntegerArray seen) {
    for (RingItem i = ring.pop(); i != null; i = ring.pop()) {
      note(seen, i);
    }
    note(seen, ring.popLifo());
  }
}
