package dev.blitz.io.internal.current;

import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** What a failed task threw, and whether anybody has seen it: exactly one claim succeeds. */
public final class TaskFailure {
  private static final VarHandle CLAIMED =
      Fields.of(MethodHandles.lookup(), "claimed", boolean.class);

  private final Throwable cause;

  @SuppressWarnings("unused") // by CLAIMED
  private volatile boolean claimed;

  /** The runtime's note of this failure; written before the failure is published, then constant. */
  @Nullable Object note;

  /** For tasks that fail when there is no memory to say how. */
  private static final TaskFailure NO_MEMORY =
      new TaskFailure(new OutOfMemoryError("a task failed, with no memory left to keep why"));

  private TaskFailure(Throwable cause) {
    this.cause = cause;
  }

  /** Makes and links what a failure needs: for the first one there may be no memory. */
  static void prepare() {
    new TaskFailure(NO_MEMORY.cause).claim();
  }

  /** Never fails: those who wait for the task must hear of its end. */
  public static TaskFailure of(Throwable cause) {
    try {
      return new TaskFailure(cause);
    } catch (OutOfMemoryError e) {
      return NO_MEMORY;
    }
  }

  /** What the task threw. */
  public Throwable cause() {
    return cause;
  }

  /** Whether the caller is the one who must show the failure to somebody. */
  public boolean claim() {
    return CLAIMED.compareAndSet(this, false, true);
  }
}
