package dev.blitz.parallel;

/**
 * A computation that yields a {@code double} without boxing and may throw.
 *
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface DoubleWork<X extends Exception> {
  /**
   * Computes the result.
   *
   * @throws X as declared
   */
  double run() throws X;
}
