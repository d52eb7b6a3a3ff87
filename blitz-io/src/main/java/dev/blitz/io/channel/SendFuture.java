package dev.blitz.io.channel;

import dev.blitz.io.future.Done;
import org.jspecify.annotations.Nullable;

/** {@link Channel#send}. The value is in the channel exactly if the future has yielded DONE. */
final class SendFuture<T> extends ChannelFuture<Done> {
  private final Channel<T> channel;
  private final T value;

  SendFuture(Channel<T> channel, T value) {
    this.channel = channel;
    this.value = value;
  }

  @Override
  @Nullable Done attempt() {
    return switch (channel.offer(value)) {
      case SENT -> Done.DONE;
      case FULL -> null;
      case CLOSED -> throw ChannelClosedException.sending(channel.toString(), value);
    };
  }

  @Override
  WaitQueue queue() {
    return channel.senders;
  }

  @Override
  boolean mustWait() {
    return channel.buffer.isFull();
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
    return "room in " + channel;
  }
}
