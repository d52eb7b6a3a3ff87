package dev.blitz.benchmarks.timers;

import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.timer.TimerEntry;
import dev.blitz.io.policy.TimeSource;
import java.util.concurrent.locks.LockSupport;

/** A runtime's timers with a thread of their own in place of its workers, as the peers have. */
final class BlitzTimer implements AutoCloseable {
  private final TimeSource source = TimeSource.system();
  private final Thread thread = new Thread(this::turn, "bench-wheel");
  private final RuntimeTimers timers =
      new RuntimeTimers(source, 1, () -> LockSupport.unpark(thread));
  private volatile boolean closed;

  BlitzTimer() {
    thread.setDaemon(true);
    thread.start();
  }

  void schedule(TimerEntry entry, long delayNanos) {
    timers.scheduleAfter(entry, RuntimeTimers.NO_WORKER, delayNanos);
  }

  boolean cancel(TimerEntry entry) {
    return timers.cancel(entry);
  }

  private void turn() {
    while (!closed) {
      long next = timers.nextDeadlineNanos();
      if (next == Long.MAX_VALUE) {
        LockSupport.park(this);
        continue;
      }
      long now = source.nanoTime();
      if (next - now > 0) {
        LockSupport.parkNanos(this, next - now);
      } else {
        timers.fireDue(now);
      }
    }
  }

  /** The thread ends soon after. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
