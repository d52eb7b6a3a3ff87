package dev.blitz.io.channel;

import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** One of the counted handles of a channel's side. */
abstract class Handle<T> implements AutoCloseable {
  private static final VarHandle CLOSED =
      Fields.of(MethodHandles.lookup(), "closed", boolean.class);

  private final Channel<T> channel;
  final HandleCount count;
  private volatile boolean closed;

  /** A handle that has been counted. */
  Handle(Channel<T> channel, HandleCount count) {
    this.channel = channel;
    this.count = count;
  }

  /** The channel, for as long as the handle is open. */
  final Channel<T> channel() {
    if (closed) {
      throw wasClosed();
    }
    return channel;
  }

  final boolean isClosed() {
    return closed;
  }

  /** Counts one more; fails if this one was closed, or is being closed and was the last. */
  final void countCopy() {
    if (closed || !count.copied()) {
      throw wasClosed();
    }
  }

  private IllegalStateException wasClosed() {
    return new IllegalStateException("this handle was closed: " + this);
  }

  /** Gives the handle back; the last one of its side closes the channel. Harmless if repeated. */
  @Override
  public void close() {
    if (CLOSED.compareAndSet(this, false, true)) {
      try {
        count.closed();
      } catch (Throwable t) {
        closed = false; // no stack: it was not counted
        throw t;
      }
    }
    if (count.isNone()) { // also if repeated: the first time may have had no stack for the rest
      channel.close();
    }
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + (closed ? "[closed, " : "[") + channel + "]";
  }
}
