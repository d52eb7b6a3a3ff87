package dev.blitz.io.fs;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.file.FileOperation;
import dev.blitz.io.internal.file.OpenFile;
import java.io.IOException;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/** One or several operations on an open file, one after the other, beside others of it. */
abstract class FileFuture<T> implements IoFuture<T> {
  /** Kept, so that the file is not closed as lost while this is pending. */
  private final AsyncFile handle;

  private final OpenFile.StragglerWait stragglers = new OpenFile.StragglerWait();
  private @Nullable FileOperation operation;
  private boolean over;

  FileFuture(AsyncFile handle) {
    this.handle = handle;
  }

  final OpenFile file() {
    return handle.file();
  }

  /** Begins the next operation. */
  abstract FileOperation begin() throws IOException;

  /** The result, if there is nothing to be done; the file is open. */
  @Nullable T nothing() {
    return null;
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
        FileOperation now = operation;
        if (now == null) {
          now = tryBegin(cx);
          if (now == null) {
            T value = over ? nothing() : null;
            ends = over;
            return value;
          }
        }
        long result = now.poll(cx.waker());
        if (result == FileOperation.PENDING) {
          ends = false;
          return null;
        }
        T value = ended(now, result);
        operation = null;
        now.release();
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

  /** Null if it has to wait, or, then over is set, if there is nothing to be done. */
  private @Nullable FileOperation tryBegin(Context cx) throws IOException {
    if (over) {
      throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
    }
    if (!cx.proceed()) {
      return null;
    }
    if (!file().awaitStragglers(stragglers, cx.waker())) {
      cx.refund();
      return null;
    }
    if (nothing() != null) {
      over = true;
      return null;
    }
    FileOperation begun = begin();
    operation = begun;
    return begun;
  }

  @Override
  public final void drop() {
    over = true;
    FileOperation now = operation;
    operation = null;
    if (now != null) {
      now.abandon();
    }
    file().forget(stragglers);
  }
}
