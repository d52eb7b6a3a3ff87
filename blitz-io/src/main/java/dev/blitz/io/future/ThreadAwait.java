package dev.blitz.io.future;

import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.internal.base.Debts;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.current.CallLimit;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.current.Inside;
import dev.blitz.io.internal.current.Turn;
import dev.blitz.io.internal.wait.AwaitingPlace;
import dev.blitz.io.internal.wait.LastLook;
import dev.blitz.io.internal.wait.PlainWaker;
import dev.blitz.io.internal.wait.SafeCalls;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a future on the calling thread. A direct task does so itself; for all others the future
 * is polled with a waker that unparks the thread, be it a platform thread or a virtual one.
 *
 * <p>{@link Turn} is the protocol. Unrelated unparks only cost a look. A thread of a runtime (of
 * its blocking pool, or inside a blockInPlace) counts as busy for a manual clock while it is not
 * parked. One of the runtime that interrupts the thread wakes it after the interrupt, and the
 * thread looks for an interrupt before it parks.
 */
final class ThreadAwait implements PlainWaker, Runnable {
  private final Thread thread;
  private final Turn turn;
  private volatile boolean ended;

  private ThreadAwait(Thread thread, @Nullable Inside here) {
    this.thread = thread;
    this.turn = new Turn(here == null ? null : here.home().busy());
  }

  static <T> T await(Future<T> future) throws Exception {
    StackRoom.forCalls();
    LastLook left = LastLook.leave(); // a poll that blocks: what it waits for wakes this thread
    try {
      var direct = (@Nullable AwaitingPlace) Current.direct();
      T value = direct == null ? null : direct.await(future);
      return value != null ? value : awaitOnThread(future);
    } finally {
      LastLook.goOn(left);
    }
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
    var waker = new ThreadAwait(thread, here);
    var cx = Context.of(waker);
    Runnable around = here == null ? null : here.setWait(waker);
    try {
      for (; ; ) {
        waker.turn.poll();
        T value = poll(future, cx);
        if (value != null) {
          return value;
        }
        Debts.pay(); // before it is parked: this thread may be among those to be woken
        if (thread.isInterrupted() && !waker.turn.isWoken()) {
          throw giveUp(future, "interrupted while waiting for "); // and was counted all the time
        }
        waker.turn.park();
        while (waker.turn.isParked()) {
          if (thread.isInterrupted()) {
            waker.turn.poll();
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
    turn.wake();
  }

  private void park(Future<?> future) {
    try {
      LockSupport.park(future);
    } catch (Throwable t) { // a virtual thread that is too deep to be moved overflows
      turn.poll();
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

  @Override
  public void wake() {
    StackRoom.forWake();
    turn.wake();
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
