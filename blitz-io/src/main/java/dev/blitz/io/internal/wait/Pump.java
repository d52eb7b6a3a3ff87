package dev.blitz.io.internal.wait;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.current.Uncaught;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs something on an executor whenever it is woken, never twice at a time: the way signals are
 * delivered to a subscriber. Executors of all kinds will do: those that queue, that run at once,
 * that throw, and that run twice what they were given once.
 */
/* Implementation notes
 *
 *   FROM       TO         trigger                                    actor
 *   IDLE       SCHEDULED  wake                                       anyone, who then calls the executor
 *   SCHEDULED  RUNNING    run                                        the executor
 *   SCHEDULED  RUNNING    the executor threw                         who called it: ends the pump
 *   SCHEDULED  INLINE     run, called by the executor in the very call of the pump    the executor
 *   INLINE     RUNNING    that call has returned                     the pump goes on: no recursion
 *   RUNNING    AGAIN      wake                                       anyone
 *   AGAIN      RUNNING    the pump has done what it could            the pump, for another round
 *   RUNNING    IDLE       the same                                   the pump
 *   RUNNING, AGAIN  SCHEDULED  the batch is over, or many rounds    the pump, which then calls the executor
 * All of them by CAS, but for the last. A stray run (of an executor that runs twice what it was given once, or throws
 * and yet runs it) finds another state and does nothing.
 */
public abstract class Pump implements Runnable, Waker {
  private static final int IDLE = 0;
  private static final int SCHEDULED = 1;
  private static final int RUNNING = 2;
  private static final int AGAIN = 3;
  private static final int INLINE = 4;

  /** Rounds in one turn: what wakes itself and gets nowhere must not keep the executor's thread. */
  private static final int MOST_ROUNDS = 16;

  private final Executor executor;
  private final AtomicInteger state = new AtomicInteger();

  /** The thread of the pump while it calls the executor for its next turn. */
  private final AtomicReference<@Nullable Thread> caller = new AtomicReference<>();

  /** Idle until it is woken. */
  protected Pump(Executor executor) {
    this.executor = executor;
  }

  /** Does what can be done, up to a batch; true if there is more to do. Throws nothing. */
  protected abstract boolean pump();

  /** The executor has refused: nothing more will be done. */
  protected abstract void end();

  @Override
  public final void wake() {
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
   * Starts the pump. An executor that throws, whatever it throws, ends it: nobody will take what it
   * was woken for, so the next who wants that must be.
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
  public final void run() {
    if (caller.get() == Thread.currentThread()) {
      state.compareAndSet(SCHEDULED, INLINE);
      return;
    }
    if (!state.compareAndSet(SCHEDULED, RUNNING)) {
      return;
    }
    for (int rounds = 0; ; ) {
      boolean more = pump();
      if (!more) {
        if (state.compareAndSet(RUNNING, IDLE)) {
          return;
        }
        state.set(RUNNING); // it was AGAIN
        more = ++rounds == MOST_ROUNDS;
      }
      if (more) {
        if (!nextTurn()) {
          return;
        }
        rounds = 0;
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
}
