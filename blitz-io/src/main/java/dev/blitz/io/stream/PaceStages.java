package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.TimedOutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The operators that have to do with when an item comes. */
final class PaceStages {
  private PaceStages() {}

  /** {@link Source#throttle}. */
  static final class Throttle<T> extends TimedStage<T, T> {
    private final Duration gap;

    Throttle(Source<T> source, Duration gap) {
      StageTimer.checked(gap);
      super(Stage.of(source));
      this.gap = gap;
    }

    @Override
    @Nullable T pull(Context cx) throws Exception {
      if (timer.isSet()) {
        if (!timer.poll(cx)) {
          return null; // nothing is taken that cannot be passed on
        }
        timer.unset();
      }
      T item = from.pull(cx);
      if (item == null) {
        ended = from.ended;
      } else {
        timer.set(gap, cx);
      }
      return item;
    }
  }

  /** {@link Source#debounce}. */
  static final class Debounce<T> extends TimedStage<T, T> {
    private final Duration quiet;
    private @Nullable T latest;

    Debounce(Source<T> source, Duration quiet) {
      StageTimer.checked(quiet);
      super(Stage.of(source));
      this.quiet = quiet;
    }

    @Override
    @Nullable T pull(Context cx) throws Exception {
      for (int n = 0; n < ROUND && !from.ended; n++) {
        if (latest != null && timer.isDue()) {
          return taken(); // before the next one, which may be there by now
        }
        T item = from.pull(cx);
        if (item != null) {
          latest = item;
          timer.set(quiet, cx);
        } else if (!from.ended) {
          return latest != null && timer.poll(cx) ? taken() : null;
        }
      }
      if (!from.ended) {
        cx.waker().wake();
        return null;
      }
      ended = latest == null;
      return taken();
    }

    private @Nullable T taken() {
      T item = latest;
      latest = null;
      timer.unset();
      return item;
    }

    @Override
    void release() {
      super.release();
      latest = null;
    }
  }

  /** {@link Source#timeout}. */
  static final class Timeout<T> extends TimedStage<T, T> {
    private final Duration limit;

    Timeout(Source<T> source, Duration limit) {
      StageTimer.checked(limit);
      super(Stage.of(source));
      this.limit = limit;
    }

    @Override
    @Nullable T pull(Context cx) throws Exception {
      T item = from.pull(cx);
      if (item != null || from.ended) {
        timer.unset();
        ended = item == null;
        return item;
      }
      if (!timer.isSet()) {
        timer.set(limit, cx);
      }
      if (timer.poll(cx)) {
        throw new TimedOutException(
            "the limit of " + limit + " passed while waiting for an item of " + from);
      }
      return null;
    }

    /** Nobody waits: the limit begins with the next wait. */
    @Override
    void forget() {
      timer.unset();
    }
  }
}
