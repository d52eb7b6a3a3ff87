package dev.blitz.io.internal.driver.iocp;

import dev.blitz.io.internal.base.Machine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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
  private final Machine machine;
  private final long nanosEach;
  private @Nullable Thread watcher;
  private boolean ended;

  /** {@code nanosEach}: what a stream has. */
  LingeringStreams(Machine machine, long nanosEach) {
    this.machine = machine;
    this.nanosEach = nanosEach;
  }

  /**
   * It is closed when all is sent, or its time is over. Throws nothing: without memory or a thread
   * it only has no limit, until another one is closed.
   */
  void add(IocpStream stream) {
    lock.lock();
    try {
      deadlines.put(stream, machine.nanoTime() + nanosEach);
      if ((watcher == null || !watcher.isAlive()) && !ended) {
        Thread starting = Machine.daemon("blitz-iocp-closer", this::watch);
        machine.start(starting);
        watcher = starting;
      }
    } catch (RuntimeException | Error e) {
      // Not told: its caller has locks, and a log is the user's.
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
        long left = oldest.getValue() - machine.nanoTime();
        if (left <= 0) {
          deadlines.remove(oldest.getKey());
          return oldest.getKey();
        }
        await(left); // nobody may interrupt it to any effect
      }
      watcher = null;
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Whether it was interrupted; then there is no flag any more. */
  @SuppressWarnings("WaitNotInLoop") // its callers have the loops
  private boolean await(long nanos) {
    try {
      changed.awaitNanos(nanos);
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** Gives those that are left so long, closes the rest, and ends the watcher. */
  void end(long nanos) {
    List<IocpStream> left;
    Thread last;
    boolean interrupted = false;
    lock.lock();
    try {
      long deadline = machine.nanoTime() + nanos;
      for (long rest = nanos; rest > 0 && !deadlines.isEmpty(); ) {
        interrupted |= await(rest);
        rest = deadline - machine.nanoTime();
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
        interrupted = true; // it ends all the same
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt(); // for whoever closes the runtime
    }
  }
}
