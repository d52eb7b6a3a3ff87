package dev.blitz.io.channel;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;

/** {@link Channel#publisher}. */
final class ChannelPublisher<T> implements Flow.Publisher<T> {
  private final Channel<T> channel;
  private final Executor executor;

  ChannelPublisher(Channel<T> channel, Executor executor) {
    this.channel = channel;
    this.executor = executor;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super T> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    new ChannelSubscription<>(channel, executor, subscriber).start();
  }

  @Override
  public String toString() {
    return "Publisher[" + channel + "]";
  }
}
