package dev.blitz.io.internal.direct;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Debts;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.current.Turn;
import dev.blitz.io.internal.wait.PlainWaker;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A direct task on the JDK's own scheduler, for JVMs that do not let us carry threads. The first
 * poll of the task starts the thread; the thread's end wakes the task, whose next poll takes the
 * outcome.
 */
/* Implementation notes
 *
 * It is the waker of what its thread awaits; Turn is the protocol. A thread that waits by the JDK's means counts as
 * running.
 */
final class HostedBody<T> extends DirectBody<T> implements PlainWaker {
  /** Written before the thread, with which others find it. */
  private @Nullable Turn turn;

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
    turn = new Turn(home().busy());
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
    if (turn != null) {
      turn.interrupt();
    }
    super.interrupt();
  }

  private Turn turn() {
    return Objects.requireNonNull(turn);
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // the yield of a virtual thread means what it says
  void park(Future<?> future) {
    Turn turn = turn();
    if (turn.isWoken()) {
      turn.poll();
      Thread.yield(); // woken during its own poll: others first
      return;
    }
    Debts.pay();
    awaiting = future;
    try {
      if (turn.park()) {
        LockSupport.park(future);
      }
    } finally {
      turn.poll();
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
    turn().wake();
    LockSupport.unpark(thread);
  }

  @Override
  public boolean isObsolete() {
    return isEnded();
  }
}
