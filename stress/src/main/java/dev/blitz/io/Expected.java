package dev.blitz.io;

import dev.blitz.io.policy.UncaughtHandler;
import java.util.concurrent.atomic.AtomicInteger;

/** A failure that a test made on purpose: whether it was thrown, and how often it was reported. */
final class Expected extends Exception {
  private static final long serialVersionUID = 1L;

  private volatile boolean thrown;
  private final AtomicInteger reports = new AtomicInteger();

  Expected() {
    super("on purpose", null, false, false);
  }

  /** For the body of a task: {@code throw failure.now()}. */
  Expected now() {
    thrown = true;
    return this;
  }

  /** An uncaught handler that counts these and remembers anything else. */
  static final class Handler implements UncaughtHandler {
    private final AtomicInteger others = new AtomicInteger();
    private volatile String example = "";

    @Override
    public void uncaught(String what, Throwable failure) {
      if (failure instanceof Expected e) {
        e.reports.incrementAndGet();
      } else {
        others.incrementAndGet();
        example = what + ": " + failure;
      }
    }

    void checkNothingElse() {
      if (others.get() > 0) {
        throw new AssertionError(others + " unexpected failures, the last: " + example);
      }
    }
  }

  /** After the runtime's end, if the task may also have been cancelled, which ends it without. */
  void checkReportedOnceAtMost() {
    if (reports.get() > (thrown ? 1 : 0)) {
      throw new AssertionError("a failure was reported " + reports + " times");
    }
  }

  /** After the runtime's end, if nobody joined the task: the handler was told once. */
  void checkReportedOnce() {
    if (thrown && reports.get() != 1) {
      throw new AssertionError("a failure that nobody joined was reported " + reports + " times");
    }
  }
}
