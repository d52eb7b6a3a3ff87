package dev.blitz.io.internal.wait;

import dev.blitz.io.future.Future;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.current.Uncaught;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Calls into foreign code whose failure must not keep the caller from going on. */
public final class SafeCalls {
  /** Foreign wakers that wake each other nest so deep on the stack; further ones wait. */
  private static final int DEEPEST = 32;

  private SafeCalls() {}

  /** Drops a future; what it throws reaches the uncaught handler. */
  public static void drop(Future<?> future) {
    try {
      future.drop();
    } catch (Throwable t) {
      Uncaught.report("drop() of " + future.getClass().getName(), t);
    }
  }

  /**
   * Interrupts a thread. If that waits for a channel, this closes it, which may be code of the
   * user's: what it throws reaches the handler of the thread's runtime, and the thread is woken
   * nevertheless.
   */
  public static void interrupt(Thread thread, Home home) {
    try {
      thread.interrupt();
    } catch (Throwable t) {
      LockSupport.unpark(thread);
      home.failures().uncaught("the interrupt of " + Telling.of(thread), t);
    }
  }

  /**
   * Wakes; a waker that throws does not keep the others asleep. One that drops or completes
   * something may so wake the next, and that one the next: a long chain takes a list, not stack.
   */
  public static void wake(Waker waker) {
    if (waker instanceof PlainWaker) {
      call(waker);
      return;
    }
    Nest nest;
    LastLook left;
    try {
      nest = Nest.OF_THREAD.get();
      left = LastLook.leave();
    } catch (Throwable t) { // no memory for this thread's first: then without
      call(waker);
      return;
    }
    try {
      nest.wake(waker);
    } finally {
      LastLook.goOn(left);
    }
  }

  private static void call(Waker waker) {
    try {
      waker.wake();
    } catch (Throwable t) {
      Uncaught.report("waker " + waker.getClass().getName(), t);
    }
  }

  /** Throws what was caught as an unchecked exception or an Error and kept while others went on. */
  public static void rethrow(@Nullable Throwable kept) {
    if (kept instanceof RuntimeException e) {
      throw e;
    }
    if (kept instanceof Error e) {
      throw e;
    }
  }

  /** The foreign wakers that a thread is calling. */
  private static final class Nest {
    /** Here: a drop at the end of the stack needs no initialiser. */
    static final ThreadLocal<Nest> OF_THREAD = ThreadLocal.withInitial(Nest::new);

    /** Not an ArrayDeque: that loses all it has when it cannot grow. */
    private final Queue<Waker> later = new ConcurrentLinkedQueue<>();

    private int depth;

    void wake(Waker waker) {
      if (depth == DEEPEST) {
        addOrCall(waker);
        return;
      }
      depth++;
      try {
        call(waker);
        if (depth == 1) {
          for (Waker next = later.poll(); next != null; next = later.poll()) {
            call(next);
          }
        }
      } finally {
        depth--;
      }
    }

    /** Without memory to wait with, now: nobody else has it. */
    private void addOrCall(Waker waker) {
      try {
        later.add(waker);
      } catch (Throwable t) {
        call(waker);
      }
    }
  }
}
