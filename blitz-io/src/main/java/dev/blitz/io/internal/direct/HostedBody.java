package dev.blitz.io.internal.direct;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Debts;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.wait.PlainWaker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A direct task on the JDK's own scheduler, for JVMs that do not let us carry threads. The first
 * poll of the task starts the thread; the thread's end wakes the task, whose next poll takes the
 * outcome.
 */
/* Implementation notes
 *
 * It is the waker of what its thread awaits. `turn`, only by read-modify-writes but for the owner's look at it:
 *
 *   RUNNING -> PARKED    the thread, about to park
 *   any     -> WOKEN     wake, before the unpark
 *   PARKED  -> RUNNING   interrupt, before it does so
 *   any     -> RUNNING   the thread, before it polls again
 *
 * A wake that comes during the poll makes the next park return at once. For a manual clock, which must not skip time
 * while a thread runs, the host is told after the step to PARKED and by whoever ends that state: it may count a
 * thread that waits, never miss one that runs. A thread that waits by the JDK's means counts as running.
 */
final class HostedBody<T> extends DirectBody<T> implements PlainWaker {
  private static final int RUNNING = 0;
  private static final int PARKED = 1;
  private static final int WOKEN = 2;

  private static final VarHandle TURN = Fields.of(MethodHandles.lookup(), "turn", int.class);

  private volatile int turn;

  HostedBody(Object function) {
    super(function);
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    if (thread == null) {
      begin();
      return null;
    }
    return isEnded() ? takeOutcome() : null;
  }

  private void begin() {
    Thread t =
        Thread.ofVirtual()
            .inheritInheritableThreadLocals(false)
            .name(cell().threadName())
            .unstarted(() -> {
              Current.begin(this);
              run();
            });
    thread = t; // before the word says so: whoever cancels from then on interrupts it
    if (!cell().beginDirect()) {
      thread = null;
      throw new CancelledException(cell().label() + " was cancelled before it began");
    }
    cell().home().busy().add(1);
    try {
      t.start();
    } catch (Throwable failure) {
      cell().home().busy().add(-1);
      throw failure;
    }
  }

  @Override
  void ended() {
    cell().wake();
    cell().home().busy().add(-1);
  }

  @Override
  void interrupt() {
    if (TURN.compareAndSet(this, PARKED, RUNNING)) {
      cell().home().busy().add(1);
    }
    super.interrupt();
  }

  private void takeTurn(int next) {
    if ((int) TURN.getAndSet(this, next) == PARKED) {
      cell().home().busy().add(1);
    }
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // the yield of a virtual thread means what it says
  void park(Future<?> future) {
    if (turn == WOKEN) {
      takeTurn(RUNNING);
      Thread.yield(); // woken during its own poll: others first
      return;
    }
    Debts.pay();
    awaiting = future;
    try {
      if (TURN.compareAndSet(this, RUNNING, PARKED)) {
        cell().home().busy().add(-1);
        LockSupport.park(future);
      }
    } finally {
      takeTurn(RUNNING);
      awaiting = null;
    }
    budget = OPERATIONS_PER_POLL;
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // the yield of a virtual thread means what it says
  void forcedYield() {
    Thread.yield();
    budget = OPERATIONS_PER_POLL;
  }

  @Override
  public Waker waker() {
    return this;
  }

  @Override
  public void wake() {
    StackRoom.forWake();
    takeTurn(WOKEN);
    LockSupport.unpark(thread);
  }

  @Override
  public boolean isObsolete() {
    return isEnded();
  }
}
