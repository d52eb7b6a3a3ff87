package dev.blitz.io.future;

import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.timer.DeadlineAccess;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.timer.TickClock;
import java.time.Duration;
import java.util.Objects;

/**
 * A moment on the clock of a runtime, for several steps that share one limit.
 *
 * {@snippet :
 * Deadline deadline = Deadline.after(Duration.ofSeconds(2));
 * Future<Page> page = connect().timeoutAt(deadline).andThen(c -> load(c).timeoutAt(deadline));
 * }
 */
public final class Deadline implements Comparable<Deadline> {
  static {
    DeadlineAccess.give((deadline, timers) -> ((Deadline) deadline).nanosOn(timers));
  }

  private final RuntimeTimers timers;
  private final long nanos;

  private Deadline(RuntimeTimers timers, long nanos) {
    this.timers = timers;
    this.nanos = nanos;
  }

  /**
   * The moment {@code duration} from now, by the clock of the current runtime.
   *
   * @throws IllegalStateException outside any runtime
   */
  public static Deadline after(Duration duration) {
    Objects.requireNonNull(duration, "duration");
    RuntimeTimers timers = Current.required("a timer").timers();
    return new Deadline(timers, timers.deadlineAfter(duration));
  }

  /** Whether it has passed. */
  public boolean hasPassed() {
    return nanos != TickClock.NEVER && timers.clock().nowNanos() >= nanos;
  }

  /** The time that is left; zero when it has passed. */
  public Duration remaining() {
    if (nanos == TickClock.NEVER) {
      return Duration.ofNanos(Long.MAX_VALUE);
    }
    return Duration.ofNanos(Math.max(0, nanos - timers.clock().nowNanos()));
  }

  /** A moment so much later; never later than the end of time. */
  public Deadline plus(Duration duration) {
    Duration sum = Duration.ofNanos(nanos).plus(duration);
    boolean fits = sum.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0;
    return new Deadline(timers, fits ? sum.toNanos() : TickClock.NEVER);
  }

  @Override
  public int compareTo(Deadline other) {
    return Long.compare(nanos, other.nanosOn(timers));
  }

  private long nanosOn(RuntimeTimers clock) {
    if (timers != clock) {
      throw new IllegalArgumentException(
          "this deadline was made in another runtime, whose clock may be a different one");
    }
    return nanos;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Deadline d && d.timers == timers && d.nanos == nanos;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(nanos);
  }

  @Override
  public String toString() {
    return hasPassed() ? "a deadline that has passed" : "a deadline in " + remaining();
  }
}
