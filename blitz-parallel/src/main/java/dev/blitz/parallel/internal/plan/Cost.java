package dev.blitz.parallel.internal.plan;

/**
 * What an element has cost in loops over lambdas of one class.
 *
 * <p>A guess, kept without synchronisation: every loop that looks at the clock leaves its own.
 */
/*
 * Implementation notes
 *
 * Orderings: all fields are plain, written by whoever ends a piece of a loop and read by whoever starts one; never
 * per brief loop, whose callers would fight for the cache line. Each is one word (a long may tear on a 32-bit JVM: it
 * only counts towards a threshold), a stale one is an older guess, and a lost update is made up for by the next loop.
 * bound goes from false to true only. The countdowns are plain too: threads that share one disturb each other's.
 */
public class Cost {
  private static final int SAMPLED_BITS = 8;

  /** Of brief loops about one in so many is measured. */
  private static final int SAMPLED = 1 << SAMPLED_BITS;

  /** Loops of few elements, each of which may well be a large job, count as so many. */
  private static final int FEW_STEP = 16;

  private static final int FEW = 32;

  /** A time below this is mostly that of the clock itself: it can say "less", never "more". */
  private static final long TOO_SHORT_NANOS = 500;

  /**
   * Per thread: how many loops are not measured from here on, and a random state; 128 bytes apart.
   */
  private static final int STRIPES = 64;

  private static final int STRIDE = 32;
  private static final int[] COUNTDOWNS = new int[STRIPES * STRIDE];

  private float nanos = Float.POSITIVE_INFINITY;

  /** Loops up to this count are brief, by what the other fields say. */
  private int briefCount;

  private boolean bound;
  private long elements;

  /**
   * So many loops are measured without exception, after one that was dearer than guessed by far.
   */
  private int wary;

  /** What the measurement before said, if it was so much more than guessed that it is doubted. */
  private float doubted = Float.POSITIVE_INFINITY;

  /** Of loops that run code which nobody has run before, so many are not wondered at. */
  private int unrun;

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
   * @return true: just run it, unless it {@link #isSampled}
   */
  public final boolean isBrief(long count) {
    return count <= briefCount;
  }

  private void decideBrief() {
    briefCount =
        bound || wary > 0
            ? 0
            : (int) Math.min(PlanTuning.BRIEF_NANOS / nanos, PlanTuning.BRIEF_ELEMENTS);
  }

  /**
   * Whether a brief loop that begins is to be measured: now and then one is, so that a change of
   * cost is noticed. The others need no clock.
   *
   * @param count its elements
   * @return true: look at the clock before it, and call {@link #endSample} after it
   */
  public static boolean isSampled(long count) {
    int slot = ((int) Thread.currentThread().threadId() & STRIPES - 1) * STRIDE;
    int left = COUNTDOWNS[slot] - (count <= FEW ? FEW_STEP : 1);
    COUNTDOWNS[slot] = left < 0 ? nextDistance(slot + 1) : left;
    return left < 0;
  }

  /**
   * How many brief loops one that is measured stands for.
   *
   * @param count their elements
   * @return on average
   */
  public static int loopsPerSample(long count) {
    return count <= FEW ? SAMPLED / FEW_STEP : SAMPLED;
  }

  /** At random distances: loops that take turns on a thread are all measured at some time. */
  private static int nextDistance(int slot) {
    int random = COUNTDOWNS[slot] * 1664525 + 1013904223;
    COUNTDOWNS[slot] = random;
    return SAMPLED / 2 + (random >>> (Integer.SIZE - SAMPLED_BITS));
  }

  /**
   * A brief loop that was measured has ended.
   *
   * @param count its elements
   * @param start when it began
   */
  public final void endSample(long count, long start) {
    learn(refine(nanos, count, System.nanoTime() - start), count, 0);
  }

  /**
   * How many elements may be run on the strength of the guess.
   *
   * @return 1 when it is not to be trusted
   */
  public final long trusted() {
    return wary > 0 ? 1 : (long) Math.min(PlanTuning.BRIEF_NANOS / nanos, PlanTuning.FIRST_BLOCK);
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
    if (known == Double.POSITIVE_INFINITY) {
      return sample;
    }
    double risen = elapsedNanos < TOO_SHORT_NANOS ? Math.min(known, sample) : sample;
    return Math.max(risen, known / 4);
  }

  /**
   * A piece of a loop has ended, or one that was run as a whole.
   *
   * @param guess what it thinks an element costs
   * @param count its elements; 0 teaches nothing
   * @param restNanos what it took without its longest block
   */
  public final void learn(double guess, long count, long restNanos) {
    if (count == 0) {
      return;
    }
    elements += count;
    // Read once: another may count it down to 0 between a look and a step, and from below 0 there
    // is no way back.
    int left = wary;
    if (unrun > 0) {
      unrun--;
    } else if (isSurprise(guess, count)) {
      // One long block may be the machine's doing: a thread that is kept waiting for a processor.
      // Two in a row are a burst.
      if (!isSpread(count, restNanos) && guess < doubted / 3) {
        doubted = (float) guess;
        wary = Math.max(left, PlanTuning.SUSPICIOUS_LOOPS);
        briefCount = 0;
        return;
      }
      wary = PlanTuning.WARY_LOOPS;
    } else if (left > 0) {
      wary = left - 1;
    }
    doubted = Float.POSITIVE_INFINITY;
    nanos = (float) guess;
    decideBrief();
  }

  /** From here on loops run other code, which the JVM interprets at first. */
  protected final void codeChanged() {
    unrun = PlanTuning.UNRUN_LOOPS;
  }

  private boolean isSurprise(double guess, long count) {
    return guess > PlanTuning.SURPRISE * nanos && guess * count > PlanTuning.SURPRISE_NANOS;
  }

  /** Whether more than one block was dear. */
  private boolean isSpread(long count, long restNanos) {
    return restNanos > PlanTuning.SPREAD_NANOS && restNanos > PlanTuning.SPREAD * nanos * count;
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
    briefCount = 0;
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
