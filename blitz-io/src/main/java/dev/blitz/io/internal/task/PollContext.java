package dev.blitz.io.internal.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Waker;
import org.jspecify.annotations.Nullable;

/** The context of a worker's polls: one per worker, used for one poll after the other. */
public final class PollContext implements Context {
  private final int operationsPerPoll;
  private @Nullable TaskCell<?> task;
  private int budget;
  private long forcedYields;

  /** {@code operationsPerPoll}: what one poll may do before it must let others run. */
  public PollContext(int operationsPerPoll) {
    this.operationsPerPoll = operationsPerPoll;
  }

  void begin(TaskCell<?> task) {
    this.task = task;
    budget = operationsPerPoll;
  }

  void end() {
    task = null;
  }

  /** The task that is being polled, or null between polls. */
  public @Nullable TaskCell<?> task() {
    return task;
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
    if (--budget >= 0) {
      return true;
    }
    forcedYields++;
    waker().wake();
    return false;
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
