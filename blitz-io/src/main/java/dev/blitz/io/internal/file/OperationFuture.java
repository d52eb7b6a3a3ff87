package dev.blitz.io.internal.file;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.StackRoom;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A future of one operation, which its first poll begins. */
public abstract class OperationFuture<T, O extends FileOperation> implements IoFuture<T> {
  private @Nullable O operation;
  private boolean over;

  /** Begins it. */
  protected abstract O begin() throws IOException;

  /** What the operation, which is over, has brought; it is released afterwards. */
  protected abstract T value(O operation) throws IOException;

  @Override
  public final @Nullable T poll(Context cx) throws IOException {
    O now = operation;
    if (now == null) {
      if (over) {
        throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
      }
      if (!cx.proceed()) {
        return null;
      }
      StackRoom.forMany(); // what has begun can be dropped from here
      now = begin();
      operation = now;
    }
    boolean ended = true;
    try {
      if (now.poll(cx.waker()) == FileOperation.PENDING) {
        ended = false;
        return null;
      }
      return value(now);
    } finally {
      if (ended) {
        drop();
      }
    }
  }

  @Override
  public final void drop() {
    over = true;
    O now = operation;
    if (now != null) {
      now.abandon(); // at the end of the stack it overflows before it has done anything
      operation = null;
    }
  }
}
