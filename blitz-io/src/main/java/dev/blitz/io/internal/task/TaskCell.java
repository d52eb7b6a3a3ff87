package dev.blitz.io.internal.task;

import dev.blitz.io.future.Future;
import dev.blitz.io.internal.base.Frames;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.wait.PlainWaker;
import org.jspecify.annotations.Nullable;

/**
 * A task: state word, future, result, waiters and queue links in one object, which is also its
 * waker and its join handle.
 */
/* Implementation notes
 *
 * Fields beside those of JoinCell:
 *   ownedPrev, -Next   guarded by the lock of the task's shard in OwnedTasks
 *   owned              only the thread that runs the task
 *   held               whoever has the task: the worker that puts it into a queue, then the one that takes it out
 *
 * A task that goes on at once is held: it waits in a queue with its word RUNNING. Nobody needs to tell that from a
 * task that is being polled: a wake or a cancel is noted in the word either way, and the next poll looks. It
 * spares two read-modify-writes for each yield.
 */
public class TaskCell<T> extends JoinCell<T> implements PlainWaker, QueueItem {
  /** Links of the list of tasks that have been idle. */
  public @Nullable TaskCell<?> ownedPrev;

  /** See {@link #ownedPrev}. */
  public @Nullable TaskCell<?> ownedNext;

  /** Which of those lists it is in; as {@link #owned}. */
  public short ownedShard;

  /** Where it lives. */
  protected final Schedule schedule;

  private boolean owned;
  private boolean held;

  /** A new task is scheduled: the caller puts it into a queue. */
  public TaskCell(Schedule schedule, Future<? extends T> future, @Nullable TaskExtras extras) {
    super(future, extras);
    this.schedule = schedule;
  }

  @Override
  public final Home home() {
    return schedule.home();
  }

  @SuppressWarnings("unchecked") // what the constructor put there
  private Future<? extends T> future() {
    return (Future<? extends T>) work();
  }

  @Override
  public void wake() {
    StackRoom.forWake();
    if (wakeTransition() == Action.ENQUEUE) {
      schedule.schedule(this);
    }
  }

  @Override
  public boolean isObsolete() {
    return isComplete();
  }

  @Override
  public final boolean cancel() {
    StackRoom.forWake();
    CancelRequest request = cancelTransition();
    act(request);
    return request != CancelRequest.REFUSED;
  }

  private void act(CancelRequest request) {
    switch (request) {
      case REFUSED, NOTED -> {}
      case ENQUEUE -> schedule.schedule(this);
      case INTERRUPT -> {
        try {
          interrupt();
        } finally {
          endInterrupting();
        }
      }
    }
  }

  /** Interrupts the task's own thread. */
  protected void interrupt() {
    throw new IllegalStateException(this + " has no thread");
  }

  @Override
  public final void closing() {
    cancel();
  }

  /**
   * One poll, on the worker that owns {@code cx}; the task has been taken from a queue. Whatever
   * the future throws stays in the task.
   */
  @Override
  public final void run(PollContext cx) {
    if (take() == Action.DROP) {
      dropAndFinish(cx);
      return;
    }
    T value;
    cx.begin(this);
    try {
      value = future().poll(cx);
    } catch (Throwable t) {
      cx.end();
      leave();
      endedBy(t);
      return;
    }
    cx.end();
    if (value != null) {
      leave();
      succeed(value);
      return;
    }
    if (!owned) {
      owned = true;
      schedule.own(this);
    }
    switch (cx.goesOnAtOnce() ? toHeld() : toIdle()) {
      case ENQUEUE -> {
        held = true;
        schedule.reschedule(this);
      }
      case DROP -> dropAndFinish(cx);
      default -> {} // idle: it may be running elsewhere by now
    }
  }

  /** The task has been taken from a queue. */
  protected final Action take() {
    if (!held) {
      return toRunning();
    }
    held = false;
    return resume();
  }

  /** Ends a scheduled task without running it: the runtime has closed. */
  @Override
  public void abandon(PollContext cx) {
    take();
    dropAndFinish(cx);
  }

  /** The poll threw {@code t}. */
  protected void endedBy(Throwable t) {
    fail(t);
  }

  private void dropAndFinish(PollContext cx) {
    cx.begin(this);
    try {
      future().drop();
    } catch (Throwable t) { // the task must end, and its worker go on
      tryTell("drop() of", t);
    }
    cx.end();
    finishWithoutResult();
  }

  protected final void finishWithoutResult() {
    leave();
    endCancelled();
  }

  /** Each end is counted, whatever telling of a failed close throws: a close waits for all. */
  protected final void endCancelled() {
    try {
      finishCancelled();
    } finally {
      schedule.ended();
    }
  }

  private void succeed(T value) {
    try {
      finishWith(value);
    } finally {
      schedule.ended();
    }
  }

  private void fail(Throwable t) {
    try {
      finishFailed(t);
    } finally {
      schedule.ended();
    }
  }

  private void leave() {
    if (owned) {
      schedule.disown(this);
    }
  }

  /** Defers cancellation until the matching {@link #unshield}; only while running. */
  public void shield() {
    enterShield();
  }

  /** Ends the innermost {@link #shield}; only while running. */
  public void unshield() {
    exitShield();
  }

  /**
   * Ends one {@link #shield} on any thread and at any time: the future that had it has ended, or
   * goes on in another task.
   */
  public final void unshieldFromAnywhere() {
    StackRoom.forWake();
    act(endShield());
  }

  /**
   * What an idle task waits for, for a dump. Racy by nature: the future may be running meanwhile,
   * so whatever its {@code toString} does or throws is only text here.
   */
  public final String describeWait() {
    try {
      return describeState() + " waits for " + work();
    } catch (Throwable e) {
      return describeState();
    }
  }

  /** What a task does that {@code thread} is polling, for a dump. */
  public final String describeRun(Thread thread, StackTraceElement[] stack) {
    return describeState() + " runs on " + thread.getName() + Frames.at(stack);
  }

  private String describeState() {
    return label() + " [" + describe(word()) + "]";
  }

  /** The stack of its own thread; empty if it has none. */
  public StackTraceElement[] threadStack() {
    return new StackTraceElement[0];
  }
}
