package dev.blitz.io.future;

import java.util.Objects;

/**
 * What one poll is made with. It belongs to that poll alone: a future may keep the {@link
 * #waker()}, never the context.
 */
public interface Context {

  /** Wakes the task that is polling. */
  Waker waker();

  /**
   * Charges one operation to this poll's budget. Leaf futures that may be ready any number of times
   * in a row (a receive, a read, an acquire) call it before they look, so that a task which always
   * finds something ready still lets others run.
   *
   * {@snippet :
   * if (!cx.proceed()) {
   *   return null; // pending; the task has been woken already and will be polled after its peers
   * }
   * }
   *
   * @return false when the budget is used up: the caller must return pending at once
   */
  boolean proceed();

  /**
   * Gives back what the last {@link #proceed()} of this poll charged, because nothing was ready
   * after all. A leaf future calls it before it returns pending, once for each charge that found
   * nothing: waiting is free, however many futures a task waits for at once.
   *
   * {@snippet :
   * if (!cx.proceed()) {
   *   return null;
   * }
   * T value = take(cx.waker());
   * if (value == null) {
   *   cx.refund();
   * }
   * return value;
   * }
   */
  default void refund() {}

  /**
   * As {@link #proceed()}, but charges nothing. A future that polls several others asks before each
   * of them, and if the answer is no goes on there in its next poll: one that uses up the budget of
   * every poll would else keep those behind it waiting for ever.
   *
   * @return false when the budget is used up; the task has been woken already
   */
  default boolean mayProceed() {
    if (!proceed()) {
      return false;
    }
    refund();
    return true;
  }

  /** A context without a budget, for those who poll futures by hand. */
  static Context of(Waker waker) {
    Objects.requireNonNull(waker, "waker");
    return new Context() {
      @Override
      public Waker waker() {
        return waker;
      }

      @Override
      public boolean proceed() {
        return true;
      }

      @Override
      public String toString() {
        return "Context[" + waker + "]";
      }
    };
  }
}
