package dev.blitz.io.channel;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.wait.SubscriberPump;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** One subscriber of a channel: takes a message only when one was asked for. */
final class ChannelSubscription<T> extends SubscriberPump<T> {
  private final Channel<T> channel;
  private final Context context = Context.of(this);
  private @Nullable UncheckedFuture<Optional<T>> receive;
  private @Nullable UncheckedFuture<Done> drained;

  ChannelSubscription(
      Channel<T> channel, Executor executor, Flow.Subscriber<? super T> subscriber) {
    super(executor, subscriber);
    this.channel = channel;
  }

  void start() {
    wake();
  }

  @Override
  protected boolean deliver(Flow.Subscriber<? super T> to) {
    Optional<T> message = poll();
    if (message == null) {
      return false;
    }
    if (message.isEmpty()) {
      end();
      to.onComplete();
      return false;
    }
    next(to, message.get());
    return true;
  }

  /** A message or the end; null if there is nothing to do. The end needs no demand. */
  @SuppressWarnings("NullableOptional") // null is what a pending future yields
  private @Nullable Optional<T> poll() {
    if (!isInDemand()) {
      if (drained == null) {
        drained = new DrainedFuture(channel);
      }
      if (drained.poll(context) == null) {
        return null;
      }
      drained = null;
      return Optional.empty();
    }
    if (receive == null) {
      receive = channel.next();
    }
    Optional<T> message = receive.poll(context);
    if (message != null) {
      receive = null;
    }
    return message;
  }

  /** Lets go also of a message that it was woken for. */
  @Override
  protected void end() {
    super.end();
    if (drained != null) {
      drained.drop();
      drained = null;
    }
    if (receive != null) {
      receive.drop();
      receive = null;
    }
  }

  @Override
  public String toString() {
    return "Subscription[" + channel + "]";
  }
}
