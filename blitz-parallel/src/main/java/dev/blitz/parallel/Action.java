package dev.blitz.parallel;

/**
 * A computation without a result that may throw.
 *
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface Action<X extends Exception> {
  /**
   * Runs.
   *
   * @throws X as declared
   */
  void run() throws X;
}
