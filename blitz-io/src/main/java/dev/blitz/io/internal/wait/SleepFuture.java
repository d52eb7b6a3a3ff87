package dev.blitz.io.internal.wait;

import static java.util.Objects.requireNonNull;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Deadline;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** {@code Task.sleep} and {@code Task.sleepUntil}. */
public final class SleepFuture extends TimerFuture implements UncheckedFuture<Done> {

  /** For a time from the first poll. */
  public SleepFuture(Duration duration) {
    super(requireNonNull(duration, "duration"));
  }

  /** Until a moment. */
  public SleepFuture(Deadline deadline) {
    super(requireNonNull(deadline, "deadline"));
  }

  @Override
  public @Nullable Done poll(Context cx) {
    if (isArmed() ? !pollTimer(cx) : !armUnlessOver(when(), cx)) {
      return null;
    }
    end();
    return Done.DONE;
  }

  @Override
  public void drop() {
    discard();
  }

  private Object when() {
    return requireNonNull(note());
  }

  @Override
  public String toString() {
    if (isArmed()) {
      return "a timer that is due " + describeTimeLeft();
    }
    return switch (when()) {
      case Duration d -> "a sleep of " + d;
      case Deadline d -> "a sleep until " + d;
      default -> "a sleep";
    };
  }
}
