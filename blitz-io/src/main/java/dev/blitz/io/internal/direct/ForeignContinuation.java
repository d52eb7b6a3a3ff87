package dev.blitz.io.internal.direct;

import dev.blitz.io.internal.task.PollContext;
import dev.blitz.io.internal.task.QueueItem;

/**
 * The next stretch of a virtual thread that is no task: one that a task has started by the JDK's
 * own means, and which therefore has the task's scheduler. It is run, never cancelled nor counted,
 * and goes on elsewhere when the runtime has closed.
 */
public final class ForeignContinuation implements QueueItem {
  private final Runnable continuation;

  /** {@code continuation}: what the JDK gave to the scheduler. */
  public ForeignContinuation(Runnable continuation) {
    this.continuation = continuation;
  }

  @Override
  public void run(PollContext cx) {
    continuation.run();
  }

  @Override
  public void abandon(PollContext cx) {
    Leftovers.run(continuation);
  }

  @Override
  public void closing() {
    // It is not the runtime's to cancel.
  }

  @Override
  public String toString() {
    return "a thread that a task has started";
  }
}
