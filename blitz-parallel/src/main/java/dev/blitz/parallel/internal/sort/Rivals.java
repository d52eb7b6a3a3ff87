package dev.blitz.parallel.internal.sort;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Two ways to sort numbers without runs, of which the quicker one is taken: our own, and the JDK's
 * on one thread. Which one that is depends on the processor: on some the JDK's uses vectors for
 * numbers of 64 bits, too. Nothing in Java tells, so each is tried now and then; the more seldom,
 * the more often it has lost.
 */
/*
 * Implementation notes
 *
 * Orderings: all fields are plain, as in Cost: guesses, one word each, written by whoever ends a sort and read by whoever begins
 * one. A lost update is made up for by the next. A Rivals is set once by CAS in its array.
 */
final class Rivals {
  /** With more workers ours gains more: these numbers of them are told apart. */
  private static final int MOST_WORKERS = 8;

  /** The longest way between two looks at the one that lost. */
  private static final int MOST_BETWEEN = 1024;

  /** Nanoseconds per element and level of a binary sort; 0: not tried yet. */
  private float ours;

  private float jdks;

  /** Sorts until the next look, and how many those are. */
  private int left = 1;

  private int between = 1;

  /** One for each number of workers. */
  static final class ByWorkers {
    private final AtomicReferenceArray<Rivals> all = new AtomicReferenceArray<>(MOST_WORKERS + 1);

    Rivals get(int workers) {
      int slot = Math.min(workers, MOST_WORKERS);
      Rivals known = all.get(slot);
      if (known == null) {
        Rivals made = new Rivals();
        Rivals before = all.compareAndExchange(slot, null, made);
        known = before == null ? made : before;
      }
      return known;
    }
  }

  /**
   * Whether the next sort is to be the JDK's. Ours is the first: where it is far quicker, nobody
   * who sorts once waits for the other.
   */
  boolean takesJdks() {
    boolean quicker = jdks > 0 && jdks < ours;
    if (ours == 0 || --left > 0) {
      return quicker;
    }
    between = Math.min(2 * between, MOST_BETWEEN);
    left = between;
    return !quicker;
  }

  /**
   * A sort has ended. Quicker counts at once, slower by and by: what was slow may not have been
   * compiled yet, or have waited for a processor.
   */
  void learn(boolean byJdk, int count, long nanos) {
    float sample = nanos / ((float) count * (Integer.SIZE - Integer.numberOfLeadingZeros(count)));
    float known = byJdk ? jdks : ours;
    float guess = known == 0 || sample < known ? sample : known + (sample - known) / 8;
    if (byJdk) {
      jdks = guess;
    } else {
      ours = guess;
    }
  }
}
