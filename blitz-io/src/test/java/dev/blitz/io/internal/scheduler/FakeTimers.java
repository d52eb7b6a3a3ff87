package dev.blitz.io.internal.scheduler;

import dev.blitz.io.future.Waker;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Timers with a lock and a heap, enough to see that the scheduler looks after them. */
final class FakeTimers implements TimedEvents {
  private record Timer(long deadlineNanos, Waker waker) {}

  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>((a, b) -> Long.signum(a.deadlineNanos - b.deadlineNanos));
  private volatile long next = Long.MAX_VALUE;
  private volatile @Nullable Scheduler scheduler;
  private volatile int fired;

  void serve(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Wakes {@code waker} at that time; from any thread. */
  void add(long deadlineNanos, Waker waker) {
    boolean earlier;
    synchronized (timers) {
      timers.add(new Timer(deadlineNanos, waker));
      earlier = next == Long.MAX_VALUE || deadlineNanos - next < 0;
      if (earlier) {
        next = deadlineNanos;
      }
    }
    Scheduler s = scheduler;
    if (earlier && s != null) {
      s.deadlineMovedEarlier();
    }
  }

  @Override
  public long nextDeadlineNanos() {
    return next;
  }

  @Override
  public void fireDue(long nowNanos) {
    List<Waker> due = new ArrayList<>();
    synchronized (timers) {
      while (!timers.isEmpty() && timers.peek().deadlineNanos - nowNanos <= 0) {
        due.add(timers.remove().waker);
      }
      next = timers.isEmpty() ? Long.MAX_VALUE : timers.peek().deadlineNanos;
      fired += due.size();
    }
    due.forEach(Waker::wake);
  }

  int fired() {
    return fired;
  }
}
