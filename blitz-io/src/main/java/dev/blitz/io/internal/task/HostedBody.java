package dev.blitz.io.internal.task;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.future.Waker;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A direct task on the JDK's own scheduler, for JVMs that do not let us carry threads. The first
 * poll of the task starts the thread; the thread's end wakes the task, whose next poll takes the
 * outcome.
 */
/* Implementation notes
 *
 * It is the waker of what its thread awaits: `woken` is set before the unpark and cleared before each
 * poll (when the park before it ends), so a wake that comes during the poll makes the next park return at once.
 */
final class HostedBody<T> extends DirectBody<T> implements Waker {
  private static final ThreadLocal<@Nullable HostedBody<?>> HERE = new ThreadLocal<>();

  private volatile boolean woken;

  HostedBody(ThrowingSupplier<? extends T> body, Object origin, int operationsPerPoll) {
    super(body, origin, operationsPerPoll);
  }

  static @Nullable DirectBody<?> here() {
    return HERE.get();
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
              HERE.set(this);
              run();
            });
    thread = t; // before the word says so: whoever cancels from then on interrupts it
    if (!cell().beginDirect()) {
      thread = null;
      throw new CancelledException(cell().label() + " was cancelled before it began");
    }
    t.start();
  }

  @Override
  void ended() {
    cell().wake();
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // the yield of a virtual thread means what it says
  void park(Future<?> future) {
    if (woken) {
      woken = false;
      Thread.yield(); // woken during its own poll: others first
      return;
    }
    awaiting = future;
    LockSupport.park(future);
    awaiting = null;
    woken = false;
    budget = operationsPerPoll;
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // the yield of a virtual thread means what it says
  void forcedYield() {
    Thread.yield();
    budget = operationsPerPoll;
  }

  @Override
  public Waker waker() {
    return this;
  }

  @Override
  public void wake() {
    woken = true;
    LockSupport.unpark(thread);
  }

  @Override
  public boolean isObsolete() {
    return isEnded();
  }
}
