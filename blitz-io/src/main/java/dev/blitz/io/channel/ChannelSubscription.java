package dev.blitz.io.channel;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.current.Uncaught;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One subscriber of a channel: takes a message only when one was asked for. */
/* Implementation notes
 *
 * pump() runs on the executor, never twice at a time, and everything but demand, cancelled and invalid is its own.
 *
 *   FROM       TO         trigger                                    actor
 *   IDLE       SCHEDULED  wake: request, cancel, a future is ready   anyone, who then calls the executor
 *   SCHEDULED  RUNNING    run                                        the executor
 *   SCHEDULED  RUNNING    the executor threw                         who called it: ends the subscription
 *   SCHEDULED  INLINE     run, called by the executor in the very call of the pump    the executor
 *   INLINE     RUNNING    that call has returned                     the pump goes on: no recursion
 *   RUNNING    AGAIN      wake                                       anyone
 *   AGAIN      RUNNING    the pump has done what it could            the pump, for another round
 *   RUNNING    IDLE       the same                                   the pump
 *   RUNNING, AGAIN  SCHEDULED  the batch is over                     the pump, which then calls the executor
 * All of them by CAS, but for the last. A stray run (of an executor that runs twice what it was given once, or throws
 * and yet runs it) finds another state and does nothing.
 */
final class ChannelSubscription<T> implements Flow.Subscription, Runnable, Waker {
  /** Messages in one go before others on the executor get their turn. */
  private static final int BATCH = 64;

  private static final int IDLE = 0;
  private static final int SCHEDULED = 1;
  private static final int RUNNING = 2;
  private static final int AGAIN = 3;
  private static final int INLINE = 4;

  private final Channel<T> channel;
  private final Executor executor;
  private final Context context = Context.of(this);
  private final AtomicInteger state = new AtomicInteger();

  /** The thread of the pump while it calls the executor for its next turn. */
  private final AtomicReference<@Nullable Thread> caller = new AtomicReference<>();

  private final AtomicLong demand = new AtomicLong();
  private volatile boolean cancelled;
  private volatile long invalid = 1;
  private Flow.@Nullable Subscriber<? super T> subscriber;
  private boolean subscribed;
  private @Nullable UncheckedFuture<Optional<T>> receive;
  private @Nullable UncheckedFuture<Done> drained;

  ChannelSubscription(
      Channel<T> channel, Executor executor, Flow.Subscriber<? super T> subscriber) {
    this.channel = channel;
    this.executor = executor;
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

  @Override
  public void wake() {
    for (; ; ) {
      int now = state.get();
      if (now == IDLE) {
        if (state.compareAndSet(IDLE, SCHEDULED)) {
          submit();
          return;
        }
      } else if (now != RUNNING || state.compareAndSet(RUNNING, AGAIN)) {
        return;
      }
    }
  }

  /**
   * Starts the pump. An executor that throws, whatever it throws, ends the subscription: nobody
   * will take the message that it was woken for, so the next receiver must be.
   */
  private void submit() {
    try {
      executor.execute(this);
    } catch (Throwable t) {
      if (state.compareAndSet(SCHEDULED, RUNNING)) {
        end();
        state.set(IDLE);
      }
      Uncaught.report("executor of " + this, t);
    }
  }

  @Override
  public void run() {
    if (caller.get() == Thread.currentThread()) {
      state.compareAndSet(SCHEDULED, INLINE);
      return;
    }
    if (!state.compareAndSet(SCHEDULED, RUNNING)) {
      return;
    }
    for (; ; ) {
      if (pump()) {
        if (!nextTurn()) {
          return;
        }
      } else if (state.compareAndSet(RUNNING, IDLE)) {
        return;
      } else {
        state.set(RUNNING); // it was AGAIN
      }
    }
  }

  /** Lets others on the executor have their turn; true if it is ours again at once. */
  private boolean nextTurn() {
    caller.set(Thread.currentThread());
    state.set(SCHEDULED);
    submit();
    caller.compareAndSet(Thread.currentThread(), null);
    return state.compareAndSet(INLINE, RUNNING);
  }

  /** Delivers what can be delivered; true if there is more to do. */
  private boolean pump() {
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
  private void end() {
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
