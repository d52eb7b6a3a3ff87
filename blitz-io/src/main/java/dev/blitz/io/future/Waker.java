package dev.blitz.io.future;

/**
 * Asks for another poll of the task that gave it out.
 *
 * <p>A leaf future that is pending keeps {@link Context#waker()} and calls {@link #wake()} once it
 * can make progress. Waking may happen on any thread, at any time, any number of times: wakes that
 * come before the next poll count as one, a wake during a poll causes another poll, a wake after
 * completion does nothing. It never blocks, throws or runs user code. A task is its own waker, so
 * waking allocates nothing.
 */
@FunctionalInterface
public interface Waker {

  /** Requests a poll. What the caller did before happens before that poll. */
  void wake();

  /**
   * Whether waking has become pointless because the task has ended. Collections of wakers use it to
   * forget those that nobody needs any more.
   */
  default boolean isObsolete() {
    return false;
  }
}
