package dev.blitz.io.task;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.current.CallLimit;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.current.Inside;
import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.policy.Backoff;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

/** Calls a body again after failures, as a {@link Backoff} says. */
final class Retries {
  private Retries() {}

  /** {@code onFailure} is told of each failure that is followed by another call. */
  static <T> T call(
      Backoff backoff, ThrowingSupplier<? extends T> body, Consumer<Exception> onFailure)
      throws Exception {
    Backoff.Course course = null;
    for (; ; ) {
      try {
        return body.get();
      } catch (CancellationException | InterruptedException e) {
        throw e;
      } catch (Exception e) {
        throwIfToldToEnd(e);
        if (course == null) {
          course = backoff.begin(here().nextSeed());
        }
        Optional<Duration> pause = course.next(here().timers().clock().nowNanos());
        if (pause.isEmpty()) {
          throw e;
        }
        onFailure.accept(e);
        Task.sleep(pause.get()).await();
        throwIfToldToEnd(e);
      }
    }
  }

  /** Also if the code has swallowed the interrupt of that. */
  private static void throwIfToldToEnd(Exception failure) {
    JoinCell<?> task = Caller.task();
    if (task != null && task.isCancelledHere()) {
      throw noFurtherCall(task.name() + " was cancelled", failure);
    }
    if (isLimitPassed()) {
      throw noFurtherCall("the limit of a block has passed", failure);
    }
  }

  private static CancelledException noFurtherCall(String why, Exception failure) {
    Thread.currentThread().interrupt();
    var end = new CancelledException(why + "; there is no further call");
    end.initCause(failure);
    return end;
  }

  private static boolean isLimitPassed() {
    Inside here = Current.here();
    CallLimit limit = here == null ? null : here.limit();
    return limit != null && limit.isPassed();
  }

  private static Home here() {
    return Current.required("a retry");
  }
}
