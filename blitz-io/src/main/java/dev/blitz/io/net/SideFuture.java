package dev.blitz.io.net;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import java.io.IOException;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/** An operation on one side of a socket, which it owns from its first poll to its end. */
abstract class SideFuture<T> implements IoFuture<T> {
  private final Side side;
  private boolean claimed;

  SideFuture(Side side) {
    this.side = side;
  }

  /** Tries once, or while the budget lasts; null leaves the waker with the endpoint. */
  abstract @Nullable T attempt(Context cx) throws IOException;

  /** Takes the waker back from the endpoint. */
  abstract void forget();

  @Override
  public final @Nullable T poll(Context cx) throws IOException {
    if (!cx.proceed()) {
      return null;
    }
    if (!claimed) {
      side.claim(this);
      claimed = true;
    }
    T value;
    try {
      value = attempt(cx);
    } catch (Throwable t) {
      end();
      throw t;
    } finally {
      Reference.reachabilityFence(this); // and so the stream, which would be closed without
    }
    if (value != null) {
      end();
    }
    return value;
  }

  private void end() {
    claimed = false;
    side.release();
  }

  @Override
  public final void drop() {
    if (claimed) {
      forget();
      end();
    }
  }
}
