package dev.blitz.io.process;

import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.LibcCalls;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the children whose runtime has closed before they ended, so that none stays a zombie:
 * one thread for all of them, which lasts as long as there are some. Thread safe.
 */
/* Implementation notes
 *
 *   field     | guarded by | meaning
 *   first     | lock       | those to wait for, a list that takes no memory: each knows the next. Only the thread removes
 *   count     | lock       | how many
 *   running   | lock       | there is a thread, or somebody is about to start it
 *   wake      | lock       | the event counter that the thread polls besides them; -1 if there was no descriptor for it
 * The thread ends under the lock that it found the list empty under, so whoever adopts one later starts another.
 * Whatever it meets, such as no memory for a round, it goes on after a nap: a round can be made again. Without a
 * counter nobody can tell it of new children, so it looks for them from time to time.
 */
final class Reaper {
  /** Waits until one of some descriptors is readable, as {@link ProcessCalls#poll}. */
  @FunctionalInterface
  interface Poll {
    int await(MemorySegment errno, MemorySegment polls, int count, int millis);
  }

  static final Reaper OF_THE_PROCESS =
      new Reaper(Machine.REAL, ProcessCalls::poll, Reaper::newCounter);

  private static final int NONE = -1;
  private static final int FOR_EVER = -1;

  /** A child is a zombie for so long at most that nobody could be told of. */
  private static final int NAP_MILLIS = 100;

  private final Machine machine;
  private final Poll poll;
  private final IntSupplier counters;
  private final MemorySegment errno = LibcCalls.allocateErrno(Arena.ofAuto());
  private final MemorySegment old = Arena.ofAuto().allocate(8, 8);
  private final PinnedLock lock = new PinnedLock();
  private @Nullable NativeProcess first;
  private int count;
  private boolean running;
  private int wake = NONE;

  /** {@code counters}: opens an event counter, or answers {@code -errno}. */
  Reaper(Machine machine, Poll poll, IntSupplier counters) {
    this.machine = machine;
    this.poll = poll;
    this.counters = counters;
  }

  /** Waits for {@code child} from now on. */
  void adopt(NativeProcess child) {
    StackRoom.forMany();
    if (isOver(child)) {
      return;
    }
    boolean start;
    lock.lock();
    try {
      child.nextAbandoned = first;
      first = child;
      count++;
      start = !running;
      running = true;
      if (wake >= 0) {
        PosixCalls.count(wake);
      }
    } finally {
      lock.unlock();
    }
    if (start) {
      start();
    }
  }

  /** If there are children and was no thread to be had for them, tries again. */
  void startIfNeeded() {
    boolean start;
    lock.lock();
    try {
      start = count > 0 && !running;
      running |= start;
    } finally {
      lock.unlock();
    }
    if (start) {
      start();
    }
  }

  private static boolean isOver(NativeProcess child) {
    try {
      return child.tryReap();
    } catch (OutOfMemoryError e) {
      return false; // the thread tries again
    }
  }

  private void start() {
    try {
      openCounter();
      machine.start(Machine.daemon("blitz-reaper", this::run));
    } catch (Throwable noThread) {
      lock.lock();
      try {
        stop(); // the next one who is adopted or started tries again
      } finally {
        lock.unlock();
      }
      FailureLog.tryLog(
          System.Logger.Level.WARNING, "no thread to wait for children that were left", noThread);
    }
  }

  /** Who has been adopted before this is in the thread's first round, who comes later counts. */
  private void openCounter() {
    int counter = counters.getAsInt();
    lock.lock();
    try {
      wake = Math.max(NONE, counter);
    } finally {
      lock.unlock();
    }
  }

  private static int newCounter() {
    CallFrame frame = CallFrame.take();
    try {
      return PosixCalls.eventCounter(frame);
    } finally {
      frame.giveBack();
    }
  }

  private void stop() {
    if (wake >= 0) {
      PosixCalls.close(wake);
    }
    wake = NONE;
    running = false;
  }

  private void run() {
    boolean more = true;
    while (more) {
      try {
        more = round();
      } catch (Throwable t) {
        nap();
      }
    }
  }

  private static void nap() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(NAP_MILLIS));
  }

  /** False if there is nobody left to wait for: then the thread must end. */
  private boolean round() {
    int now = countOrStop();
    if (now == 0) {
      return false;
    }
    try (var arena = Arena.ofConfined()) {
      MemorySegment polls = ProcessAbi.allocatePolls(arena, now + 1);
      int counter = enter(polls, now);
      if (poll.await(errno, polls, now + 1, counter >= 0 ? FOR_EVER : NAP_MILLIS) < 0) {
        nap();
      }
      if (counter >= 0) {
        PosixCalls.reset(counter, old);
      }
    }
    forgetThoseThatEnded();
    return true;
  }

  private int countOrStop() {
    lock.lock();
    try {
      if (count == 0) {
        stop();
      }
      return count;
    } finally {
      lock.unlock();
    }
  }

  /** The newest {@code most}: those who came since then have counted. The counter, or -1. */
  private int enter(MemorySegment polls, int most) {
    lock.lock();
    try {
      ProcessAbi.setPoll(polls, 0, wake);
      NativeProcess child = first;
      for (int i = 1; i <= most && child != null; i++) {
        ProcessAbi.setPoll(polls, i, child.pidfd());
        child = child.nextAbandoned;
      }
      return wake;
    } finally {
      lock.unlock();
    }
  }

  private void forgetThoseThatEnded() {
    NativeProcess child = first();
    while (child != null) {
      NativeProcess next = child.nextAbandoned;
      if (child.tryReap()) {
        remove(child);
      }
      child = next;
    }
  }

  private @Nullable NativeProcess first() {
    lock.lock();
    try {
      return first;
    } finally {
      lock.unlock();
    }
  }

  private void remove(NativeProcess child) {
    lock.lock();
    try {
      NativeProcess before = null;
      for (NativeProcess c = first; c != child && c != null; c = c.nextAbandoned) {
        before = c;
      }
      if (before == null) {
        first = child.nextAbandoned;
      } else {
        before.nextAbandoned = child.nextAbandoned;
      }
      child.nextAbandoned = null;
      count--;
    } finally {
      lock.unlock();
    }
  }

  /** How many are waited for; for tests. */
  int waitedFor() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }
}
