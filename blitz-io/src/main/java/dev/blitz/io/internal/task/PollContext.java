package dev.blitz.io.internal.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.current.TaskPoll;
import dev.blitz.io.internal.timer.RuntimeTimers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The context of a worker's polls: one per worker, used for one poll after the other. */
public final class PollContext implements Context, TaskPoll {
  private static final VarHandle TASK = Fields.of(MethodHandles.lookup(), "task", TaskCell.class);

  /** Operations that one poll may do before it must let others run. */
  public static final int OPERATIONS_PER_POLL = 128;

  private final int operationsPerPoll;

  /** Written by the worker only, in opaque mode: a close looks at it. */
  private @Nullable TaskCell<?> task;

  private int budget;
  private boolean again;
  private long forcedYields;

  /** {@code operationsPerPoll}: what one poll may do before it must let others run. */
  public PollContext(int operationsPerPoll) {
    this.operationsPerPoll = operationsPerPoll;
  }

  void begin(TaskCell<?> task) {
    TASK.setOpaque(this, task);
    budget = operationsPerPoll;
    again = false;
  }

  void end() {
    TASK.setOpaque(this, (TaskCell<?>) null);
  }

  @Override
  public boolean goOnAtOnce() {
    again = true;
    return true;
  }

  boolean goesOnAtOnce() {
    return again;
  }

  /** As {@link #task}, for any thread: what was being polled at some moment. */
  public @Nullable TaskCell<?> peekTask() {
    return (TaskCell<?>) TASK.getOpaque(this);
  }

  /** A context for the same worker, which is about to change threads in the middle of a poll. */
  public PollContext successor() {
    var next = new PollContext(operationsPerPoll);
    next.forcedYields = forcedYields;
    return next;
  }

  @Override
  public @Nullable TaskCell<?> task() {
    return task;
  }

  @Override
  public @Nullable RuntimeTimers timers() {
    TaskCell<?> now = task;
    return now == null ? null : now.home().timers();
  }

  @Override
  public Waker waker() {
    TaskCell<?> now = task;
    if (now == null) {
      throw new IllegalStateException(
          "this context's poll has ended: a future may keep the waker, never the context");
    }
    return now;
  }

  @Override
  public boolean proceed() {
    if (budget > 0) {
      budget--;
      return true;
    }
    forcedYields++;
    waker().wake();
    return false;
  }

  @Override
  public void refund() {
    if (budget < operationsPerPoll) {
      budget++;
    }
  }

  /** The thread of a direct task, which has its own budget, has used that up. */
  public void countForcedYield() {
    forcedYields++;
  }

  /** How often a poll used up its budget. */
  public long forcedYields() {
    return forcedYields;
  }

  @Override
  public String toString() {
    TaskCell<?> now = task;
    return now == null ? "Context[between polls]" : "Context[" + now.label() + "]";
  }
}
