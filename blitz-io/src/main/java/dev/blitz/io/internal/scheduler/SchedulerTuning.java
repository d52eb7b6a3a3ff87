package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.task.PollContext;

/** The numbers of the scheduler: what each bounds, and what a larger or smaller one would do. */
final class SchedulerTuning {
  private SchedulerTuning() {}

  /** The bitmap of parked workers has this many bits. */
  static final int MAX_WORKERS = 64;

  /**
   * Slots of a worker's ring. Larger: fewer overflows, which the workers contend for; more to keep
   * in cache and to steal at once.
   */
  static final int RING_CAPACITY = 1024;

  /** LIFO polls in a row. Larger: two tasks that wake each other keep the others waiting longer. */
  static final int MAX_LIFO_STREAK = 3;

  /**
   * Polls between two looks at timers and I/O. Larger: cheaper, but events wait longer under load.
   * It is also the fewest tasks that make a crowd: if so many wait, a round ends as soon as some of
   * its polls have left something to be sent.
   */
  static final int POLLS_PER_ROUND = 128;

  /**
   * Polls between two looks, within a round, at the clock and at what is to be sent. Larger:
   * cheaper; but when polls turn long, timers, I/O and tasks from outside wait for so many of them,
   * and what was sent first leaves the cache before the kernel takes it.
   */
  static final int POLLS_PER_CLOCK = 16;

  /** Operations that one poll may do before it must let others run. */
  static final int OPERATIONS_PER_POLL = PollContext.OPERATIONS_PER_POLL;

  /**
   * Fewest tasks fetched from the inject queue at once: below this the lock costs more than it
   * brings.
   */
  static final int MIN_INJECT_BATCH = 4;

  /** Most tasks fetched at once: above this one worker would hoard what others could run. */
  static final int MAX_INJECT_BATCH = 64;

  /**
   * Tasks in one segment of the inject queue. Larger: an idle runtime keeps more memory; smaller: a
   * burst from outside allocates more often.
   */
  static final int INJECT_SEGMENT = 256;

  /**
   * Looks at the inject queue's lock before a worker gives up its processor: its holder needs
   * nanoseconds, unless it has lost its own.
   */
  static final int INJECT_LOOKS = 100;

  /** How long a task may wait in the inject queue while workers find work elsewhere. */
  static final long TARGET_INJECT_LATENCY_NANOS = 1_000_000;

  /** Bounds of the polls between two looks at the inject queue. */
  static final int MIN_INJECT_INTERVAL = 8;

  /** See {@link #MIN_INJECT_INTERVAL}. */
  static final int MAX_INJECT_INTERVAL = 255;

  /** What a poll is taken to cost before any was measured: gives an interval of 20. */
  static final long INITIAL_POLL_NANOS = 50_000;

  /** Weight of the newest measurement: the memory is about ten rounds long. */
  static final double EWMA_ALPHA = 0.1;

  /**
   * Tasks among which a seeded worker draws the next one. Larger: more orders in few polls, but
   * each draw moves more tasks.
   */
  static final int DRAWN_CANDIDATES = 8;

  /** Rounds over all victims before a searcher gives up; the last one may take a LIFO slot. */
  static final int STEAL_ROUNDS = 2;

  /**
   * How long a worker spins before it parks, where spinning pays. About what waking a parked thread
   * costs: longer wastes more than a wake-up, shorter misses answers that are on their way.
   */
  static final long SPIN_NANOS = 50_000;

  /** A spinning worker reads the clock once in this many looks. */
  static final int SPIN_LOOKS_PER_CLOCK = 16;

  /** Spins that found nothing before the automatic mode stops spinning. */
  static final int SPIN_PATIENCE = 4;

  /** After that, one park in this many tries a spin again. */
  static final int SPIN_RETRY = 32;

  /** Flows of requests that are worth a spin at a time: more would seldom leave a worker idle. */
  static final int SPIN_FLOWS = 2;

  /**
   * How often the overseer looks at busy workers. It bounds how long a stuck poll delays timers,
   * I/O and the tasks queued behind it.
   */
  static final long OVERSEER_LOOK_NANOS = 2_000_000;

  /**
   * How many intervals between looks one look may add to the time that a poll was seen to take. A
   * look that is later than this says more about the machine than about the worker. Smaller: long
   * polls are reported later on a busy machine; larger: a shorter threshold is needed to tell a
   * pause from a long poll.
   */
  static final int OVERSEER_STEP_LOOKS = 5;

  /**
   * The same where there is one worker: only the log of stalled polls is left to do. Each look
   * costs some ten microseconds, which at the interval above is a hundredth of a busy worker's
   * time.
   */
  static final long OVERSEER_LONE_LOOK_NANOS = 20_000_000;

  /**
   * How long workers that have no thread stay without after one was refused, if others have theirs:
   * the JDK waits some milliseconds before it gives up, and whoever wakes a worker waits for that.
   * Shorter: those are held up more often; longer: fewer workers after a shortage that has passed.
   */
  static final long WORKER_RETRY_NANOS = 100_000_000;

  /**
   * How long a worker that wakes does not ask for the overseer's thread after it was refused: the
   * JDK waits some milliseconds before it gives up. Shorter: workers are held up more often while
   * there are no threads; longer: long polls go unnoticed for longer after that.
   */
  static final long OVERSEER_RETRY_NANOS = 1_000_000_000;

  /**
   * Failures that nobody joined, told at one look. More than a round has polls, so that they cannot
   * be made faster than they are told; larger: timers may wait longer for a slow handler.
   */
  static final int FAILURES_PER_LOOK = 2 * POLLS_PER_ROUND;

  /**
   * How often the overseer of a sleeping runtime wakes a worker to look for such failures, while
   * there are any. Shorter: told sooner after the collection that finds the handle gone; each look
   * wakes a worker.
   */
  static final long UNJOINED_LOOK_NANOS = 500_000_000;

  /** Looks at a runtime that is all asleep before the overseer sleeps too. */
  static final int OVERSEER_PATIENCE = 8;

  /**
   * How long a thread without a worker waits for one. Longer: fewer threads are started by code
   * that blocks now and then; shorter: fewer idle threads after a burst.
   */
  static final long SPARE_KEEP_ALIVE_NANOS = 5_000_000_000L;
}
