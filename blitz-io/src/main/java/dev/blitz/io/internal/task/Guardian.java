package dev.blitz.io.internal.task;

import dev.blitz.io.future.Waker;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Who waits for a task's end and may have cancelled it for a reason: its scope. */
public interface Guardian extends Waker {

  /** What tells the reason, if it has cancelled the task for one; else null. */
  @Nullable Supplier<? extends @Nullable Throwable> cancelReason();
}
