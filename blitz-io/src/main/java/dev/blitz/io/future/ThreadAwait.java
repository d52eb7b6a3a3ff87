package dev.blitz.io.future;

import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.internal.base.Debts;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.current.CallLimit;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.current.Inside;
import dev.blitz.io.internal.wait.AwaitingPlace;
import dev.blitz.io.internal.wait.PlainWaker;
import dev.blitz.io.internal.wait.SafeCalls;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a future on the calling thread. A direct task does so itself; for all others the future
 * is polled with a waker that unparks the thread, be it a platform thread or a virtual one.
 *
 * <p>Protocol: the waker sets WOKEN before the unpark, the thread RUNNING before each poll and
 * PARKED, if it is still RUNNING, after it; so a wake that comes during the poll keeps the thread
 * from parking. Unrelated unparks only cost a look.
 *
 * <p>A thread of a runtime (of its blocking pool, or inside a blockInPlace) counts as busy for a
 * manual clock, except while it is PARKED: the host is told after the step to that state, and by
 * whoever ends it. One of the runtime that interrupts the thread is such a one: it sets WOKEN after
 * the interrupt, and the thread looks for an interrupt before it steps to PARKED.
 */
final class ThreadAwait implements PlainWaker, Runnable {
  private static final int RUNNING = 0;
  private static final int PARKED = 1;
  private static final int WOKEN = 2;

  private final Thread thread;
  private final @Nullable Home home;
  private final AtomicInteger turn = new AtomicInteger(RUNNING);
  private volatile boolean ended;

  private ThreadAwait(Thread thread, @Nullable Home home) {
    this.thread = thread;
    this.home = home;
  }

  static <T> T await(Future<T> future) throws Exception {
    StackRoom.forCalls();
    var direct = (@Nullable AwaitingPlace) Current.direct();
    T value = direct == null ? null : direct.await(future);
    return value != null ? value : awaitOnThread(future);
  }

  private static <T> T awaitOnThread(Future<T> future) throws Exception {
    Thread thread = Thread.currentThread();
    if (Current.isWorker()) {
      throw new IllegalStateException(
          "await() would block worker "
              + thread.getName()
              + ": inside poll, poll the future or combine it with andThen");
    }
    Inside here = Current.here();
    CallLimit limit = here == null ? null : here.limit();
    if (limit != null && limit.isPassed()) {
      thread.interrupt(); // kept, or set again if the code has swallowed it
      throw giveUp(future, "the limit of a block has passed; it does not wait for ");
    }
    var waker = new ThreadAwait(thread, here == null ? null : here.home());
    var cx = Context.of(waker);
    Runnable around = here == null ? null : here.setWait(waker);
    try {
      for (; ; ) {
        waker.takeTurn(RUNNING);
        T value = poll(future, cx);
        if (value != null) {
          return value;
        }
        Debts.pay(); // before it is PARKED: this thread may be among those to be woken
        if (thread.isInterrupted() && waker.turn.get() == RUNNING) {
          throw giveUp(future, "interrupted while waiting for "); // and was counted all the time
        }
        waker.beginWait();
        while (waker.turn.get() == PARKED) {
          if (thread.isInterrupted()) {
            waker.takeTurn(RUNNING);
            throw giveUp(future, "interrupted while waiting for ");
          }
          waker.park(future);
        }
      }
    } finally {
      waker.ended = true;
      if (here != null) {
        here.setWait(around);
      }
    }
  }

  private static CancelledException giveUp(Future<?> future, String why) {
    try {
      return new CancelledException(why + Telling.of(future)); // as it is before the drop
    } finally {
      SafeCalls.drop(future); // also if its toString throws
    }
  }

  /** The runtime has interrupted the thread: it counts again before that one goes on. */
  @Override
  public void run() {
    takeTurn(WOKEN);
  }

  private void park(Future<?> future) {
    try {
      LockSupport.park(future);
    } catch (Throwable t) { // a virtual thread that is too deep to be moved overflows
      takeTurn(RUNNING);
      SafeCalls.drop(future);
      throw t;
    }
  }

  /** A virtual thread stays on its carrier, as the locks that futures share with workers need. */
  private static <T> @Nullable T poll(Future<T> future, Context cx) throws Exception {
    boolean pinned = CarrierAccess.pin();
    try {
      return future.poll(cx);
    } finally {
      if (pinned) {
        CarrierAccess.unpin();
      }
    }
  }

  private void beginWait() {
    if (turn.compareAndSet(RUNNING, PARKED) && home != null) {
      home.busy().add(-1);
    }
  }

  private void takeTurn(int next) {
    if (turn.getAndSet(next) == PARKED && home != null) {
      home.busy().add(1);
    }
  }

  @Override
  public void wake() {
    StackRoom.forWake();
    takeTurn(WOKEN);
    LockSupport.unpark(thread);
  }

  @Override
  public boolean isObsolete() {
    return ended;
  }

  @Override
  public String toString() {
    return Telling.of(thread);
  }
}
