package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** {@link Source#from(Flow.Publisher, int)}: subscribes with the first poll. */
final class PublisherStage<T> extends Stage<T> {
  private final Flow.Publisher<? extends T> publisher;
  private final Inbox<T> inbox;
  private boolean subscribed;

  PublisherStage(Flow.Publisher<? extends T> publisher, int ahead) {
    this.publisher = Objects.requireNonNull(publisher, "publisher");
    if (ahead < 1) {
      throw new IllegalArgumentException("ask for at least 1 item ahead, not " + ahead);
    }
    this.inbox = new Inbox<>(ahead);
  }

  @Override
  @Nullable T pull(Context cx) throws Exception {
    if (!subscribed) {
      subscribed = true;
      publisher.subscribe(inbox);
    }
    if (!cx.proceed()) {
      return null;
    }
    T item = inbox.poll(cx.waker());
    if (item == null) {
      cx.refund();
      ended = inbox.hasEnded();
    }
    return item;
  }

  @Override
  void forget() {
    inbox.forget();
  }

  @Override
  void release() {
    inbox.cancel();
  }

  @Override
  public String toString() {
    return publisher.toString();
  }
}
