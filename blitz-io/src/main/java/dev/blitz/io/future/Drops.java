package dev.blitz.io.future;

import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.current.Uncaught;
import org.jspecify.annotations.Nullable;

/** Drops that must all happen, whatever one of them throws. */
final class Drops {
  private Drops() {}

  /** Drops a future; what it throws reaches the uncaught handler. */
  static void one(Future<?> future) {
    try {
      future.drop();
    } catch (Throwable t) {
      Uncaught.report("drop() of " + future.getClass().getName(), t);
    }
  }

  /** Drops every future that is still there. */
  static void all(@Nullable Future<?>[] futures) {
    for (int i = 0; i < futures.length; i++) {
      Future<?> f = futures[i];
      if (f != null) {
        futures[i] = null;
        one(f);
      }
    }
  }

  /** Drops a future, then runs its clean-up. */
  static void both(Future<?> future, Future.Cleanup cleanup) {
    one(future);
    try {
      cleanup.run();
    } catch (Throwable t) {
      Uncaught.report("whenDone of " + Telling.of(future), t);
    }
  }
}
