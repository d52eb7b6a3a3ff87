package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.current.Uncaught;
import dev.blitz.io.internal.wait.SubscriberPump;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;

/** The subscriber of a source, which it owns: pulls an item only when one was asked for. */
final class SourceSubscription<T> extends SubscriberPump<T> {
  private final Source<T> source;
  private final Context context = Context.of(this);

  SourceSubscription(Source<T> source, Executor executor, Flow.Subscriber<? super T> subscriber) {
    super(executor, subscriber);
    this.source = source;
  }

  @Override
  protected boolean deliver(Flow.Subscriber<? super T> to) {
    if (!isInDemand()) {
      return false;
    }
    T item;
    try {
      item = source.pollNext(context);
    } catch (Throwable t) {
      end();
      to.onError(t);
      return false;
    }
    if (item != null) {
      next(to, item);
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
    super.end();
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
