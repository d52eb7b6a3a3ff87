package dev.blitz.io.fs;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.file.FileLocks;
import dev.blitz.io.internal.file.FileOperation;
import dev.blitz.io.internal.file.LaneLock;
import dev.blitz.io.internal.file.LockPause;
import dev.blitz.io.internal.file.OpenFile;
import dev.blitz.io.internal.file.RangeLock;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.channels.AsynchronousCloseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@link AsyncFile#lock} and {@link AsyncFile#tryLock}: it asks, and pauses, and asks again. */
/* Implementation notes
 *
 * From `claimed` on the range is kept from others of the same file. While `asking` is there the range is the operation's, which gives it back if it
 * is abandoned; else it is this future's.
 */
abstract class LockFuture<T> implements IoFuture<T> {
  private final AsyncFile handle;
  private final RangeLock range;
  private final FileRangeLock lock;
  private final FileLocks.Wait wait = new FileLocks.Wait();
  private final OpenFile.StragglerWait stragglers = new OpenFile.StragglerWait();
  private @Nullable LaneLock asking;
  private @Nullable LockPause pause;
  private int pauses;
  private boolean claimed;
  private boolean over;

  LockFuture(AsyncFile handle, RangeLock range) {
    this.handle = handle;
    this.range = range;
    this.lock = new FileRangeLock(handle, range); // first: what is granted has an owner
  }

  /** The result if it was granted. */
  abstract T granted(FileRangeLock lock);

  /** The result if somebody else has it; null if that is waited for. */
  abstract @Nullable T taken();

  /** Waits until it is granted. */
  static final class Waiting extends LockFuture<FileRangeLock> {
    Waiting(AsyncFile handle, RangeLock range) {
      super(handle, range);
    }

    @Override
    FileRangeLock granted(FileRangeLock lock) {
      return lock;
    }

    @Override
    @Nullable FileRangeLock taken() {
      return null;
    }
  }

  /** Asks once. */
  static final class Once extends LockFuture<Optional<FileRangeLock>> {
    private final Optional<FileRangeLock> some;

    Once(AsyncFile handle, RangeLock range) {
      super(handle, range);
      some = Optional.of(super.lock);
    }

    @Override
    Optional<FileRangeLock> granted(FileRangeLock lock) {
      return some;
    }

    @Override
    Optional<FileRangeLock> taken() {
      return Optional.empty();
    }
  }

  @Override
  public final @Nullable T poll(Context cx) throws IOException {
    boolean ends = true;
    try {
      for (; ; ) {
        if (asking == null && (pause == null ? !mayBegin(cx) : !hasPaused(pause, cx))) {
          ends = false;
          return null;
        }
        LaneLock now = asking;
        if (now == null) {
          StackRoom.forMany(); // what has begun can be dropped from here
          now = handle.file().lock(range);
          asking = now;
        }
        long result = now.poll(cx.waker());
        if (result == FileOperation.PENDING) {
          ends = false;
          return null;
        }
        now.keep();
        asking = null;
        T value = result == LaneLock.GRANTED ? take() : taken();
        if (value != null) {
          return value;
        }
        pause = handle.file().lockPause(pauses++);
      }
    } finally {
      if (ends) {
        drop();
      }
      Reference.reachabilityFence(handle);
    }
  }

  /** Whether it may be asked for. */
  private boolean mayBegin(Context cx) throws IOException {
    if (over) {
      throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
    }
    if (!cx.proceed()) {
      return false;
    }
    if (range.isShared()) {
      handle.requireReadable();
    } else {
      handle.requireWritable();
    }
    OpenFile file = handle.file();
    StackRoom.forMany(); // what is claimed is noted, and can be given back from here
    if (!file.awaitStragglers(stragglers, cx.waker())
        || !file.locks().tryClaim(range, wait, cx.waker())) {
      cx.refund();
      return false;
    }
    claimed = true;
    return true;
  }

  private boolean hasPaused(LockPause now, Context cx) throws IOException {
    FileLocks locks = handle.file().locks();
    locks.awaitClose(wait, cx.waker());
    if (!now.poll(cx) || !cx.proceed()) {
      return false;
    }
    pause = null;
    locks.forget(wait);
    return true;
  }

  private T take() throws AsynchronousCloseException {
    range.take();
    if (!handle.file().isOpen()) {
      throw new AsynchronousCloseException(); // and what was locked is free with it
    }
    claimed = false;
    return granted(lock);
  }

  @Override
  public final void drop() {
    over = true;
    LaneLock now = asking;
    if (now != null) {
      StackRoom.forCalls();
      range.leaveSoon();
      now.abandon(); // at the end of the stack it overflows before it has done anything
      asking = null;
    } else if (claimed) {
      StackRoom.forCalls(); // who waits for it is woken
      range.leave(false);
    }
    claimed = false;
    LockPause paused = pause;
    if (paused != null) {
      paused.drop();
      pause = null;
    }
    OpenFile file = handle.file();
    file.forget(stragglers);
    file.locks().forget(wait);
  }

  @Override
  public final String toString() {
    LockPause now = pause;
    return "the " + range + (now == null ? "" : ", which somebody has: " + now);
  }
}
