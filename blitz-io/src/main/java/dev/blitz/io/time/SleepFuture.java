package dev.blitz.io.time;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** {@link Time#sleep} and {@link Time#sleepUntil}. */
final class SleepFuture extends TimerFuture implements UncheckedFuture<Done> {
  /** A Duration or a Deadline; null once the timer is armed. */
  private @Nullable Object when;

  SleepFuture(Object when) {
    this.when = when;
  }

  @Override
  public @Nullable Done poll(Context cx) {
    Object w = when;
    if (w != null) {
      when = null;
      return armUnlessOver(w, cx) ? Done.DONE : null;
    }
    return pollTimer(cx) ? Done.DONE : null;
  }

  @Override
  public void drop() {
    disarm();
  }

  @Override
  public String toString() {
    Object w = when;
    if (w instanceof Duration d) {
      return "a sleep of " + d;
    }
    return w == null ? "a timer " + describeDeadline() : "a sleep until " + w;
  }
}
