package dev.blitz.io.stream;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;

/** {@link Source#publisher}: for one subscriber. */
final class SourcePublisher<T> implements Flow.Publisher<T> {
  private final Source<T> source;
  private final Executor executor;
  private final AtomicBoolean subscribed = new AtomicBoolean();

  SourcePublisher(Source<T> source, Executor executor) {
    this.source = source;
    this.executor = Objects.requireNonNull(executor, "executor");
  }

  @Override
  public void subscribe(Flow.Subscriber<? super T> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    if (subscribed.compareAndSet(false, true)) {
      new SourceSubscription<>(source, executor, subscriber).wake();
      return;
    }
    subscriber.onSubscribe(Nothing.NOTHING);
    subscriber.onError(
        new IllegalStateException("a source has one user, and this one has a subscriber already"));
  }

  /** The subscription of one who comes too late. */
  private enum Nothing implements Flow.Subscription {
    NOTHING;

    @Override
    public void request(long n) {}

    @Override
    public void cancel() {}
  }

  @Override
  public String toString() {
    return "Publisher[" + source + "]";
  }
}
