package dev.blitz.testkit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches one invocation on one thread.
 *
 * <pre>
 * FROM     TO        trigger                     effect
 * ARMED    DISARMED  invocation ends in time     none
 * ARMED    EXPIRED   limit passes                stack kept, all threads printed, thread interrupted
 * EXPIRED  DISARMED  invocation ends after all   interrupt status cleared, failure
 * EXPIRED  -         it does not, for a while    JVM halted
 * </pre>
 */
final class Alarm {

  private enum State {
    ARMED,
    EXPIRED,
    DISARMED
  }

  private static final ScheduledThreadPoolExecutor CLOCK = clock();

  private final Thread thread;
  private final String what;
  private final Duration limit;
  private final Future<?> expiry;

  // Guarded by this, as is interrupting: no interrupt may come after disarming.
  private State state = State.ARMED;
  private StackTraceElement @Nullable [] stackAtExpiry;
  private @Nullable Future<?> halt;

  private Alarm(Thread thread, String what, Duration limit) {
    this.thread = thread;
    this.what = what;
    this.limit = limit;
    this.expiry = CLOCK.schedule(this::expire, limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Starts to watch the calling thread. */
  static Alarm arm(String what, Duration limit) {
    return new Alarm(Thread.currentThread(), what, limit);
  }

  /**
   * Ends the watch.
   *
   * @return the failure, if the limit had passed
   */
  synchronized Optional<HangError> disarm() {
    boolean expired = state == State.EXPIRED;
    state = State.DISARMED;
    expiry.cancel(false);
    if (halt != null) {
      halt.cancel(false);
    }
    if (!expired) {
      return Optional.empty();
    }
    Thread.interrupted(); // ours, and of no concern to what runs next
    return Optional.of(new HangError(what + " exceeded " + describe(limit), stackAtExpiry));
  }

  private void expire() {
    synchronized (this) {
      if (state != State.ARMED) {
        return;
      }
      state = State.EXPIRED;
      stackAtExpiry = thread.getStackTrace();
    }
    // Before the interrupt, which would destroy the evidence.
    printDump(what + " exceeded " + describe(limit) + "; its thread is " + thread);
    synchronized (this) {
      if (state == State.EXPIRED) {
        thread.interrupt();
        halt = CLOCK.schedule(this::halt, Timeouts.MEDIUM.toNanos(), TimeUnit.NANOSECONDS);
      }
    }
  }

  private void halt() {
    synchronized (this) {
      if (state != State.EXPIRED) {
        return;
      }
    }
    printDump(
        what + " ignored its interrupt for " + describe(Timeouts.MEDIUM) + ": halting the JVM");
    Runtime.getRuntime().halt(Watchdog.HALT_STATUS);
  }

  /* On a thread of its own: the hanging test may hold the very lock that printing needs. */
  private static void printDump(String headline) {
    Thread printer =
        Thread.ofPlatform()
            .daemon()
            .name(Watchdog.THREAD_NAME)
            .start(() -> {
              System.err.println("[watchdog] " + headline);
              System.err.println(ThreadDump.take());
              System.err.println("[watchdog] " + headline);
              System.err.flush();
            });
    try {
      printer.join(Timeouts.MEDIUM);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String describe(Duration duration) {
    return duration.toMillis() + " ms";
  }

  private static ScheduledThreadPoolExecutor clock() {
    var clock =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name(Watchdog.THREAD_NAME).factory());
    clock.setRemoveOnCancelPolicy(true);
    return clock;
  }

  /** Says that the limit passed; its cause shows where the thread was at that moment. */
  static final class HangError extends AssertionError {
    private static final long serialVersionUID = 1L;

    HangError(String message, StackTraceElement @Nullable [] stack) {
      super(message);
      if (stack != null) {
        var place =
            new RuntimeException("the test's thread was here", null, false, true) {
              private static final long serialVersionUID = 1L;
            };
        place.setStackTrace(stack);
        initCause(place);
      }
    }
  }
}
