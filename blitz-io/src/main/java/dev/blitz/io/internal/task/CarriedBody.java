package dev.blitz.io.internal.task;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.future.Waker;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A direct task whose thread is carried by our workers: a poll of the task mounts it. */
/* Implementation notes
 *
 * It is also the scheduler of its thread, so what the JDK hands to execute() is known to belong to this task.
 * The JDK's word says whether the thread can run, the cell's word whether the task is in a queue:
 *
 *   event                                    JDK                      cell
 *   unpark, interrupt, time-out, unblock     UNPARKED, then execute   wake: queued, or notified if running
 *   the waker of an await is woken           PARKED                   wake; the poll then unparks the thread
 *   the same, before the thread has parked   unparked                 notified; the thread may be pinned
 *   Thread.yield; unparked while parking     execute by the carrier   notified, since running: the ring's tail
 *   a poll of a thread that cannot run       returns at once          idle again
 *
 * execute() never throws and never loses a call: while the cell lives it becomes a wake, after a close that gave the task
 * up it goes to Leftovers. Either its wake comes before the cell's completion, then abandon() runs the
 * continuation once more; or it sees COMPLETE.
 *
 * Threads started inside the task inherit this scheduler: their continuations are foreign, and go into the queues as they are.
 *   continuation   written by the first execute(), inside the first poll; read by later polls and by execute(), which the JDK's
 *                  thread state and the cell's word order after it
 *   unparker       the thread that is inside resume(); compared with the caller's identity, so a stale read never matches
 */
final class CarriedBody<T> extends DirectBody<T> implements Executor {
  private @Nullable Runnable continuation;
  private @Nullable Thread unparker;
  private @Nullable PollContext worker;

  CarriedBody(ThrowingSupplier<? extends T> body, Object origin, int operationsPerPoll) {
    super(body, origin, operationsPerPoll);
  }

  static @Nullable DirectBody<?> of(Thread virtual) {
    return CarrierAccess.schedulerOf(virtual) instanceof CarriedBody<?> b && b.thread == virtual
        ? b
        : null;
  }

  // --- Polled by a worker ---

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    worker = cx instanceof PollContext p ? p : null;
    budget = operationsPerPoll;
    Runnable r = continuation;
    if (r == null) {
      r = begin();
    } else if (awaiting != null) {
      resume();
    }
    r.run();
    return isEnded() ? takeOutcome() : null;
  }

  private Runnable begin() {
    Thread t = CarrierAccess.newThread(this, cell().threadName(), this);
    thread = t; // before the word says so: whoever cancels from then on interrupts it
    if (!cell().beginDirect()) {
      thread = null;
      throw new CancelledException(cell().label() + " was cancelled before it began");
    }
    if (cell().host.isClosing()) {
      cell().cancel(); // pairs with the fence in Scheduler.beginClosing, by the RMW above
    }
    t.start(); // calls execute() with the continuation
    Runnable r = continuation;
    if (r == null) {
      throw new IllegalStateException("the JDK did not submit the thread it started");
    }
    return r;
  }

  /** What the thread awaits may be ready: lets the JDK know that it can run. */
  private void resume() {
    unparker = Thread.currentThread();
    LockSupport.unpark(thread);
    unparker = null;
  }

  // --- As the scheduler of its thread ---

  @Override
  public void execute(Runnable r) {
    Runnable own = continuation;
    if (own == null) {
      continuation = r;
    } else if (own != r) {
      cell().host.carry(r);
    } else if (unparker != Thread.currentThread()) {
      cell().wakeThread(r);
    }
  }

  // --- On the thread ---

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // the yield of a virtual thread means what it says
  void park(Future<?> future) {
    if (cell().isNotified()) {
      Thread.yield(); // woken during its own poll: behind the others, as any task
      if (cell().isNotified()) {
        cell()
            .clearNotified(); // no worker does if the thread is pinned or an orphan: it would spin
      }
      return;
    }
    awaiting = future;
    LockSupport.park(future);
    awaiting = null;
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // the yield of a virtual thread means what it says
  void forcedYield() {
    PollContext w = worker;
    if (w != null) {
      w.countForcedYield();
    }
    Thread.yield();
    budget = operationsPerPoll; // pinned by the caller's own frames it could not yield
  }

  @Override
  void ended() {
    // The poll that mounted the thread looks by itself.
  }

  /** The runtime has closed: whatever the thread still does, it does elsewhere. */
  void handToLeftovers() {
    Runnable r = continuation;
    if (r != null) {
      Leftovers.run(r);
    }
  }

  @Override
  public Waker waker() {
    return cell();
  }
}
