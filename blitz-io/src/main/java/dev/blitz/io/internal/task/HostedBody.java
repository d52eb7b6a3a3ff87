package dev.blitz.io.internal.task;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Waker;
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
 * `parked` counts for a manual clock, which must not skip time while a thread runs: it is set before the host is told
 * that the thread waits, and whoever clears it (who wakes or interrupts the thread, before doing so, or the thread itself) tells that it runs. A
 * thread that waits by the JDK's means counts as running.
 *
 * It is the waker of what its thread awaits: `woken` is set before the unpark and cleared before each
 * poll (when the park before it ends), so a wake that comes during the poll makes the next park return at once.
 */
final class HostedBody<T> extends DirectBody<T> implements Waker {
  private static final ThreadLocal<@Nullable HostedBody<?>> HERE = new ThreadLocal<>();

  private static final VarHandle PARKED;

  static {
    try {
      PARKED = MethodHandles.lookup().findVarHandle(HostedBody.class, "parked", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile boolean woken;

  @SuppressWarnings("unused") // by PARKED
  private volatile boolean parked;

  HostedBody(Object function) {
    super(function);
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
    cell().host.hosted(1);
    try {
      t.start();
    } catch (Throwable failure) {
      cell().host.hosted(-1);
      throw failure;
    }
  }

  @Override
  void ended() {
    TaskHost host = cell().host;
    cell().wake();
    host.hosted(-1);
  }

  @Override
  void interrupt() {
    unparked();
    super.interrupt();
  }

  private void unparked() {
    if (PARKED.compareAndSet(this, true, false)) {
      cell().host.hosted(1);
    }
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
    parked = true;
    cell().host.hosted(-1);
    if (!woken) {
      LockSupport.park(future);
    }
    unparked();
    awaiting = null;
    woken = false;
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
    woken = true;
    unparked();
    LockSupport.unpark(thread);
  }

  @Override
  public boolean isObsolete() {
    return isEnded();
  }
}
