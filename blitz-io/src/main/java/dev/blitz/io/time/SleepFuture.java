package dev.blitz.io.time;

import static java.util.Objects.requireNonNull;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.wait.TimerFuture;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** {@link Time#sleep} and {@link Time#sleepUntil}. */
final class SleepFuture extends TimerFuture implements UncheckedFuture<Done> {

  /** {@code when}: a Duration or a Deadline. */
  SleepFuture(Object when) {
    super(when);
  }

  @Override
  public @Nullable Done poll(Context cx) {
    return (isArmed() ? pollTimer(cx) : arm(cx)) ? Done.DONE : null;
  }

  private boolean arm(Context cx) {
    if (when() instanceof Duration duration) {
      return armUnlessOver(duration, cx);
    }
    RuntimeTimers here = timersOf(cx);
    return armUnlessPassed(here, ((Deadline) when()).on(here), cx);
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
    return (when() instanceof Duration ? "a sleep of " : "a sleep until ") + when();
  }
}
