package dev.blitz.io.channel;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.current.Uncaught;
import dev.blitz.io.internal.wait.Pump;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One subscriber of a channel: takes a message only when one was asked for. */
/* Implementation notes
 *
 * Everything but demand, cancelled and invalid is the pump's own.
 */
final class ChannelSubscription<T> extends Pump implements Flow.Subscription {
  /** Messages in one go before others on the executor get their turn. */
  private static final int BATCH = 64;

  private final Channel<T> channel;
  private final Context context = Context.of(this);
  private final AtomicLong demand = new AtomicLong();
  private volatile boolean cancelled;
  private volatile long invalid = 1;
  private Flow.@Nullable Subscriber<? super T> subscriber;
  private boolean subscribed;
  private @Nullable UncheckedFuture<Optional<T>> receive;
  private @Nullable UncheckedFuture<Done> drained;

  ChannelSubscription(
      Channel<T> channel, Executor executor, Flow.Subscriber<? super T> subscriber) {
    super(executor);
    this.channel = channel;
    this.subscriber = subscriber;
  }

  void start() {
    wake();
  }

  @Override
  public void request(long n) {
    if (n <= 0) {
      invalid = n;
    } else {
      demand.accumulateAndGet(n, (a, b) -> a + b < 0 ? Long.MAX_VALUE : a + b);
    }
    wake();
  }

  @Override
  public void cancel() {
    cancelled = true;
    wake();
  }

  /** Delivers what can be delivered; true if there is more to do. */
  @Override
  protected boolean pump() {
    Flow.Subscriber<? super T> to = subscriber;
    if (to == null) {
      return false;
    }
    try {
      if (!subscribed) {
        subscribed = true;
        to.onSubscribe(this);
      }
      for (int n = 0; !cancelled; n++) {
        if (invalid <= 0) {
          end();
          to.onError(new IllegalArgumentException("request at least 1 message, not " + invalid));
          return false;
        }
        if (n == BATCH) {
          return true;
        }
        Optional<T> message = poll();
        if (message == null) {
          return false;
        }
        if (message.isEmpty()) {
          end();
          to.onComplete();
          return false;
        }
        demand.updateAndGet(d -> d == Long.MAX_VALUE ? d : d - 1);
        to.onNext(message.get());
      }
      end();
    } catch (Throwable t) {
      end(); // a subscriber that throws has broken the contract: it gets nothing more
      Uncaught.report("subscriber " + to.getClass().getName(), t);
    }
    return false;
  }

  /** A message or the end; null if there is nothing to do. The end needs no demand. */
  @SuppressWarnings("NullableOptional") // null is what a pending future yields
  private @Nullable Optional<T> poll() {
    if (demand.get() == 0) {
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

  /** Lets go of the subscriber, and of a message that it was woken for. */
  @Override
  protected void end() {
    cancelled = true;
    subscriber = null;
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
