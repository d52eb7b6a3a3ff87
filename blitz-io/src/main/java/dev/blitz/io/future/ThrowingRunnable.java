package dev.blitz.io.future;

/** An action that may throw; what it throws fails the task that runs it. */
@FunctionalInterface
public interface ThrowingRunnable {
  /** Runs. */
  void run() throws Exception;

  /** The same action, with {@link Done} as its result. */
  static ThrowingSupplier<Done> asSupplier(ThrowingRunnable action) {
    return () -> {
      action.run();
      return Done.DONE;
    };
  }
}
