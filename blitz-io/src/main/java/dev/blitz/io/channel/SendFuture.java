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
    SendResult result = channel.offer(value); // no switch: it would load a class after the send
    if (result == SendResult.CLOSED) {
      throw ChannelClosedException.sending(channel.toString(), value);
    }
    return result == SendResult.SENT ? Done.DONE : null;
  }

  /** In a channel that drops its oldest message a send makes its own room. */
  @Override
  boolean overtakes() {
    return channel.drops();
  }

  @Override
  WaitQueue queue() {
    return channel.senders;
  }

  @Override
  boolean mustWait() {
    return channel.buffer.isFull() && channel.hasNothingToDrop();
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
