package dev.blitz.parallel;

/**
 * What a parallel reduction makes of a run of neighbouring indices.
 *
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface RangeFunction<T, X extends Exception> {
  /**
   * Reduces the indices from {@code from} to {@code to - 1}.
   *
   * @param from the first
   * @param to the end, greater than {@code from}
   * @return the partial result
   * @throws X as declared
   */
  T run(int from, int to) throws X;
}
