package dev.blitz.parallel;

/**
 * What a parallel loop over a {@code long} range does with one index.
 *
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface LongAction<X extends Exception> {
  /**
   * Handles one index.
   *
   * @throws X as declared
   */
  void run(long index) throws X;
}
