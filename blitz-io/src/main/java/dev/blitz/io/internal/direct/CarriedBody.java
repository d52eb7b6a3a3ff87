package dev.blitz.io.internal.direct;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.internal.current.RuntimeThread;
import dev.blitz.io.internal.task.PollContext;
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
 *   Thread.yield; unparked while parking     execute by the carrier   at the end of the poll, to the ring's tail
 *   a poll of a thread that cannot run       returns at once          idle again
 *
 * execute() never throws and never loses a call: while the cell lives it becomes a wake, after a close that gave the
 * task up it goes to Leftovers. Either its wake comes before the cell's completion, then abandon() runs the
 * continuation once more; or it sees COMPLETE.
 *
 * Threads started inside the task inherit this scheduler: their continuations are foreign, and go into the queues as
 * they are.
 *   continuation   written by the first execute(), inside the first poll; read by later polls and by execute(), which
 *                  the JDK's thread state and the cell's word order after it
 *   pollerId       the thread inside poll(); compared with the caller's own number, so a stale read never matches
 *   again          only the thread inside poll()
 */
final class CarriedBody<T> extends DirectBody<T> implements Executor {
  /** The continuation of a thread that has ended: what comes later is not its. */
  private enum Ended implements Runnable {
    ENDED;

    @Override
    public void run() {}
  }

  private @Nullable Runnable continuation;

  /**
   * The number of the platform thread that is inside {@link #poll}, 0 if none is. A number and not
   * the thread: storing a reference costs the collector's barrier, twice in each poll.
   */
  private long pollerId;

  /** Set by execute() inside the poll: the thread can go on at once. */
  private boolean again;

  CarriedBody(Object function) {
    super(function);
  }

  // --- Polled by a worker ---

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    pollerId = Thread.currentThread().threadId();
    budget = OPERATIONS_PER_POLL;
    try {
      Runnable r = continuation;
      if (r == null) {
        r = begin();
      } else if (awaiting != null) {
        LockSupport.unpark(thread); // what it awaits may be ready: tells the JDK that it can run
      }
      again = false;
      r.run();
    } finally {
      pollerId = 0;
    }
    if (isEnded()) {
      return takeOutcome();
    }
    if (again && cx instanceof PollContext p) {
      p.goOnAtOnce();
    }
    return null;
  }

  private Runnable begin() {
    Thread t = CarrierAccess.newThread(this, cell().threadName(), this);
    thread = t; // before the word says so: whoever cancels from then on interrupts it
    if (!cell().beginDirect()) {
      thread = null;
      throw new CancelledException(cell().label() + " was cancelled before it began");
    }
    if (cell().home().isClosing()) {
      cell().cancel(); // pairs with the fence in Closing, by the RMW above
    }
    CarrierAccess.start(
        t, cell().home().taskThreads().listing()); // calls execute() with the continuation
    Runnable r = continuation;
    if (r == null) {
      throw new IllegalStateException("the JDK did not submit the thread it started");
    }
    return r;
  }

  // --- As the scheduler of its thread ---

  @Override
  public void execute(Runnable r) {
    Runnable own = continuation;
    if (own == null) {
      continuation = r;
    } else if (own != r) {
      cell().carry(r);
    } else if (pollerId == Thread.currentThread().threadId()) {
      again = true; // by the carrier, with the thread just unmounted: the poll sees to it
    } else {
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
    try {
      LockSupport.park(future);
    } finally {
      awaiting = null;
    }
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // the yield of a virtual thread means what it says
  void forcedYield() {
    if (CarrierAccess.currentCarrier() instanceof RuntimeThread t) {
      t.countForcedYield();
    }
    Thread.yield();
    budget = OPERATIONS_PER_POLL; // pinned by the caller's own frames it could not yield
  }

  @Override
  void release() {
    super.release();
    continuation = Ended.ENDED; // the JDK's refers to the thread
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
