package dev.blitz.io.time;

import dev.blitz.io.policy.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until a test moves it, or that skips idle time by itself. */
public final class ManualTimeSource implements TimeSource {
  private final AtomicLong nanos =
      new AtomicLong(Long.MAX_VALUE - 5_000_000_000L); // overflows soon
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final boolean skipping;

  public ManualTimeSource(boolean skipping) {
    this.skipping = skipping;
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
  public boolean isManual() {
    return true;
  }

  @Override
  public boolean skipTo(long deadlineNanos) {
    if (skipping) {
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
