package dev.blitz.parallel.internal.plan;

/** The numbers that shape plans, each with its reason. */
public final class PlanTuning {
  /**
   * A loop that should take less than this runs without a look at the clock. Larger: a wrong guess
   * goes unnoticed for longer; smaller: two looks at the clock begin to show.
   */
  static final double BRIEF_NANOS = 2_000;

  /** And with no more elements than this: if each turns out dear, that many run in a row. */
  static final long BRIEF_ELEMENTS = 2048;

  /** Elements of the first block of a longer loop, at most; later ones double. */
  static final long FIRST_BLOCK = 2048;

  /**
   * A guess was this many times too low: lambdas of this class are used for very different work.
   */
  static final int SURPRISE = 64;

  /** And the loop long enough that somebody could have helped. */
  static final double SURPRISE_NANOS = 100_000;

  /** Loops that are watched after a surprise; it may just have been the machine that was busy. */
  static final int SUSPICIOUS_LOOPS = 128;

  /**
   * A loop that surprised is believed if it took this long without its longest block: who has to
   * wait for a processor waits in one block. Larger: a short burst is not noticed as one; smaller:
   * caches that others have filled meanwhile look like one.
   */
  static final long SPREAD_NANOS = 25_000;

  /** And so many times what was guessed for all of it. */
  static final int SPREAD = 16;

  /**
   * Measured loops whose surprises do not count after a class of lambdas got code of its own: until
   * the JVM has compiled that. Larger: a burst just then is taken for it; smaller: it is taken for
   * a burst.
   */
  static final int UNRUN_LOOPS = 256;

  /**
   * Loops that are watched after a surprise that is believed, or after two dear ones in a row.
   * Larger: a class of lambdas that is cheap for long and then dear again is still watched when it
   * gets dear; smaller: one that has stayed cheap loses some hundred nanoseconds in fewer loops.
   */
  static final int WARY_LOOPS = 1 << 16;

  /**
   * Elements that must have passed before a class of lambdas gets a loop of its own. Defining it
   * and running it until it is compiled takes some milliseconds, which a loop that is compiled
   * badly loses within about this many elements.
   */
  static final long ELEMENTS_PER_PLAN = 1 << 20;

  /** Loops of their own that exist at a time: some kilobytes each, code included. */
  static final int MAX_PLANS = 1000;

  /**
   * Beginnings of pipelines that are told apart at a time, about a kilobyte each. Larger: a program
   * that makes ever new ones fills the memory with them; smaller: one that has many has no plans
   * for some.
   */
  public static final int MAX_SHAPES = 1 << 14;

  private PlanTuning() {}
}
