package dev.blitz.io.internal.blocking;

import dev.blitz.io.future.ThrowingRunnable;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.current.Failures;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * What stops a blocking call instead of an interrupt. Runs at most once, on a thread that may
 * block, and only while the call runs: what it stops may be used for something else as soon as the
 * call has ended.
 */
/* Implementation notes
 *
 *   FROM    -> TO      | trigger                             | by
 *   WAITING -> RUNNING | begin: the call still runs          | the cancel lane's thread
 *   RUNNING -> OVER    | the action has returned or thrown   | the same
 *   WAITING -> OVER    | the call has ended                  | the call's thread
 *   WAITING -> OVER    | the call was taken out of the queue | whoever did that
 *
 * The call's thread waits while the state is RUNNING; nobody waits for one that has not begun. All under `lock`.
 */
final class CancelAction {
  private enum State {
    WAITING,
    RUNNING,
    OVER
  }

  /** Until the call has ended, which its handle may outlive for long. */
  private @Nullable ThrowingRunnable action;

  private final PinnedLock lock = new PinnedLock();
  private final Condition over = lock.newCondition();
  private State state = State.WAITING;

  CancelAction(ThrowingRunnable action) {
    this.action = action;
  }

  /** What the action throws is told, as of {@code what}. */
  void run(Failures failures, String what) {
    ThrowingRunnable mine = begin();
    if (mine == null) {
      return;
    }
    try {
      mine.run();
    } catch (Throwable t) {
      failures.uncaught("the cancel action of " + what, t);
    } finally {
      end();
    }
  }

  private @Nullable ThrowingRunnable begin() {
    lock.lock();
    try {
      if (state != State.WAITING) {
        return null;
      }
      state = State.RUNNING;
      return action;
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    lock.lock();
    try {
      state = State.OVER;
      over.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * From now on it does not begin; waits for one that has. Only for the call's thread, or for one
   * who ends a call that has not begun.
   */
  void callEnded() {
    lock.lock();
    try {
      while (state == State.RUNNING) {
        over.awaitUninterruptibly();
      }
      state = State.OVER;
      action = null;
    } finally {
      lock.unlock();
    }
  }
}
