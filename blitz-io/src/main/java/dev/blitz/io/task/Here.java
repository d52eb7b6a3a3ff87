package dev.blitz.io.task;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingAction;
import dev.blitz.io.future.ThrowingCall;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.task.LambdaResult;
import dev.blitz.io.internal.wait.SafeCalls;

/** Calls code on the calling thread in some way, and keeps the type of what it throws. */
final class Here {
  private Here() {}

  /** How the code is called: throws nothing checked but what that throws. */
  @FunctionalInterface
  interface Way<T> {
    T call(ThrowingSupplier<T> body) throws Exception;
  }

  @SuppressWarnings("unchecked") // a checked exception can only be one that body declares
  static <T, X extends Exception> T call(Way<T> way, ThrowingCall<? extends T, X> body) throws X {
    try {
      return way.call(body::call);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw (X) e;
    }
  }

  /**
   * Refuses a future as the result of {@code what}, which has merely called the code that made it.
   */
  static <T> T notAFuture(T value, String what) {
    if (LambdaResult.isUnrun(value) && !(value instanceof JoinHandle<?>)) {
      SafeCalls.drop((Future<?>) value);
      throw new IllegalStateException(
          "the lambda of "
              + what
              + " returned a future, which nobody has run: await() it in the lambda, or use the form"
              + " for futures");
    }
    return value;
  }

  static <X extends Exception> void run(Way<Done> way, ThrowingAction<X> body) throws X {
    Done done =
        Here.<Done, X>call(
            way,
            () -> {
              body.run();
              return Done.DONE;
            });
    assert done == Done.DONE;
  }
}
