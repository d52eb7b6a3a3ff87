package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.current.Uncaught;
import dev.blitz.io.internal.wait.Pump;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The subscriber of a source: pulls an item only when one was asked for. */
/* Implementation notes
 *
 * Everything but demand, cancelled and invalid is the pump's own. It owns the source.
 */
final class SourceSubscription<T> extends Pump implements Flow.Subscription {
  /** Items in one go before others on the executor get their turn. */
  private static final int BATCH = 64;

  private final Source<T> source;
  private final Context context = Context.of(this);
  private final AtomicLong demand = new AtomicLong();
  private volatile boolean cancelled;
  private volatile long invalid = 1;
  private Flow.@Nullable Subscriber<? super T> subscriber;
  private boolean subscribed;

  SourceSubscription(Source<T> source, Executor executor, Flow.Subscriber<? super T> subscriber) {
    super(executor);
    this.source = source;
    this.subscriber = subscriber;
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
          to.onError(new IllegalArgumentException("request at least 1 item, not " + invalid));
          return false;
        }
        if (n == BATCH) {
          return true;
        }
        if (demand.get() == 0 || !delivers(to)) {
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

  /** One item, or the end; false if there is nothing to do. */
  private boolean delivers(Flow.Subscriber<? super T> to) {
    T item;
    try {
      item = source.pollNext(context);
    } catch (Throwable t) {
      end();
      to.onError(t);
      return false;
    }
    if (item != null) {
      demand.updateAndGet(d -> d == Long.MAX_VALUE ? d : d - 1);
      to.onNext(item);
      return true;
    }
    if (source.hasEnded()) {
      end();
      to.onComplete();
    }
    return false;
  }

  @Override
  protected void end() {
    cancelled = true;
    subscriber = null;
    try {
      source.close();
    } catch (Throwable t) {
      Uncaught.report("close() of " + source.getClass().getName(), t); // its end is told yet
    }
  }

  @Override
  public String toString() {
    return "Subscription[" + source + "]";
  }
}
