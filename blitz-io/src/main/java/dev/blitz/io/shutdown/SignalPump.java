package dev.blitz.io.shutdown;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.signal.Signal;
import dev.blitz.io.signal.SignalListener;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Calls an action for each event of a listener, on the thread that delivers it: a runtime whose
 * workers are all stuck is told to end nevertheless.
 */
/* Implementation notes
 *
 * wakes: how many wakes have not been served. Who raises it from 0 polls until it is 0 again, so one thread at a time
 * does.
 */
final class SignalPump implements Waker {
  private final SignalListener listener;
  private final Consumer<Signal> action;
  private final Context cx = Context.of(this);
  private final AtomicInteger wakes = new AtomicInteger();
  private UncheckedFuture<Signal> next;

  SignalPump(SignalListener listener, Consumer<Signal> action) {
    this.listener = listener;
    this.action = action;
    this.next = listener.next();
  }

  /** Also begins. */
  @Override
  public void wake() {
    if (wakes.getAndIncrement() != 0) {
      return;
    }
    int served = 1;
    do {
      pump();
      served = wakes.addAndGet(-served);
    } while (served != 0);
  }

  private void pump() {
    try {
      for (Signal signal = next.poll(cx); signal != null; signal = next.poll(cx)) {
        next = listener.next();
        act(signal);
      }
    } catch (CancelledException closed) {
      next = Futures.pending();
    }
  }

  /** Whatever it throws, the next signal is heard: it may be the one that forces. */
  private void act(Signal signal) {
    try {
      action.accept(signal);
    } catch (Throwable t) {
      FailureLog.log("what SIG" + signal + " triggers", t);
    }
  }
}
