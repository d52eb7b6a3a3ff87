package dev.blitz.io.task;

import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.current.Home;
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
        if (course == null) {
          course = backoff.begin(here().nextSeed());
        }
        Optional<Duration> pause = course.next(here().timers().clock().nowNanos());
        if (pause.isEmpty()) {
          throw e;
        }
        onFailure.accept(e);
        Task.sleep(pause.get()).await();
      }
    }
  }

  private static Home here() {
    return Current.required("a retry");
  }
}
