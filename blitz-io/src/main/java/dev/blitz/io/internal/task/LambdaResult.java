package dev.blitz.io.internal.task;

import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.wait.SafeCalls;
import org.jspecify.annotations.Nullable;

/** What a task's lambda may return: a value, neither null nor a future. */
public final class LambdaResult {
  private LambdaResult() {}

  /** Whether it is a future that nobody would run; the guard of a lock is one that has. */
  public static boolean isUnrun(Object value) {
    return value instanceof Future<?> && !(value instanceof AutoCloseable);
  }

  /** Passes the result on, or says whose function returned what it should not. */
  public static Object check(
      @Nullable Object value, ThrowingSupplier<?> function, TaskCell<?> task) {
    if (value == null) {
      throw new NullPointerException(
          "the lambda "
              + Telling.site(Inheritance.origin(function))
              + " of "
              + task.label()
              + " returned null; return Done.DONE for no result");
    }
    if (isUnrun(value)) {
      SafeCalls.drop((Future<?>) value);
      throw new IllegalStateException(
          "the lambda "
              + Telling.site(Inheritance.origin(function))
              + " of "
              + task.label()
              + " returned a future, which nobody would run: await() it in the lambda, or spawn the"
              + " future itself");
    }
    return value;
  }
}
