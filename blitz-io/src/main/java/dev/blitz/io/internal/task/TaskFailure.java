package dev.blitz.io.internal.task;

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

  /** Whether the runtime's {@link dev.blitz.io.policy.FatalErrorPolicy} is about {@code t}. */
  public static boolean isFatal(@Nullable Throwable t) {
    return t instanceof VirtualMachineError && !(t instanceof StackOverflowError);
  }

  /** Never fails: those who wait for the task must hear of its end. */
  static TaskFailure of(Throwable cause) {
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

  /** The runtime's own note. */
  public @Nullable Object note() {
    return note;
  }

  /** Sets the runtime's own note; before the task is complete. */
  public void setNote(Object note) {
    this.note = note;
  }
}
