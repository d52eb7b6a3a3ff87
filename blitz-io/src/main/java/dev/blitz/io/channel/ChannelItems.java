package dev.blitz.io.channel;

import dev.blitz.io.future.Context;
import dev.blitz.io.stream.UncheckedSource;
import org.jspecify.annotations.Nullable;

/** The messages of a channel as a source, for one user: a receiver polled as such, or one loop. */
final class ChannelItems<T> implements UncheckedSource<T> {
  private final Channel<T> channel;
  private final SourceWait<T> wait = new SourceWait<>();

  ChannelItems(Channel<T> channel) {
    this.channel = channel;
  }

  @Override
  public @Nullable T pollNext(Context cx) {
    if (wait.hasBegun()) {
      return wait.poll(cx);
    }
    if (!channel.receivers.isClosedToNewcomers()) {
      if (!cx.proceed()) {
        return null;
      }
      T message = channel.tryReceive();
      if (message != null) {
        return message;
      }
      cx.refund();
    }
    return wait.begin(new ReceiveFuture.One<>(channel), cx);
  }

  boolean isWaiting() {
    return wait.hasBegun();
  }

  @Override
  public boolean hasEnded() {
    return wait.hasEnded();
  }

  @Override
  public void forgetNext() {
    wait.forget();
  }

  @Override
  public void close() {
    wait.end();
  }

  @Override
  public String toString() {
    return channel.toString();
  }
}
