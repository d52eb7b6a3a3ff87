package dev.blitz.parallel.internal.plan;

/**
 * What an element has cost in loops over lambdas of one class.
 *
 * <p>A guess, kept without synchronisation: every loop that looks at the clock leaves its own.
 */
/*
 * Implementation notes
 *
 * Orderings: all fields are plain, written by whoever ends a piece of a loop and read by whoever starts one; never per brief
 * loop, whose callers would fight for the cache line. Each is one word
 * (a long may tear on a 32-bit JVM: it only counts towards a threshold), a stale one is an older guess, and a lost update is
 * made up for by the next loop. bound goes from false to true only. The dice are plain too: whoever has the same stripe may
 * overwrite a throw.
 */
public class Cost {
  /** Of brief loops one in two to this power is measured. */
  private static final int SAMPLED_BITS = 6;

  /** The same for loops of few elements, each of which may well be a large job. */
  private static final int FEW_SAMPLED_BITS = 3;

  private static final int FEW = 32;

  /** A time below this is mostly that of the clock itself: it can say "less", never "more". */
  private static final long TOO_SHORT_NANOS = 500;

  /** Random states of threads, 128 bytes apart; those that share one only disturb each other. */
  private static final int STRIPES = 64;

  private static final int STRIDE = 32;
  private static final int[] DICE = new int[STRIPES * STRIDE];

  private float nanos = Float.POSITIVE_INFINITY;
  private boolean bound;
  private long elements;

  /**
   * So many loops are measured without exception, after one that was dearer than guessed by far.
   */
  private int wary;

  /** Nothing known yet. */
  public Cost() {}

  /**
   * What an element costs.
   *
   * @return nanoseconds; infinite while unknown
   */
  public final double nanosPerElement() {
    return nanos;
  }

  /**
   * Whether a loop is so short that it needs neither pool nor blocks.
   *
   * @param count its elements, 1 or more
   * @return true: just run it, between {@link #startSample} and {@link #endSample}
   */
  public final boolean isBrief(long count) {
    return count * nanos <= PlanTuning.BRIEF_NANOS
        && count <= PlanTuning.BRIEF_ELEMENTS
        && !bound
        && wary == 0;
  }

  /**
   * A brief loop begins. Now and then one is measured, so that a change of cost is noticed.
   *
   * @param count its elements
   * @return when it began; 0 if it is not measured
   */
  public static long startSample(long count) {
    int slot = ((int) Thread.currentThread().threadId() & STRIPES - 1) * STRIDE;
    // Its high bits are random enough, for less than ThreadLocalRandom costs.
    int random = DICE[slot] * 1664525 + 1013904223;
    DICE[slot] = random;
    // Odd, so never the 0 that means no.
    int bits = count <= FEW ? FEW_SAMPLED_BITS : SAMPLED_BITS;
    return random >>> (Integer.SIZE - bits) == 0 ? System.nanoTime() | 1 : 0;
  }

  /**
   * A brief loop that was measured has ended.
   *
   * @param count its elements
   * @param start when it began, not 0
   */
  public final void endSample(long count, long start) {
    learn(refine(nanos, count, System.nanoTime() - start), count);
  }

  /**
   * How many elements may be run on the strength of the guess.
   *
   * @return 1 when it is not to be trusted
   */
  public final long trusted() {
    return wary != 0 ? 1 : (long) Math.min(PlanTuning.BRIEF_NANOS / nanos, PlanTuning.FIRST_BLOCK);
  }

  /**
   * A better guess from a measurement. Higher counts at once, lower by and by: who mixes dear and
   * cheap calls is taken for dear.
   *
   * @param known the guess so far
   * @param count elements measured
   * @param elapsedNanos what they took
   * @return the new guess
   */
  public static double refine(double known, long count, long elapsedNanos) {
    double sample = (double) elapsedNanos / count;
    if (elapsedNanos < TOO_SHORT_NANOS || known == Double.POSITIVE_INFINITY) {
      return Math.min(known, sample);
    }
    return Math.max(sample, known / 4);
  }

  /**
   * A piece of a loop has ended.
   *
   * @param guess what it thinks an element costs
   * @param count its elements; 0 teaches nothing
   */
  public final void learn(double guess, long count) {
    if (count == 0) {
      return;
    }
    if (guess > PlanTuning.SURPRISE * nanos && guess * count > PlanTuning.SURPRISE_NANOS) {
      // Once may be the machine's doing, twice is not.
      wary = wary == 0 ? PlanTuning.SUSPICIOUS_LOOPS : PlanTuning.WARY_LOOPS;
    } else if (wary != 0) {
      wary--;
    }
    nanos = (float) guess;
    elements += count;
  }

  /**
   * Elements have passed that nobody measured.
   *
   * @param count how many
   */
  public final void pass(long count) {
    elements += count;
  }

  /** The lambda asks on which worker it runs: from now on it always runs on one. */
  public final void bind() {
    bound = true;
  }

  /**
   * Whether the lambda asks on which worker it runs.
   *
   * @return true once it was seen to
   */
  public final boolean isBound() {
    return bound;
  }

  /**
   * Elements that have passed.
   *
   * @return about how many
   */
  public final long elements() {
    return elements;
  }
}
