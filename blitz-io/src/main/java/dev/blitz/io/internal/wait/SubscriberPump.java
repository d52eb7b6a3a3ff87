package dev.blitz.io.internal.wait;

import dev.blitz.io.internal.current.Uncaught;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One subscriber: has delivered to it what it asked for, as long as it wants it. */
/* Implementation notes
 *
 * Everything but demand, cancelled and invalid is the pump's own.
 */
public abstract class SubscriberPump<T> extends Pump implements Flow.Subscription {
  /** Items in one go before others on the executor get their turn. */
  private static final int BATCH = 64;

  private final AtomicLong demand = new AtomicLong();
  private volatile boolean cancelled;
  private volatile long invalid = 1;
  private Flow.@Nullable Subscriber<? super T> subscriber;
  private boolean subscribed;

  protected SubscriberPump(Executor executor, Flow.Subscriber<? super T> subscriber) {
    super(executor);
    this.subscriber = subscriber;
  }

  /** Delivers an item, or the end; false if there is nothing to do. */
  protected abstract boolean deliver(Flow.Subscriber<? super T> to);

  protected final boolean isInDemand() {
    return demand.get() != 0;
  }

  /** Delivers what was asked for. */
  protected final void next(Flow.Subscriber<? super T> to, T item) {
    demand.updateAndGet(d -> d == Long.MAX_VALUE ? d : d - 1);
    to.onNext(item);
  }

  @Override
  public final void request(long n) {
    if (n <= 0) {
      invalid = n;
    } else {
      demand.accumulateAndGet(n, (a, b) -> a + b < 0 ? Long.MAX_VALUE : a + b);
    }
    wake();
  }

  @Override
  public final void cancel() {
    cancelled = true;
    wake();
  }

  @Override
  protected final boolean pump() {
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
          to.onError(new IllegalArgumentException("request at least 1 item, not " + invalid));
          return false;
        }
        if (n == BATCH) {
          return true;
        }
        if (!deliver(to)) {
          return false;
        }
      }
      end();
    } catch (Throwable t) {
      end(); // a subscriber that throws has broken the contract: it gets nothing more
      Uncaught.report("subscriber " + to.getClass().getName(), t);
    }
    return false;
  }

  /** Lets go of the subscriber; those who extend it also of what they deliver. */
  @Override
  protected void end() {
    cancelled = true;
    subscriber = null;
  }
}
