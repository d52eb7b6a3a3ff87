package dev.blitz.io.process;

import dev.blitz.io.descriptor.AsyncDescriptor;
import dev.blitz.io.future.Done;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.LibcCalls;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.driver.posix.PosixErrors;
import dev.blitz.io.signal.Signal;
import dev.blitz.io.task.SpawnOptions;
import dev.blitz.io.task.Task;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A child that we wait for by its pidfd. */
/* Implementation notes
 *
 * Ownership. `pidfd` is ours until the child is over; a duplicate of it is the driver's. While the child is not
 * reaped its number cannot be another's, so a signal to it, or to its group, reaches nobody else: signals and the
 * reaping exclude each other by the lock, and after it there are no signals.
 *
 * Protocol
 *   prepare  before the child exists: what its signals and its end need in memory
 *   begin    the child exists: from here on it is watched, or killed and reaped
 *   watch    a task of the runtime waits for the driver's duplicate to be readable, then reaps
 *   abandon  if that task is dropped (the runtime closes) or the driver fails, the reaper of the process takes the child
 *   reap     waitid(P_PIDFD, WNOHANG) under the lock, once
 *   tell     the pidfd is closed and the promise completed. If there is no memory for that, the next who looks does it
 */
final class NativeProcess extends Running {
  private static final int NONE = -1;

  private final boolean ownGroup;
  private final PinnedLock lock = new PinnedLock();

  /** For calls, with the lock. */
  private final MemorySegment errno;

  private final MemorySegment siginfo;
  private int pid = NONE;
  private int pidfd = NONE;
  private boolean watched;
  private boolean reaped;
  private boolean stolen;
  private boolean over;

  /** The reaper's: another one that it waits for. */
  @Nullable NativeProcess nextAbandoned;

  /** Prepares. */
  NativeProcess(boolean ownGroup) {
    this.ownGroup = ownGroup;
    Arena arena = Arena.ofAuto();
    errno = LibcCalls.allocateErrno(arena);
    siginfo = arena.allocate(ProcessAbi.SIGINFO_BYTES, 8);
  }

  /** The child exists. Does not throw. */
  void begin(int number) {
    pid = number;
  }

  /** Now it can be reaped. If this throws, {@link #undo}. */
  void open() throws IOException {
    int opened = ProcessCalls.openProcess(errno, pid);
    if (opened < 0) {
      throw PosixErrors.of("cannot watch a child", -opened);
    }
    pidfd = opened;
    pidfd = SpawnPlan.aboveStandard(opened);
  }

  /** Takes our ends of its pipes, and waits for its end. If this throws, {@link #undo}. */
  void watch(SpawnPlan plan, boolean last) throws IOException {
    stdin = adopt(plan.take(0));
    if (last) {
      stdout = adopt(plan.take(1)); // otherwise it is the next one's input
    }
    stderr = adopt(plan.take(2));
    watch();
  }

  private static @Nullable AsyncDescriptor adopt(int fd) throws IOException {
    return fd < 0 ? null : AsyncDescriptor.adopt(fd);
  }

  private void watch() throws IOException {
    AsyncDescriptor ending = AsyncDescriptor.adopt(SpawnPlan.duplicate(pidfd));
    try {
      Task.spawn(
              SpawnOptions.named("end of child " + pid).and(SpawnOptions.owning(ending)),
              ending
                  .readable()
                  .map(ready -> {
                    tryReap();
                    return Done.DONE;
                  })
                  .whenDone(this::abandonUnlessOver))
          .detach();
      watched = true;
    } catch (Throwable t) {
      ending.close();
      throw t;
    }
  }

  /**
   * Nobody has heard of the child: it is killed and, unless it is watched, waited for on the spot,
   * since it has seen nothing of the world and ends at once. Takes no memory and no descriptor.
   */
  @Override
  void undo() throws IOException {
    if (pid == NONE) {
      return;
    }
    closePipes();
    if (watched) {
      signal(Signal.KILL, true);
      return;
    }
    ProcessCalls.kill(errno, ownGroup ? -pid : pid, ProcessAbi.number(Signal.KILL));
    ProcessCalls.await(errno, ProcessAbi.P_PID, pid, siginfo, ProcessAbi.WEXITED);
    if (pidfd != NONE) {
      PosixCalls.close(pidfd);
    }
  }

  private void abandonUnlessOver() {
    if (status.isDone()) {
      return;
    }
    try {
      Reaper.OF_THE_PROCESS.adopt(this);
    } finally {
      status.close(); // if it is not over: who waits is told that nobody will know
    }
  }

  /** For the reaper, while it is not over. */
  int pidfd() {
    return pidfd;
  }

  /** Whether it has ended and no zombie is left. If this throws it can be tried again. */
  boolean tryReap() {
    StackRoom.forMany();
    ExitStatus end = null;
    IOException unknown = null;
    lock.lock();
    try {
      if (over) {
        return true;
      }
      if (!reaped && !reap()) {
        return false;
      }
      if (stolen) {
        unknown = new IOException("somebody else has waited for child " + pid);
      } else {
        end = ProcessAbi.status(siginfo);
      }
      over = true;
      PosixCalls.close(pidfd);
    } finally {
      lock.unlock();
    }
    if (unknown != null) {
      status.fail(unknown);
    } else if (end != null) {
      status.complete(end);
    }
    return true;
  }

  private boolean reap() {
    siginfo.fill((byte) 0);
    int options = ProcessAbi.WEXITED | ProcessAbi.WNOHANG;
    int r = ProcessCalls.await(errno, ProcessAbi.P_PIDFD, pidfd, siginfo, options);
    stolen = r < 0;
    reaped = stolen || ProcessAbi.hasEnded(siginfo);
    return reaped;
  }

  @Override
  boolean signal(Signal signal, boolean group) throws IOException {
    int number = ProcessAbi.number(signal);
    int r;
    lock.lock();
    try {
      if (reaped) {
        return false;
      }
      r =
          group && ownGroup
              ? ProcessCalls.kill(errno, -pid, number)
              : ProcessCalls.signalProcess(errno, pidfd, number);
    } finally {
      lock.unlock();
    }
    if (r == -Errno.ESRCH) {
      return false; // a zombie, or a group of zombies
    }
    PosixErrors.check("SIG" + signal + " to child " + pid, r);
    return true;
  }

  @Override
  long pid() {
    return pid;
  }
}
