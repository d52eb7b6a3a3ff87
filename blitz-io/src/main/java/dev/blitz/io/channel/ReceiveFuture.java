package dev.blitz.io.channel;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Waits for messages; the subclasses differ in what they take, and what they make of the end. */
abstract class ReceiveFuture<T, R> extends ChannelFuture<R> {
  final Channel<T> channel;

  ReceiveFuture(Channel<T> channel) {
    this.channel = channel;
  }

  @Override
  final WaitQueue queue() {
    return channel.receivers;
  }

  @Override
  final boolean mustWait() {
    return channel.buffer.isEmptyForNow();
  }

  @Override
  final boolean isOpen() {
    return !channel.buffer.isClosed();
  }

  @Override
  final int available() {
    return channel.buffer.length();
  }

  @Override
  public String toString() {
    return "a message from " + channel;
  }

  /** {@link Channel#receive}. */
  static final class One<T> extends ReceiveFuture<T, T> {
    One(Channel<T> channel) {
      super(channel);
    }

    @Override
    @Nullable T attempt() {
      T message = channel.tryReceive();
      if (message == null && channel.isDrained()) {
        throw ChannelClosedException.receiving(channel.toString());
      }
      return message;
    }
  }

  /** {@link Channel#next}. */
  static final class Next<T> extends ReceiveFuture<T, Optional<T>> {
    Next(Channel<T> channel) {
      super(channel);
    }

    @Override
    @SuppressWarnings("NullableOptional") // null: look again later; empty: there will be none
    @Nullable Optional<T> attempt() {
      Optional<T> message = channel.tryNext();
      return message == null && channel.isDrained() ? Optional.empty() : message;
    }
  }

  /** {@link Channel#receiveMany}. */
  static final class Many<T> extends ReceiveFuture<T, List<T>> {
    private final int max;

    Many(Channel<T> channel, int max) {
      super(channel);
      this.max = max;
    }

    @Override
    @Nullable List<T> attempt() {
      List<T> messages = channel.takeMany(max);
      return messages == null && channel.isDrained() ? List.of() : messages;
    }
  }
}
