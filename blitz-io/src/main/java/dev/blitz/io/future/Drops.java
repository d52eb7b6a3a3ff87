package dev.blitz.io.future;

import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.current.Uncaught;
import dev.blitz.io.internal.wait.SafeCalls;
import org.jspecify.annotations.Nullable;

/** Drops that must all happen, whatever one of them throws. */
final class Drops {
  private Drops() {}

  /** Drops every future that is still there. */
  static void all(@Nullable Future<?>[] futures) {
    for (int i = 0; i < futures.length; i++) {
      Future<?> f = futures[i];
      if (f != null) {
        futures[i] = null;
        SafeCalls.drop(f);
      }
    }
  }

  /** Drops a future, then runs its clean-up. */
  static void both(Future<?> future, Future.Cleanup cleanup) {
    SafeCalls.drop(future);
    try {
      cleanup.run();
    } catch (Throwable t) {
      Uncaught.report("whenDone of " + Telling.of(future), t);
    }
  }
}
