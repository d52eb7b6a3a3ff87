package dev.blitz.io.process;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.ByteWriter;
import dev.blitz.io.descriptor.AsyncDescriptor;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Promise;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.driver.posix.PosixErrors;
import dev.blitz.io.signal.Signal;
import dev.blitz.io.task.SpawnOptions;
import dev.blitz.io.task.Task;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A child that we wait for by its pidfd. */
/* Implementation notes
 *
 * Ownership. `pidfd` is ours until the child is reaped; a duplicate of it is the driver's. While the child is not reaped its
 * number cannot be another's, so a signal to it, or to its group, reaches nobody else: signals and the reaping exclude each
 * other by the lock, and after it there are no signals.
 *
 * Protocol
 *   watch    a task of the runtime waits for the driver's duplicate to be readable, then reaps
 *   abandon  if that task is dropped (the runtime closes) or the driver fails, the reaper of the process takes the child
 *   reap     waitid(P_PIDFD, WNOHANG) under the lock, once; then pidfd is closed and the promise completed
 */
final class NativeProcess implements Running {
  private final int pid;
  private final boolean ownGroup;
  private final Promise<ExitStatus> status = Promise.create("the end of a child");
  private final PinnedLock lock = new PinnedLock();
  private final int pidfd;
  private boolean reaped;
  private @Nullable AsyncDescriptor stdin;
  private @Nullable AsyncDescriptor stdout;
  private @Nullable AsyncDescriptor stderr;

  private NativeProcess(int pid, int pidfd, boolean ownGroup) {
    this.pid = pid;
    this.pidfd = pidfd;
    this.ownGroup = ownGroup;
  }

  /** Takes the child, and our ends of its pipes; if that fails there is no child left. */
  static NativeProcess of(int pid, boolean ownGroup, SpawnPlan plan, boolean last)
      throws IOException {
    int pidfd;
    CallFrame frame = CallFrame.take();
    try {
      pidfd = ProcessCalls.openProcess(frame, pid);
      if (pidfd < 0) {
        killAndReap(frame, pid);
        throw PosixErrors.of("cannot watch a child", -pidfd);
      }
    } finally {
      frame.giveBack();
    }
    var process = new NativeProcess(pid, pidfd, ownGroup);
    try {
      process.stdin = adopt(plan.take(0));
      if (last) {
        process.stdout = adopt(plan.take(1)); // otherwise it is the next one's input
      }
      process.stderr = adopt(plan.take(2));
      process.watch();
      return process;
    } catch (Throwable t) {
      process.closePipes();
      process.killAndReap();
      throw t;
    }
  }

  /** It has just been started and has seen nothing of the world: it ends at once. */
  private static void killAndReap(CallFrame frame, int pid) {
    ProcessCalls.kill(frame, pid, ProcessAbi.number(Signal.KILL));
    MemorySegment siginfo = cleanSiginfo(frame);
    ProcessCalls.await(frame, ProcessAbi.P_PID, pid, siginfo, ProcessAbi.WEXITED);
  }

  /** The same; there may be no descriptor left to wait for it in another way. */
  private void killAndReap() throws IOException {
    signal(Signal.KILL, true);
    CallFrame frame = CallFrame.take();
    try {
      int options = ProcessAbi.WEXITED | ProcessAbi.WNOWAIT;
      ProcessCalls.await(frame, ProcessAbi.P_PIDFD, pidfd, cleanSiginfo(frame), options);
    } finally {
      frame.giveBack();
    }
    tryReap();
  }

  private static MemorySegment cleanSiginfo(CallFrame frame) {
    return frame.staging().asSlice(0, ProcessAbi.SIGINFO_BYTES).fill((byte) 0);
  }

  private static @Nullable AsyncDescriptor adopt(int fd) throws IOException {
    return fd < 0 ? null : AsyncDescriptor.adopt(fd);
  }

  private void watch() throws IOException {
    AsyncDescriptor watched = AsyncDescriptor.adopt(duplicate(pidfd));
    try {
      Task.spawn(
              SpawnOptions.named("end of child " + pid).and(SpawnOptions.owning(watched)),
              watched
                  .readable()
                  .map(ready -> {
                    tryReap();
                    return Done.DONE;
                  })
                  .whenDone(this::abandonUnlessReaped))
          .detach();
    } catch (Throwable t) {
      watched.close();
      throw t;
    }
  }

  private static int duplicate(int fd) throws IOException {
    CallFrame frame = CallFrame.take();
    try {
      return PosixErrors.check(
          "cannot watch a child", PosixCalls.control(frame, fd, PosixAbi.F_DUPFD_CLOEXEC, 0));
    } finally {
      frame.giveBack();
    }
  }

  private void abandonUnlessReaped() {
    if (!isReaped()) {
      status.close(); // who waits is told that nobody will know
      Reaper.OF_THE_PROCESS.adopt(this);
    }
  }

  boolean isReaped() {
    lock.lock();
    try {
      return reaped;
    } finally {
      lock.unlock();
    }
  }

  /** For the reaper, while it is not reaped. */
  int pidfd() {
    return pidfd;
  }

  /** Whether it has ended and no zombie is left. */
  boolean tryReap() {
    StackRoom.forMany();
    CallFrame frame = CallFrame.take();
    ExitStatus end = null;
    try {
      MemorySegment siginfo = cleanSiginfo(frame);
      lock.lock();
      try {
        if (reaped) {
          return true;
        }
        int options = ProcessAbi.WEXITED | ProcessAbi.WNOHANG;
        int r = ProcessCalls.await(frame, ProcessAbi.P_PIDFD, pidfd, siginfo, options);
        if (r >= 0 && !ProcessAbi.hasEnded(siginfo)) {
          return false;
        }
        reaped = true;
        PosixCalls.close(pidfd);
        if (r >= 0) {
          end = ProcessAbi.status(siginfo);
        }
      } finally {
        lock.unlock();
      }
    } finally {
      frame.giveBack();
    }
    if (end == null) {
      status.fail(new IOException("somebody else has waited for child " + pid));
    } else {
      status.complete(end);
    }
    return true;
  }

  @Override
  public boolean signal(Signal signal, boolean group) throws IOException {
    StackRoom.forMany();
    int number = ProcessAbi.number(signal);
    CallFrame frame = CallFrame.take();
    int r;
    lock.lock();
    try {
      if (reaped) {
        return false;
      }
      r =
          group && ownGroup
              ? ProcessCalls.kill(frame, -pid, number)
              : ProcessCalls.signalProcess(frame, pidfd, number);
    } finally {
      lock.unlock();
      frame.giveBack();
    }
    if (r == -Errno.ESRCH) {
      return false; // a zombie, or a group of zombies
    }
    PosixErrors.check("SIG" + signal + " to child " + pid, r);
    return true;
  }

  @Override
  public long pid() {
    return pid;
  }

  @Override
  public @Nullable ByteWriter stdin() {
    return stdin;
  }

  @Override
  public @Nullable ByteReader stdout() {
    return stdout;
  }

  @Override
  public @Nullable ByteReader stderr() {
    return stderr;
  }

  @Override
  public Promise<ExitStatus> status() {
    return status;
  }

  @Override
  public void closePipes() {
    close(stdin);
    close(stdout);
    close(stderr);
  }

  private static void close(@Nullable AsyncDescriptor pipe) {
    if (pipe != null) {
      pipe.close();
    }
  }
}
