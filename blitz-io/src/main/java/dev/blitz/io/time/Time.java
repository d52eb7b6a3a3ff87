package dev.blitz.io.time;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.wait.TimeoutFuture;
import java.time.Duration;
import java.util.Objects;

/**
 * Waiting for time to pass.
 *
 * {@snippet :
 * Future<String> answer = Time.timeout(Duration.ofSeconds(2), ask());
 * Future<Done> pause = Time.sleep(Duration.ofMillis(50));
 * }
 */
@CheckReturnValue
public final class Time {
  private Time() {}

  /**
   * Ends when {@code duration} has passed since its first poll; at once if that is zero or less.
   */
  public static UncheckedFuture<Done> sleep(Duration duration) {
    return new SleepFuture(Objects.requireNonNull(duration, "duration"));
  }

  /** Ends at {@code deadline}; at once if that has passed. */
  public static UncheckedFuture<Done> sleepUntil(Deadline deadline) {
    return new SleepFuture(Objects.requireNonNull(deadline, "deadline"));
  }

  /**
   * Runs {@code future} for at most {@code limit} from the first poll. When that passes, the future
   * is dropped and {@link dev.blitz.io.future.TimedOutException} thrown; a result that is there at
   * the same time wins. {@link Future#timeout} does the same and keeps the type of an unchecked or
   * I/O future.
   */
  public static <T> Future<T> timeout(Duration limit, Future<T> future) {
    return new TimeoutFuture<>(limit, future);
  }

  /** As {@link #timeout}, until a moment. */
  public static <T> Future<T> timeoutAt(Deadline deadline, Future<T> future) {
    return new DeadlineFuture<>(Objects.requireNonNull(deadline, "deadline"), future);
  }
}
