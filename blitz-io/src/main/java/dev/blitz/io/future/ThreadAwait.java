package dev.blitz.io.future;

import dev.blitz.io.internal.task.RuntimeThread;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for a future on the calling thread: polls it with a waker that unparks the thread.
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
    Thread thread = Thread.currentThread();
    if (thread instanceof RuntimeThread t && t.isWorker()) {
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
        T value = future.poll(cx);
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
