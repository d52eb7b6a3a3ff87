package dev.blitz.io.channel;

import dev.blitz.io.future.Done;
import org.jspecify.annotations.Nullable;

/** Waits until a channel is closed and empty, without taking anything. */
final class DrainedFuture extends ChannelFuture<Done> {
  private final Channel<?> channel;

  DrainedFuture(Channel<?> channel) {
    this.channel = channel;
  }

  @Override
  @Nullable Done attempt() {
    return channel.isDrained() ? Done.DONE : null;
  }

  @Override
  WaitQueue queue() {
    return channel.ends;
  }

  @Override
  boolean mustWait() {
    return !channel.isDrained();
  }

  @Override
  boolean isOpen() {
    return !channel.isClosed();
  }

  @Override
  int available() {
    return 0;
  }

  @Override
  public String toString() {
    return "the end of " + channel;
  }
}
