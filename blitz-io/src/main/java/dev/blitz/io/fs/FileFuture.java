package dev.blitz.io.fs;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.file.FileOperation;
import dev.blitz.io.internal.file.OpenFile;
import java.io.IOException;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/** One or several operations on an open file, one after the other, beside others of it. */
abstract class FileFuture<T> implements IoFuture<T> {
  /** Kept, so that the file is not closed as lost while this is pending. */
  private final AsyncFile handle;

  /** Made when there is something to wait for. */
  private OpenFile.@Nullable StragglerWait stragglers;

  private @Nullable FileOperation operation;
  private boolean over;
  private boolean progress;

  FileFuture(AsyncFile handle) {
    this.handle = handle;
  }

  final OpenFile file() {
    return handle.file();
  }

  /** Begins the next operation. */
  abstract FileOperation begin() throws IOException;

  /**
   * The result, if it can be had without waiting; the file is open, and the budget charged for one
   * step. If this has come some way, but not to the end, it calls {@link #progressed}.
   */
  @Nullable T now() throws IOException {
    return null;
  }

  /** See {@link #now}. */
  final void progressed() {
    progress = true;
  }

  /**
   * An operation has ended with {@code result}.
   *
   * @return the future's result, or null if there is more to be done
   */
  abstract @Nullable T ended(FileOperation operation, long result) throws IOException;

  @Override
  public final @Nullable T poll(Context cx) throws IOException {
    boolean ends = true;
    try {
      for (; ; ) {
        FileOperation under = operation;
        if (under == null) {
          if (!mayBegin(cx)) {
            ends = false;
            return null;
          }
          T value = now();
          if (value != null) {
            return value;
          }
          if (progress) {
            progress = false;
            continue;
          }
          StackRoom.forMany(); // what has begun can be dropped from here
          under = begin();
          operation = under;
        }
        long result = under.poll(cx.waker());
        if (result == FileOperation.PENDING) {
          ends = false;
          return null;
        }
        T value = ended(under, result);
        operation = null;
        under.release();
        if (value != null) {
          return value;
        }
      }
    } finally {
      if (ends) {
        drop();
      }
      Reference.reachabilityFence(handle);
    }
  }

  private boolean mayBegin(Context cx) throws IOException {
    if (over) {
      throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
    }
    if (!cx.proceed()) {
      return false;
    }
    OpenFile file = file();
    if (stragglers == null) {
      if (file.isStill()) {
        return true;
      }
      stragglers = new OpenFile.StragglerWait();
    }
    if (!file.awaitStragglers(stragglers, cx.waker())) {
      cx.refund();
      return false;
    }
    return true;
  }

  @Override
  public final void drop() {
    over = true;
    FileOperation now = operation;
    if (now != null) {
      now.abandon(); // at the end of the stack it overflows before it has done anything
      operation = null;
    }
    OpenFile.StragglerWait wait = stragglers;
    if (wait != null) {
      file().forget(wait);
    }
  }
}
