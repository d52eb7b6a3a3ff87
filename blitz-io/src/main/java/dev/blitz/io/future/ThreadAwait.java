package dev.blitz.io.future;

import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.internal.task.CarrierAccess;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a future on the calling thread. A direct task does so itself; for all others the future
 * is polled with a waker that unparks the thread, be it a platform thread or a virtual one.
 *
 * <p>Protocol: {@code woken} is set before the unpark and cleared before each poll, so a wake that
 * comes during the poll makes the next park return at once. Unrelated unparks only cost a look.
 */
final class ThreadAwait implements Waker {
  private final Thread thread;
  private volatile boolean woken;
  private volatile boolean ended;

  private ThreadAwait(Thread thread) {
    this.thread = thread;
  }

  static <T> T await(Future<T> future) throws Exception {
    T direct = Caller.awaitDirect(future);
    return direct != null ? direct : awaitOnThread(future);
  }

  private static <T> T awaitOnThread(Future<T> future) throws Exception {
    Thread thread = Thread.currentThread();
    if (Caller.isWorker()) {
      throw new IllegalStateException(
          "await() would block worker "
              + thread.getName()
              + ": inside poll, poll the future or combine it with andThen");
    }
    var waker = new ThreadAwait(thread);
    var cx = Context.of(waker);
    try {
      for (; ; ) {
        waker.woken = false;
        T value = poll(future, cx);
        if (value != null) {
          return value;
        }
        while (!waker.woken) {
          if (thread.isInterrupted()) {
            Drops.one(future);
            throw new CancelledException("interrupted while waiting for " + future);
          }
          LockSupport.park(future);
        }
      }
    } finally {
      waker.ended = true;
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
    woken = true;
    LockSupport.unpark(thread);
  }

  @Override
  public boolean isObsolete() {
    return ended;
  }

  @Override
  public String toString() {
    return "thread " + thread.getName();
  }
}
