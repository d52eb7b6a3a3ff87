package dev.blitz.io.internal.blocking;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.base.Frames;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.internal.task.LambdaResult;
import dev.blitz.io.internal.task.TaskExtras;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A task of the blocking pool: one call on one thread. */
/* Implementation notes
 *
 * place, runner, interrupters and the move to RUNNING are guarded by the pool's lock, so whatever is in the
 * pool's list of running cells can be ended. An interrupt may run others' code (a channel's close), so it is sent
 * without the lock, by somebody who has counted himself among the interrupters while runner was set. The
 * thread clears runner, waits until there are no interrupters, and clears its interrupt status after that: an
 * interrupt never reaches the next task.
 */
final class BlockingCell<T> extends JoinCell<T> {
  private final BlockingPool pool;
  final boolean mandatory;
  final Place place = new Place(this);
  @Nullable Thread runner;
  int interrupters;
  private boolean cancelledBefore;
  private final @Nullable CancelAction action;

  /** What runs the action; made with the call, since a cancel may find no memory for it. */
  private final @Nullable BlockingCell<Done> stopper;

  /** Who ends the task: the thread that runs it, or a close whose deadline has passed. */
  private final AtomicBoolean ending = new AtomicBoolean();

  BlockingCell(
      BlockingPool pool,
      ThrowingSupplier<? extends T> body,
      boolean mandatory,
      @Nullable TaskExtras extras) {
    super(body, extras == null ? null : extras.withoutOnCancel());
    this.pool = pool;
    this.action =
        extras == null || extras.onCancel() == null ? null : new CancelAction(extras.onCancel());
    this.stopper = action == null ? null : pool.stopper(this, action);
    this.mandatory = mandatory;
  }

  /** Its place in a list of the pool: of those that wait, or of those that run. */
  static final class Place extends Link {
    final BlockingCell<?> cell;

    private Place(BlockingCell<?> cell) {
      this.cell = cell;
    }
  }

  BlockingPool pool() {
    return pool;
  }

  @Override
  protected Home home() {
    return pool.home();
  }

  /** The pool's thread has taken it from the queue; under the pool's lock. */
  void begin(Thread thread) {
    runner = thread;
    cancelledBefore = toRunning() == Action.DROP;
  }

  /** Runs the call on the pool's thread, unless it was cancelled before. */
  void run() {
    if (cancelledBefore || isDone()) {
      endWithoutResult();
      return;
    }
    T value;
    try {
      value = call();
    } catch (Throwable t) {
      if (isCancelRequested() && t instanceof Exception) {
        endWithoutResult();
      } else if (ending.compareAndSet(false, true)) {
        finishFailed(t);
      }
      return;
    }
    if (ending.compareAndSet(false, true)) {
      finishWith(value);
    }
  }

  @SuppressWarnings("unchecked") // a T, or what JoinCell takes for none
  private T call() throws Exception {
    ThrowingSupplier<? extends T> body = body();
    try {
      return (T) LambdaResult.check(body.get(), body, this);
    } finally {
      if (action != null) {
        action.callEnded(); // before anybody sees the end, and uses what the action would stop
      }
    }
  }

  /** Ends a running task as cancelled, whatever its call still does. */
  void endWithoutResult() {
    if (ending.compareAndSet(false, true)) {
      finishCancelled();
    }
  }

  void cancelUnlessMandatory() {
    if (!mandatory) {
      cancel();
    }
  }

  /** What it does on {@code thread}, for a dump. */
  String describeRun(Thread thread) {
    return label() + " blocks " + thread.getName() + Frames.at(thread.getStackTrace());
  }

  @SuppressWarnings("unchecked") // what the constructor put there
  private ThrowingSupplier<? extends T> body() {
    return (ThrowingSupplier<? extends T>) work();
  }

  /** Ends it if no thread has begun it; it is left alone otherwise. */
  void withdraw() {
    if (pool.removeQueued(this)) {
      endUnbegun();
    }
  }

  /** It has been taken out of the queue. */
  private boolean endUnbegun() {
    boolean asked = cancelTransition() != CancelRequest.REFUSED;
    toRunning();
    if (action != null) {
      action.callEnded();
    }
    endWithoutResult();
    return asked;
  }

  @Override
  public boolean cancel() {
    StackRoom.forCalls();
    if (pool.removeQueued(this)) {
      return endUnbegun();
    }
    boolean asked = cancelTransition() != CancelRequest.REFUSED;
    if (stopper == null) {
      if (asked) {
        pool.interruptRunner(this);
      }
    } else if (!isDone()) {
      pool.stop(this, stopper); // also again: there may have been no thread for it
    }
    return asked;
  }
}
