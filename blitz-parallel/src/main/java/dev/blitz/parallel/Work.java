package dev.blitz.parallel;

/**
 * A computation that yields an object and may throw.
 *
 * <p>A lambda that throws nothing checked makes {@code X} a {@link RuntimeException}, so callers
 * need no {@code try}.
 *
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface Work<T, X extends Exception> {
  /**
   * Computes the result.
   *
   * @return the result, never null
   * @throws X as declared
   */
  T run() throws X;
}
