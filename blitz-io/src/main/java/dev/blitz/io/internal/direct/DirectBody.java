package dev.blitz.io.internal.direct;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingRunnable;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.internal.base.Frames;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.current.CallLimit;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.current.TaskPoll;
import dev.blitz.io.internal.task.LambdaResult;
import dev.blitz.io.internal.task.PollContext;
import dev.blitz.io.internal.task.TaskCell;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.wait.AwaitingPlace;
import dev.blitz.io.internal.wait.SafeCalls;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The inside of a direct task: its thread, what it awaits, its budget and its outcome. It is the
 * future that the task cell polls, and the context in which the thread polls what it awaits.
 */
/* Implementation notes
 *
 * Two subclasses: CarriedBody runs on our workers, HostedBody on the JDK's scheduler. What is here belongs to
 * the task's own thread, with these exceptions:
 *   cell, thread    written once before the thread starts
 *   awaiting        written by the thread before it parks and after; read by the cell's next poll, which the
 *                   cell's word orders after that, and without order by dumps
 *   work, ended     written by the thread at its end; read by the poll that finds it ended, and by those who
 *                   ask whether it has: they get an answer of some moment
 */
abstract sealed class DirectBody<T> extends AwaitingPlace
    implements Future<T>, Context, TaskPoll, Runnable permits CarriedBody, HostedBody {

  /** What a lambda has ended with: its value, or this. */
  private record Failure(Throwable cause) {}

  /** As for the polls of other tasks. */
  static final int OPERATIONS_PER_POLL = PollContext.OPERATIONS_PER_POLL;

  /**
   * First the function, a ThrowingSupplier or a ThrowingRunnable, called as it is, since each frame
   * costs memory; at last what it has ended with.
   */
  private @Nullable Object work;

  private @Nullable DirectCell<T> cell;
  @Nullable Thread thread;
  @Nullable Future<?> awaiting;
  private boolean polling;
  private boolean inPlace;
  private boolean ended;
  int budget;

  /** The budget was used up in this poll, whatever has been given back since. */
  private boolean refused;

  DirectBody(Object function) {
    this.work = function;
    this.budget = OPERATIONS_PER_POLL;
  }

  /** For the mode that this JVM allows. */
  static <T> DirectBody<T> of(Object function) {
    return CarrierAccess.isOwn() ? new CarriedBody<>(function) : new HostedBody<>(function);
  }

  /** The body whose thread is the calling one, or null. */
  static @Nullable DirectBody<?> current() {
    return (DirectBody<?>) Current.direct();
  }

  final void bind(DirectCell<T> cell) {
    this.cell = cell;
  }

  final DirectCell<T> cell() {
    DirectCell<T> c = cell;
    if (c == null) {
      throw new IllegalStateException("a direct task without its cell");
    }
    return c;
  }

  @Override
  public final TaskCell<?> task() {
    return cell();
  }

  @Override
  public final RuntimeTimers timers() {
    return home().timers();
  }

  @Override
  public final Home home() {
    return cell().home();
  }

  @Override
  public final Object currentTask() {
    return cell();
  }

  @Override
  protected final boolean isOf(Thread thread) {
    return this.thread == thread;
  }

  // --- The thread ---

  /** The thread's own code. */
  @Override
  public final void run() {
    Object end;
    try {
      Object function = work;
      work = null;
      if (function instanceof ThrowingRunnable action) {
        action.run();
        end = Done.DONE;
      } else if (function instanceof ThrowingSupplier<?> supplier) {
        end = LambdaResult.check(supplier.get(), supplier, cell());
      } else {
        throw new IllegalStateException(cell().label() + " has run before");
      }
    } catch (Throwable t) {
      end = new Failure(t);
    }
    work = end;
    ended = true;
    ended();
  }

  /** The lambda has ended; on its thread. */
  abstract void ended();

  final boolean isEnded() {
    return ended;
  }

  /** For the poll that finds the lambda ended: its value, or what it threw. */
  @SuppressWarnings("unchecked") // what run has put there
  final T takeOutcome() throws Exception {
    Object end = work;
    release();
    if (end instanceof Failure f) {
      switch (f.cause()) {
        case Exception e -> throw e;
        case Error e -> throw e;
        case Throwable other -> throw Telling.unchecked(other);
      }
    }
    if (end == null) {
      throw new IllegalStateException(cell().label() + " has not ended");
    }
    work = null; // the cell has it now
    return (T) end;
  }

  /** The thread has terminated: a handle that is kept need not keep it, nor what it used. */
  void release() {
    thread = null;
    setBindings(null);
  }

  /** Interrupts the thread, on behalf of a cancel. */
  void interrupt() {
    Thread t = thread;
    if (t != null) {
      SafeCalls.interrupt(t, home());
      wasInterrupted();
    }
  }

  /** A wake that the cell cannot act upon any more, because a close has given the task up. */
  final void wakeOrphan() {
    Thread t = thread;
    if (t != null && !isEnded()) {
      LockSupport.unpark(t);
    }
  }

  /**
   * A wake while a worker has the thread mounted: it may be pinned and park on the worker itself. A
   * wake by the thread itself is noted in the word, and seen before the thread parks.
   */
  final void wakeMounted() {
    Thread t = thread;
    if (t != Thread.currentThread()) {
      LockSupport.unpark(t);
    }
  }

  final StackTraceElement[] threadStack() {
    Thread t = thread;
    return t == null ? new StackTraceElement[0] : t.getStackTrace();
  }

  @Override
  public void drop() {
    // Only before the thread begins; from then on the thread ends the task.
    work = null;
  }

  // --- Awaiting ---

  @Override
  public final <V> @Nullable V await(Future<V> future) throws Exception {
    if (inPlace) {
      throwIfCancelled(future); // sticky as elsewhere
      return null; // inside a blockInPlace it blocks the carrier
    }
    if (polling) {
      throw new IllegalStateException(
          "await() of "
              + Telling.of(future)
              + " inside the poll of another future: combine them, for example"
              + " with andThen, instead of waiting in a poll");
    }
    throwIfCancelled(future);
    if (budget <= 0) {
      forcedYield();
    }
    for (; ; ) {
      int before = budget;
      V value = poll(future);
      if (value != null) {
        if (budget == before) {
          budget--; // a future that charges nothing itself: the await counts as one operation
        }
        return value;
      }
      throwIfInterrupted(future);
      try {
        park(future);
        if (budget <= 0 || refused) {
          refused = false;
          forcedYield();
        }
      } catch (Throwable t) { // the JDK overflows when the thread is too deep to be moved
        dropPolled(future);
        throw t;
      }
      throwIfInterrupted(future);
    }
  }

  private void dropPolled(Future<?> future) {
    boolean pinned = CarrierAccess.pin();
    polling = true;
    try {
      SafeCalls.drop(future);
    } finally {
      polling = false;
      if (pinned) {
        CarrierAccess.unpin();
      }
    }
  }

  private <V> @Nullable V poll(Future<V> future) throws Exception {
    boolean pinned = CarrierAccess.pin(); // the future is written for workers: see CarrierAccess
    polling = true;
    try {
      return future.poll(this);
    } finally {
      polling = false;
      if (pinned) {
        CarrierAccess.unpin();
      }
    }
  }

  /** Whether its thread is inside a poll, pinned to its carrier; only for that thread. */
  @Override
  public final boolean isPolling() {
    return polling;
  }

  /** Until the waker is woken, the thread is interrupted, or for no reason. */
  abstract void park(Future<?> future);

  /** Lets others run because the budget is used up, and begins a new one. */
  abstract void forcedYield();

  private void throwIfCancelled(Future<?> future) {
    if (cell().isCancelledHere()) {
      Thread.currentThread().interrupt(); // kept, or set again if the code has swallowed it
      throw giveUp(future, cell().label() + " was cancelled; it does not wait for ");
    }
    CallLimit limit = limit();
    if (limit != null && limit.isPassed()) {
      Thread.currentThread().interrupt();
      throw giveUp(future, "the limit of a block has passed; it does not wait for ");
    }
  }

  private void throwIfInterrupted(Future<?> future) {
    if (Thread.currentThread().isInterrupted() || cell().isCancelledHere()) {
      Thread.currentThread().interrupt();
      throw giveUp(
          future,
          cell().isCancelRequested()
              ? cell().label() + " was cancelled while waiting for "
              : "interrupted while waiting for ");
    }
  }

  private CancelledException giveUp(Future<?> future, String why) {
    try {
      return new CancelledException(why + Telling.of(future)); // as it is before the drop
    } finally {
      dropPolled(future); // also if its toString throws
    }
  }

  // --- Blocking in place ---

  /** Whether the thread keeps its carrier whatever it waits for, inside a blockInPlace. */
  final boolean isInPlace() {
    return inPlace;
  }

  final void setInPlace(boolean inPlace) {
    this.inPlace = inPlace;
  }

  // --- As a context ---

  @Override
  public final boolean proceed() {
    if (budget > 0) {
      budget--;
      return true;
    }
    refused = true;
    waker().wake();
    return false;
  }

  @Override
  public final void refund() {
    if (budget < OPERATIONS_PER_POLL) {
      budget++;
    }
  }

  // --- Looking in ---

  @Override
  public final String toString() {
    Thread t = thread;
    if (t == null) {
      return "its first turn";
    }
    Future<?> waitsFor = awaiting;
    String where = Frames.at(t.getStackTrace());
    return waitsFor != null
        ? waitsFor + where
        : "thread #" + t.threadId() + " (" + t.getState() + where + ")";
  }
}
