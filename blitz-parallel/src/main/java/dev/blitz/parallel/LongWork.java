package dev.blitz.parallel;

/**
 * A computation that yields a {@code long} without boxing and may throw.
 *
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface LongWork<X extends Exception> {
  /**
   * Computes the result.
   *
   * @throws X as declared
   */
  long run() throws X;
}
