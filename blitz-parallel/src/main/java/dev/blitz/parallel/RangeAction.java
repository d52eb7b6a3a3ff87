package dev.blitz.parallel;

/**
 * What a parallel loop does with a run of neighbouring indices. A plain loop in its body is
 * compiled as one: prefer it to a call per index when the work per index is small.
 *
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface RangeAction<X extends Exception> {
  /**
   * Handles the indices from {@code from} to {@code to - 1}.
   *
   * @param from the first
   * @param to the end, greater than {@code from}
   * @throws X as declared
   */
  void run(int from, int to) throws X;
}
