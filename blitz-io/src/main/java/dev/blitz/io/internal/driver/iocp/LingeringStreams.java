package dev.blitz.io.internal.driver.iocp;

import dev.blitz.io.internal.base.Machine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Streams that were closed while something was being sent: each has some time for it. A thread
 * watches over them, while there are any that take long.
 */
/* Implementation notes
 *
 * Deadlines are all as far away when they begin, so the oldest entry is the next. A virtual thread that closes may be next for the lock
 * without a carrier; whoever waits for it then is the watcher or a thread of the group's, never a worker: `add` and `remove` are called
 * under the stream's lock, which keeps carriers.
 */
final class LingeringStreams {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<IocpStream, Long> deadlines = new LinkedHashMap<>();
  private final LongSupplier clock;
  private final long nanosEach;
  private @Nullable Thread watcher;
  private boolean ended;

  /** {@code clock}: in nanoseconds; {@code nanosEach}: what a stream has. */
  LingeringStreams(LongSupplier clock, long nanosEach) {
    this.clock = clock;
    this.nanosEach = nanosEach;
  }

  void add(IocpStream stream) {
    lock.lock();
    try {
      deadlines.put(stream, clock.getAsLong() + nanosEach);
      if (watcher == null && !ended) {
        Thread starting = Machine.daemon("blitz-iocp-closer", this::watch);
        Machine.REAL.start(starting);
        watcher = starting;
      }
    } finally {
      lock.unlock();
    }
  }

  void remove(IocpStream stream) {
    lock.lock();
    try {
      if (deadlines.remove(stream) != null && deadlines.isEmpty()) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return deadlines.size();
    } finally {
      lock.unlock();
    }
  }

  private void watch() {
    for (IocpStream late = nextLate(); late != null; late = nextLate()) {
      late.closeAtLast(); // its handler takes it out, too
    }
  }

  /** Waits for one whose time is over; null if there is none left. */
  private @Nullable IocpStream nextLate() {
    lock.lock();
    try {
      while (!ended && !deadlines.isEmpty()) {
        Map.Entry<IocpStream, Long> oldest = deadlines.entrySet().iterator().next();
        long left = oldest.getValue() - clock.getAsLong();
        if (left <= 0) {
          deadlines.remove(oldest.getKey());
          return oldest.getKey();
        }
        await(left);
      }
      watcher = null;
      return null;
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // its callers have the loops
  private void await(long nanos) {
    try {
      changed.awaitNanos(nanos);
    } catch (InterruptedException e) {
      // nobody may interrupt it to any effect
    }
  }

  /** Gives those that are left so long, closes the rest, and ends the watcher. */
  void end(long nanos) {
    List<IocpStream> left;
    Thread last;
    lock.lock();
    try {
      long deadline = clock.getAsLong() + nanos;
      for (long rest = nanos; rest > 0 && !deadlines.isEmpty(); ) {
        await(rest);
        rest = deadline - clock.getAsLong();
      }
      ended = true;
      changed.signalAll();
      left = List.copyOf(deadlines.keySet());
      deadlines.clear();
      last = watcher;
    } finally {
      lock.unlock();
    }
    left.forEach(IocpStream::closeAtLast);
    if (last != null) {
      try {
        last.join(TimeUnit.NANOSECONDS.toMillis(IocpTuning.THREADS_END_NANOS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // it ends all the same
      }
    }
  }
}
