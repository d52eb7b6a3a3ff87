package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.StackRoom;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.channels.AsynchronousCloseException;
import org.jspecify.annotations.Nullable;

/** An operation on one side of a stream, which it owns from its first poll to its end. */
abstract class SideFuture<T> implements IoFuture<T> {
  /** Null if the stream has no guard. */
  private final @Nullable Side side;

  /** Whether the side is ours, and a waker may have been kept. */
  private boolean begun;

  /** Who is woken if the side is retired while this is pending; see {@link Side}. */
  private volatile @Nullable Waker waker;

  SideFuture(@Nullable Side side) {
    this.side = side;
  }

  /** Tries once, or while the budget lasts; null leaves the waker with the stream. */
  abstract @Nullable T attempt(Context cx) throws IOException;

  /** Takes the waker back from the stream. */
  abstract void forget();

  @Override
  public final @Nullable T poll(Context cx) throws IOException {
    StackRoom.forWake(); // to let go of the side
    if (!begun) {
      if (side != null) {
        side.claim(this);
      }
      begun = true;
    } else {
      requireSide();
    }
    T value;
    try {
      value = attempt(cx);
    } catch (WrongThreadException e) {
      end();
      throw Buffers.explained(e);
    } catch (Throwable t) {
      end();
      throw t;
    } finally {
      Reference.reachabilityFence(this); // and so the stream, which might be closed without
    }
    if (value != null) {
      end();
    } else if (side != null && side.isWriting()) {
      waker = cx.waker();
      requireSide();
    }
    return value;
  }

  /** Ends an operation whose half has been closed. A read learns of that from the stream. */
  private void requireSide() throws AsynchronousCloseException {
    if (side != null && side.isWriting() && side.isRetired()) {
      drop();
      throw new AsynchronousCloseException();
    }
  }

  /** Any thread: the side has been retired while this had it. */
  final void ownerRetired() {
    Waker pending = waker;
    if (pending != null) {
      pending.wake();
    }
  }

  /** The operation is over, in whatever way; what it has besides its side is given back. */
  void ended() {}

  private void end() {
    begun = false;
    try {
      ended();
    } finally { // also if that overflows
      if (side != null) {
        side.release();
      }
    }
  }

  @Override
  public final void drop() {
    if (begun) {
      try {
        forget();
      } finally {
        end();
      }
    }
  }
}
