package dev.blitz.io.internal.task;

import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.wait.SafeCalls;
import org.jspecify.annotations.Nullable;

/** What a task's lambda may return: a value, not a future; null counts as no result. */
public final class LambdaResult {
  private LambdaResult() {}

  /** Whether it is a future that nobody would run; the guard of a lock is one that has. */
  public static boolean isUnrun(Object value) {
    return value instanceof Future<?> && !(value instanceof AutoCloseable);
  }

  /**
   * In place of null, which code like {@code () -> map.put(k, v)} returns and means nothing by. The
   * task has ended well; who asks for its result is told that there is none.
   */
  public static final class None {
    private final String message;

    private None(ThrowingSupplier<?> function, JoinCell<?> task) {
      message =
          "the lambda "
              + Telling.site(Inheritance.origin(function))
              + " of "
              + task.label()
              + " returned null, so there is no result; return Done.DONE, or make it a block";
    }

    NullPointerException exception() {
      return new NullPointerException(message);
    }
  }

  /** Passes the result on, or says whose function returned what it should not. */
  public static Object check(
      @Nullable Object value, ThrowingSupplier<?> function, JoinCell<?> task) {
    if (value == null) {
      return new None(function, task);
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
