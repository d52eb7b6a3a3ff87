package dev.blitz.io.channel;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Waits for a message; the subclasses differ in what they make of it and of the end. */
abstract class ReceiveFuture<T, R> extends ChannelFuture<R> {
  final Channel<T> channel;

  ReceiveFuture(Channel<T> channel) {
    this.channel = channel;
  }

  /** What a message is turned into. */
  abstract R result(T message);

  /** What the end is turned into. */
  abstract R drained();

  @Override
  @Nullable R attempt() {
    T message = channel.tryReceive();
    if (message != null) {
      return result(message);
    }
    return channel.buffer.isDrained() ? drained() : null;
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
    T result(T message) {
      return message;
    }

    @Override
    T drained() {
      throw ChannelClosedException.receiving(channel.toString());
    }
  }

  /** {@link Channel#next}. */
  static final class Next<T> extends ReceiveFuture<T, Optional<T>> {
    Next(Channel<T> channel) {
      super(channel);
    }

    @Override
    Optional<T> result(T message) {
      return Optional.of(message);
    }

    @Override
    Optional<T> drained() {
      return Optional.empty();
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
      List<T> messages = channel.tryReceiveMany(max);
      return messages.isEmpty() && !channel.buffer.isDrained() ? null : messages;
    }

    @Override
    List<T> result(T message) {
      return List.of(message);
    }

    @Override
    List<T> drained() {
      return List.of();
    }
  }
}
