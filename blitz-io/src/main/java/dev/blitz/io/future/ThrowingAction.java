package dev.blitz.io.future;

/**
 * A {@link ThrowingCall} without a result.
 *
 * @param <X> what it throws; a {@link RuntimeException} if nothing checked
 */
@FunctionalInterface
public interface ThrowingAction<X extends Exception> {
  /** Runs. */
  void run() throws X;
}
