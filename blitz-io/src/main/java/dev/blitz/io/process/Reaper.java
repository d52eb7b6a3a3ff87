package dev.blitz.io.process;

import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Waits for the children whose runtime has closed before they ended, so that none stays a zombie:
 * one thread for all of them, which lasts as long as there are some. Thread safe.
 */
/* Implementation notes
 *
 *   field     | guarded by | meaning
 *   children  | lock       | those to wait for
 *   wake      | lock       | the event counter that the thread polls besides them; -1 while there is no thread
 * The thread ends under the lock that it found `children` empty under, so whoever adopts one later starts another.
 */
final class Reaper {
  static final Reaper OF_THE_PROCESS = new Reaper();

  private static final int NO_THREAD = -1;
  private static final int FOR_EVER = -1;

  private final PinnedLock lock = new PinnedLock();
  private final List<NativeProcess> children = new ArrayList<>();
  private int wake = NO_THREAD;

  private Reaper() {}

  /** Waits for {@code child} from now on. */
  void adopt(NativeProcess child) {
    if (child.tryReap()) {
      return;
    }
    boolean start = false;
    lock.lock();
    try {
      children.add(child);
      if (wake == NO_THREAD) {
        wake = newCounter();
        start = true;
      } else if (wake >= 0) {
        PosixCalls.count(wake);
      }
    } finally {
      lock.unlock();
    }
    if (start) {
      start();
    }
  }

  private static int newCounter() {
    CallFrame frame = CallFrame.take();
    try {
      int counter = PosixCalls.eventCounter(frame);
      if (counter < 0) {
        throw new IllegalStateException("no descriptor left for the reaper of children");
      }
      return counter;
    } finally {
      frame.giveBack();
    }
  }

  private void start() {
    try {
      Machine.REAL.start(Machine.daemon("blitz-reaper", this::run));
    } catch (Throwable noThread) {
      lock.lock();
      try {
        stop(); // the next one who is adopted tries again
      } finally {
        lock.unlock();
      }
      FailureLog.tryLog(
          System.Logger.Level.WARNING, "no thread to wait for children that were left", noThread);
    }
  }

  private void stop() {
    PosixCalls.close(wake);
    wake = NO_THREAD;
  }

  private void run() {
    CallFrame frame = CallFrame.take();
    try (var arena = Arena.ofConfined()) {
      MemorySegment old = arena.allocate(8, 8);
      while (true) {
        List<NativeProcess> now = next();
        if (now.isEmpty()) {
          return;
        }
        awaitOne(frame, now);
        PosixCalls.reset(wake, old);
        now.forEach(this::forgetIfEnded);
      }
    } finally {
      frame.giveBack();
    }
  }

  /** Those to wait for; if there are none the thread must end. */
  private List<NativeProcess> next() {
    lock.lock();
    try {
      if (children.isEmpty()) {
        stop();
      }
      return List.copyOf(children);
    } finally {
      lock.unlock();
    }
  }

  private void awaitOne(CallFrame frame, List<NativeProcess> now) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment polls = ProcessAbi.allocatePolls(arena, now.size() + 1);
      ProcessAbi.setPoll(polls, 0, wake);
      for (int i = 0; i < now.size(); i++) {
        ProcessAbi.setPoll(polls, i + 1, now.get(i).pidfd());
      }
      ProcessCalls.poll(frame, polls, now.size() + 1, FOR_EVER);
    }
  }

  private void forgetIfEnded(NativeProcess child) {
    if (child.tryReap()) {
      lock.lock();
      try {
        children.remove(child);
      } finally {
        lock.unlock();
      }
    }
  }

  /** How many are waited for; for tests. */
  int waitedFor() {
    lock.lock();
    try {
      return children.size();
    } finally {
      lock.unlock();
    }
  }
}
