package dev.blitz.io.time;

import dev.blitz.io.internal.clock.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until a test moves it, or that skips idle time by itself. */
public final class ManualTimeSource implements ManualClock {
  private final AtomicLong nanos;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final boolean skipping;

  /** Overflows soon. */
  public ManualTimeSource(boolean skipping) {
    this(skipping, Long.MAX_VALUE - 5_000_000_000L);
  }

  public ManualTimeSource(boolean skipping, long nanos) {
    this.skipping = skipping;
    this.nanos = new AtomicLong(nanos);
  }

  public void advance(Duration d) {
    nanos.addAndGet(d.toNanos());
    listeners.forEach(Runnable::run);
  }

  @Override
  public long nanoTime() {
    return nanos.get();
  }

  @Override
  public boolean skipTo(long deadlineNanos) {
    if (skipping && deadlineNanos != Long.MAX_VALUE) { // else there is nothing to skip to
      nanos.updateAndGet(now -> deadlineNanos - now > 0 ? deadlineNanos : now);
    }
    return deadlineNanos - nanos.get() <= 0;
  }

  @Override
  public void addListener(Runnable listener) {
    listeners.add(listener);
  }

  @Override
  public void removeListener(Runnable listener) {
    listeners.remove(listener);
  }

  int listeners() {
    return listeners.size();
  }
}
