package dev.blitz.parallel.internal;

/** The numbers that shape the pool, each with its reason. */
final class Tuning {
  /**
   * Rounds of searching and yielding before a worker announces that it will sleep; as the
   * specification.
   */
  static final int YIELD_ROUNDS = 32;

  /**
   * The same after a call from outside that leaves nothing to do. Larger: on a busy machine the
   * caller, woken on the same processor, waits for the end of the search; smaller: the next of
   * calls in a row finds the worker on its way to sleep.
   */
  static final int CALL_ROUNDS = 2;

  /** Spins between two of those searches: about a microsecond, in which a caller calls again. */
  static final int CALL_SPINS = 32;

  /**
   * First size of deques and fork stacks: deep enough for any balanced recursion, 1 KB with
   * compressed references.
   */
  static final int INITIAL_SLOTS = 256;

  /**
   * Spins after the first lost steal race; doubles up to {@link #MAX_STEAL_SPINS}, then the thief
   * yields.
   */
  static final int MIN_STEAL_SPINS = 1;

  static final int MAX_STEAL_SPINS = 32;

  /** The packed counters have room for 65,535; more threads than this only slow each other down. */
  static final int MAX_WORKERS = 1024;

  /**
   * Failures kept below the one that is thrown: enough to see a pattern, few enough that two
   * hundred thousand failing jobs leave no hundred megabytes behind.
   */
  static final int MAX_SUPPRESSED = 64;

  /**
   * A caller from outside looks for its result this long before it parks: about what it takes to
   * wake a sleeping worker and run a short job. To be woken costs the caller as much again.
   */
  static final long CALLER_SPIN_NANOS = 30_000;

  /**
   * After this many jobs a worker looks, in turn, at calls from outside, the oldest of its own jobs
   * and forks, before its youngest job: without it jobs that keep adding jobs keep those waiting
   * for ever. A look costs some nanoseconds; larger means that a call waits for longer behind short
   * jobs.
   */
  static final int FAIR_INTERVAL = 64;

  /**
   * Extra workers that may stand in for blocked ones, so that blocking never starves a pool of its
   * threads.
   */
  static final int MAX_SPARES = 64;

  /**
   * A pool says at most so often that it has no spare: it may run out a thousand times a second.
   */
  static final long SAY_AGAIN_NANOS = 60_000_000_000L;

  /**
   * Stack that must be free before a worker waits or wakes others. A job that was claimed must be
   * completed and a sleeper that was claimed must be woken, with the JVM interpreting or linking
   * code that never ran before. In calls of a method with a large frame: 7 KB compiled by C2, some
   * 40 KB compiled by C1 or interpreted.
   */
  static final int RESERVED_CALLS = 64;

  /**
   * The same for a job that is run only because somebody waits and has no spare: 60 KB at least. A
   * smaller one would let it die of a stack that others have filled; a larger one would let fewer
   * jobs begin that somebody may wait for.
   */
  static final int AMPLE_CALLS = 8 * RESERVED_CALLS;

  /**
   * A block of a parallel loop grows until it takes this long, so demand is noticed within about
   * that time.
   */
  static final long LOOP_BLOCK_NANOS = 10_000;

  /**
   * Ceiling for a block. Larger: one look at the clock pays for more elements; smaller: elements
   * that get dear all of a sudden keep a demand or a cancellation waiting for less.
   */
  static final int MAX_LOOP_BLOCK = 1 << 13;

  /**
   * The same for pipelines, whose elements may take a fraction of a nanosecond: what a block costs
   * beside them should not show. They look between strips whether they were stopped.
   */
  static final int MAX_PIPELINE_BLOCK = 1 << 15;

  /**
   * First block of a loop that a token can stop; the next ones double. Larger: a token that is
   * cancelled meanwhile waits for more elements that cost more than ever before; smaller: more
   * looks at the clock before a cheap loop is under way.
   */
  static final int FIRST_WATCHED_BLOCK = 16;

  /** Indices between two looks at whether the loop was stopped; no clock, so it may be short. */
  static final int LOOP_STRIP = 512;

  /**
   * What is left of a loop is cut only if it takes this long: waking a worker costs its waker about
   * a quarter of it, and the worker arrives half way.
   */
  static final long LOOP_CUT_NANOS = 40_000;

  /**
   * A thread outside the pool runs a loop of this length itself. To move it there and to wait costs
   * two wake-ups, which two workers win back only in loops longer than this.
   */
  static final long LOOP_CALL_NANOS = 100_000;

  private Tuning() {}

  /**
   * How many unclaimed forks a worker keeps visible: all that lie on the path to its first coarse
   * leaf when there is one such leaf per worker.
   */
  static int shareTarget(int workers) {
    return workers == 1 ? 0 : 1 + (32 - Integer.numberOfLeadingZeros(workers - 1));
  }

  /**
   * The same on the first way down of a job: one more. Its leaves may be long, and then the forks
   * above the first of them stay hidden for as long; sharing them costs only once.
   */
  static int firstTarget(int target) {
    return target == 0 ? 0 : target + 1;
  }
}
