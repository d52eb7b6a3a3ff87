package dev.blitz.io.fs;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A write that is done when its bytes are in the file, and not when they have been taken. */
final class FlushedWrite<T> implements IoFuture<T> {
  private final IoFuture<T> write;
  private final IoFuture<Done> flush;
  private @Nullable T taken;

  FlushedWrite(IoFuture<T> write, IoFuture<Done> flush) {
    this.write = write;
    this.flush = flush;
  }

  @Override
  public @Nullable T poll(Context cx) throws IOException {
    T value = taken;
    if (value == null) {
      value = write.poll(cx);
      if (value == null) {
        return null;
      }
      taken = value;
    }
    return flush.poll(cx) == null ? null : value;
  }

  @Override
  public void drop() {
    if (taken == null) {
      write.drop();
    } else {
      flush.drop();
    }
  }

  @Override
  public String toString() {
    return write.toString();
  }
}
