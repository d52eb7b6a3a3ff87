package dev.blitz.parallel;

/**
 * A computation that yields an {@code int} without boxing and may throw.
 *
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface IntWork<X extends Exception> {
  /**
   * Computes the result.
   *
   * @throws X as declared
   */
  int run() throws X;
}
