package dev.blitz.test;

import dev.blitz.io.internal.clock.ManualClock;
import dev.blitz.io.policy.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A clock that stands still until it is told to move. Made for one runtime.
 *
 * {@snippet :
 * PausedClock clock = new PausedClock();
 * try (BlitzRuntime runtime = BlitzRuntime.builder().clock(clock.timeSource()).build()) {
 *   JoinHandle<Done> nap = runtime.spawn(Task.sleep(Duration.ofHours(1)));
 *   clock.advance(Duration.ofHours(1));
 *   nap.await();
 * }
 * }
 */
/* Implementation notes
 *
 * An advance does not set the time at once: it sets a goal. The runtime asks skipTo whenever it is idle, and
 * is taken from one deadline to the next until none is left before the goal; so each task sees the time at
 * which its own timer was due, and whatever it arms on the way fires too. Everything is guarded by `lock`.
 */
public final class PausedClock {
  private final TimeSource source = new Source();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition reached = lock.newCondition();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile long nowNanos;
  private long goalNanos;
  private boolean advancing;
  private volatile boolean automatic;

  /** A clock at zero. */
  public PausedClock() {}

  /** What the runtime reads: for {@code builder.clock(...)}. */
  public TimeSource timeSource() {
    return source;
  }

  /** Whether the clock jumps to the next timer by itself whenever every task is idle. */
  public void autoAdvance(boolean on) {
    automatic = on;
    tellListeners();
  }

  /** The time that has passed since the clock was made. */
  public Duration elapsed() {
    return Duration.ofNanos(nowNanos);
  }

  /**
   * Lets time pass: runs the runtime until it is idle, moves to the next timer, and so on until
   * {@code duration} has passed and the runtime is idle again. Without a runtime the clock just
   * moves.
   *
   * @throws IllegalArgumentException if the duration is negative
   * @throws IllegalStateException if another thread is advancing this clock, or this one is
   *     interrupted
   */
  public void advance(Duration duration) {
    Objects.requireNonNull(duration, "duration");
    if (duration.isNegative()) {
      throw new IllegalArgumentException("time does not go back: " + duration);
    }
    lock.lock();
    try {
      if (advancing) {
        throw new IllegalStateException("another thread is advancing this clock");
      }
      goalNanos = Math.addExact(nowNanos, duration.toNanos());
      if (listeners.isEmpty()) {
        nowNanos = goalNanos;
        return;
      }
      advancing = true;
      tellListeners();
      while (advancing) {
        reached.await();
      }
    } catch (InterruptedException e) {
      advancing = false;
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the clock was advancing", e);
    } finally {
      lock.unlock();
    }
  }

  private void tellListeners() {
    listeners.forEach(Runnable::run);
  }

  @Override
  public String toString() {
    return "PausedClock at " + elapsed();
  }

  /** The runtime's side of the clock. */
  private final class Source implements ManualClock {
    @Override
    public long nanoTime() {
      return nowNanos;
    }

    @Override
    public boolean skipTo(long deadlineNanos) {
      lock.lock();
      try {
        if (automatic && deadlineNanos != Long.MAX_VALUE) {
          nowNanos = Math.max(nowNanos, deadlineNanos);
        } else if (advancing) {
          if (deadlineNanos <= goalNanos) {
            nowNanos = Math.max(nowNanos, deadlineNanos);
          } else {
            nowNanos = Math.max(nowNanos, goalNanos);
            advancing = false;
            reached.signalAll();
          }
        }
        return deadlineNanos <= nowNanos;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void addListener(Runnable listener) {
      listeners.add(listener);
    }

    @Override
    public void removeListener(Runnable listener) {
      listeners.remove(listener);
      lock.lock();
      try {
        advancing = false; // nobody is left to ask for the next step
        reached.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public String toString() {
      return PausedClock.this.toString();
    }
  }
}
