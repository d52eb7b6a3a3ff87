package dev.blitz.io.channel;

import org.jspecify.annotations.Nullable;

/** {@link Channel#reserve}. */
final class ReserveFuture<T> extends ChannelFuture<Permit<T>> {
  private final Channel<T> channel;

  ReserveFuture(Channel<T> channel) {
    this.channel = channel;
  }

  @Override
  @Nullable Permit<T> attempt() {
    Permit<T> permit = channel.tryReserve();
    if (permit == null && channel.isClosed()) {
      throw ChannelClosedException.reserving(channel.toString());
    }
    return permit;
  }

  @Override
  WaitQueue queue() {
    return channel.senders;
  }

  @Override
  boolean mustWait() {
    return channel.buffer.isFullForPermits();
  }

  @Override
  boolean isOpen() {
    return !channel.buffer.isClosed();
  }

  @Override
  int available() {
    return channel.buffer.room();
  }

  @Override
  public String toString() {
    return "a permit for " + channel;
  }
}
