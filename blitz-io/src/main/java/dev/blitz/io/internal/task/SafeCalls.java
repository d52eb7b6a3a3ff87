package dev.blitz.io.internal.task;

import dev.blitz.io.future.Future;
import dev.blitz.io.future.Waker;

/** Calls into foreign code whose failure must not keep the caller from going on. */
public final class SafeCalls {
  private SafeCalls() {}

  /** Drops a future; what it throws reaches the uncaught handler. */
  public static void drop(Future<?> future) {
    try {
      future.drop();
    } catch (Throwable t) {
      Uncaught.report("drop() of " + future.getClass().getName(), t);
    }
  }

  /** Wakes; a waker that throws does not keep the others asleep. */
  public static void wake(Waker waker) {
    try {
      waker.wake();
    } catch (Throwable t) {
      Uncaught.report("waker " + waker.getClass().getName(), t);
    }
  }
}
