package dev.blitz.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Waits for a condition that another thread brings about and that offers nothing to wait on.
 *
 * <p>Prefer a latch or a future where there is one. The condition is looked at again after pauses
 * that grow from 50 us to 5 ms, so a wait ends soon after the condition holds and never sooner. May
 * be called from virtual threads.
 */
public final class Await {

  private static final long FIRST_PAUSE_NANOS = 50_000;
  private static final long LONGEST_PAUSE_NANOS = 5_000_000;

  /** What the others have at least between two collections. */
  private static final long LEAST_FOR_OTHERS_NANOS = 100_000_000;

  private Await() {}

  /** Something that is to become true. */
  @FunctionalInterface
  public interface Condition {
    /**
     * Looks once, without waiting.
     *
     * @return whether it is true now
     * @throws Exception to end the wait as a failure
     */
    boolean holds() throws Exception;
  }

  /**
   * Waits up to {@link Timeouts#MEDIUM}.
   *
   * @param condition what to wait for
   * @param what the condition in words, for the failure's message
   * @throws AssertionError when the condition does not hold in time, throws, or the waiting thread
   *     is interrupted
   */
  public static void until(Condition condition, String what) {
    until(condition, what, Timeouts.MEDIUM);
  }

  /**
   * Waits up to a given bound.
   *
   * @param condition what to wait for
   * @param what the condition in words, for the failure's message
   * @param bound how long at most; taken as it is, so build it with {@link Timeouts}
   * @throws AssertionError when the condition does not hold in time, throws, or the waiting thread
   *     is interrupted
   */
  public static void until(Condition condition, String what, Duration bound) {
    until(condition, () -> what, bound);
  }

  /**
   * Waits until a thread is blocked or waiting, with or without a time-out of its own.
   *
   * @param thread the thread, platform or virtual
   * @throws AssertionError when it keeps running or ends
   */
  public static void untilWaiting(Thread thread) {
    until(
        () ->
            switch (thread.getState()) {
              case BLOCKED, WAITING, TIMED_WAITING -> true;
              case TERMINATED -> throw new IllegalStateException("it ended");
              case NEW, RUNNABLE -> false;
            },
        () -> thread + " to wait, now " + thread.getState(),
        Timeouts.MEDIUM);
  }

  /**
   * Waits for what follows from a collection of garbage, up to {@link Timeouts#MEDIUM}.
   *
   * <p>A collection stops all threads. So each is followed by a time for the others that is as
   * long, and 100 ms at least: collections at every look would leave those who are to bring the
   * condition about next to none of it.
   *
   * @param condition what to wait for
   * @param what the condition in words, for the failure's message
   * @throws AssertionError when the condition does not hold in time, throws, or the waiting thread
   *     is interrupted
   */
  public static void untilCollected(Condition condition, String what) {
    untilCollected(System::gc, condition, what, Timeouts.MEDIUM);
  }

  static void untilCollected(
      Runnable collection, Condition condition, String what, Duration bound) {
    var turns = new CollectionTurns(collection);
    until(
        () -> {
          turns.collectIfDue();
          return condition.holds();
        },
        what,
        bound);
  }

  /** When the next collection is due: one at first, then each after a time for the others. */
  private static final class CollectionTurns {
    private final Runnable collection;
    private long nextNanos = System.nanoTime();

    CollectionTurns(Runnable collection) {
      this.collection = collection;
    }

    void collectIfDue() {
      long begin = System.nanoTime();
      if (begin - nextNanos >= 0) {
        collection.run();
        long end = System.nanoTime();
        nextNanos = end + Math.max(end - begin, LEAST_FOR_OTHERS_NANOS);
      }
    }
  }

  private static void until(Condition condition, Supplier<String> what, Duration bound) {
    long start = System.nanoTime();
    long pauseNanos = FIRST_PAUSE_NANOS;
    while (!holds(condition, what)) {
      if (Thread.currentThread().isInterrupted()) {
        throw new AssertionError("interrupted while waiting for: " + what.get());
      }
      if (System.nanoTime() - start >= bound.toNanos()) {
        throw new AssertionError("waited " + bound.toMillis() + " ms in vain for: " + what.get());
      }
      LockSupport.parkNanos(pauseNanos);
      pauseNanos = Math.min(pauseNanos * 2, LONGEST_PAUSE_NANOS);
    }
  }

  private static boolean holds(Condition condition, Supplier<String> what) {
    try {
      return condition.holds();
    } catch (Exception e) {
      throw new AssertionError("failed while waiting for: " + what.get(), e);
    }
  }
}
