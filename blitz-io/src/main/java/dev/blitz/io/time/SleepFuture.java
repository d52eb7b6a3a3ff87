package dev.blitz.io.time;

import static java.util.Objects.requireNonNull;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
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
    boolean over = isArmed() ? pollTimer(cx) : armUnlessOver(when(), cx);
    return over ? Done.DONE : null;
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
