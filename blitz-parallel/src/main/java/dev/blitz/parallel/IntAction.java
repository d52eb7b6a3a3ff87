package dev.blitz.parallel;

/**
 * What a parallel loop does with one index.
 *
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface IntAction<X extends Exception> {
  /**
   * Handles one index.
   *
   * @throws X as declared
   */
  void run(int index) throws X;
}
