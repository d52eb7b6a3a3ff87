package dev.blitz.io.channel;

import java.util.concurrent.atomic.AtomicBoolean;

/** One of the counted handles of a channel's side. */
abstract class Handle<T> implements AutoCloseable {
  private final Channel<T> channel;
  final HandleCount count;
  private final AtomicBoolean closed = new AtomicBoolean();

  Handle(Channel<T> channel, HandleCount count) {
    this.channel = channel;
    this.count = count;
    count.opened();
  }

  /** The channel, for as long as the handle is open. */
  final Channel<T> channel() {
    if (closed.get()) {
      throw new IllegalStateException("this handle was closed: " + this);
    }
    return channel;
  }

  /** Gives the handle back; the last one of its side closes the channel. Harmless if repeated. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true) && count.closed()) {
      channel.close();
    }
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + (closed.get() ? "[closed, " : "[") + channel + "]";
  }
}
