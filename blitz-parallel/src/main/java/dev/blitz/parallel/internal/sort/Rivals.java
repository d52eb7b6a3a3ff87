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

  /** Numbers up to here fit the second cache with their copy: longer arrays are told apart. */
  static final int LONG_ARRAY = 1 << 16;

  /**
   * The most elements, times workers that might have shared them, that the one that lost is tried
   * on. Larger: whoever sorts hundreds of millions once or twice waits for a try on one thread;
   * smaller: whoever sorts nothing but long arrays never learns which is quicker.
   */
  private static final int MOST_TRIED = 1 << 24;

  /** The longest way between two looks at the one that lost. */
  private static final int MOST_BETWEEN = 1024;

  private final int mostTried;

  /** Nanoseconds per element and level of a binary sort; 0: not tried yet. */
  private float ours;

  private float jdks;

  /** Sorts until the next look, and how many those are. */
  private int left = 1;

  private int between = 1;

  Rivals(int workers) {
    this.mostTried = MOST_TRIED / workers;
  }

  /** One for each number of workers, for short arrays and for long ones. */
  static final class Table {
    private final AtomicReferenceArray<Rivals> all =
        new AtomicReferenceArray<>(2 * MOST_WORKERS + 2);

    Rivals get(int workers, int count) {
      int told = Math.min(workers, MOST_WORKERS);
      int slot = 2 * told + (count < LONG_ARRAY ? 0 : 1);
      Rivals known = all.get(slot);
      if (known == null) {
        Rivals made = new Rivals(told);
        Rivals before = all.compareAndExchange(slot, null, made);
        known = before == null ? made : before;
      }
      return known;
    }
  }

  /**
   * Whether the next sort is to be the JDK's. Ours is the first: where it is far quicker, nobody
   * who sorts once waits for the other. Very long arrays try nothing.
   */
  boolean takesJdks(int count) {
    boolean quicker = jdks > 0 && jdks < ours;
    if (ours == 0 || count > mostTried || --left > 0) {
      return quicker;
    }
    between = Math.min(2 * between, MOST_BETWEEN);
    left = between;
    return !quicker;
  }

  /**
   * A sort has ended. Quicker counts at once, slower by and by and by an eighth at most: what was
   * slow may not have been compiled yet, or have waited for a processor or the collector.
   */
  void learn(boolean byJdk, int count, long nanos) {
    float sample = nanos / ((float) count * (Integer.SIZE - Integer.numberOfLeadingZeros(count)));
    float known = byJdk ? jdks : ours;
    float guess =
        known == 0 || sample < known ? sample : known + (Math.min(sample, 2 * known) - known) / 8;
    if (byJdk) {
      jdks = guess;
    } else {
      ours = guess;
    }
  }
}
