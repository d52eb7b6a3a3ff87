package dev.blitz.io.time;

import dev.blitz.io.policy.TimeSource;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;

/**
 * The clock that a runtime's timers follow, to be asked for the time: code that reads it sees in a
 * test how the paused clock moves.
 *
 * {@snippet :
 * Instant now = BlitzRuntime.current().clock().now();
 * }
 *
 * <p>Thread safe. On the machine's clock the instant is the machine's too, and jumps when that is
 * set. On any other it starts with the machine's when the runtime is made, and then goes on as the
 * runtime's nanoseconds do.
 */
public final class RuntimeClock implements InstantSource {
  private final TimeSource source;
  private final long startNanos;
  private final Instant start;

  /** Of a runtime that is being made. */
  public RuntimeClock(TimeSource source) {
    this.source = Objects.requireNonNull(source, "source");
    this.startNanos = source.nanoTime();
    this.start = InstantSource.system().instant();
  }

  /** The instant. */
  public Instant now() {
    return source == TimeSource.system()
        ? InstantSource.system().instant()
        : start.plusNanos(nanoTime() - startNanos);
  }

  /** As {@link #now()}, for code that takes any source of instants. */
  @Override
  public Instant instant() {
    return now();
  }

  /** Nanoseconds since some moment, for durations; never goes back. */
  public long nanoTime() {
    return source.nanoTime();
  }

  @Override
  public String toString() {
    return "RuntimeClock[" + now() + "]";
  }
}
