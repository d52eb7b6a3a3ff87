package dev.blitz.parallel;

/**
 * The results of a join without a combiner, in the order of its arguments.
 *
 * {@snippet :
 * var both = Parallel.join(() -> load(left), () -> load(right));
 * compare(both.first(), both.second());
 * }
 */
public final class Joined {
  private Joined() {}

  /**
   * Two results.
   *
   * @param <A> the first result
   * @param <B> the second result
   * @param first the result of the first computation
   * @param second the result of the second computation
   */
  public record Two<A, B>(A first, B second) {}

  /**
   * Three results.
   *
   * @param <A> the first result
   * @param <B> the second result
   * @param <C> the third result
   * @param first the result of the first computation
   * @param second the result of the second computation
   * @param third the result of the third computation
   */
  public record Three<A, B, C>(A first, B second, C third) {}

  /**
   * Four results.
   *
   * @param <A> the first result
   * @param <B> the second result
   * @param <C> the third result
   * @param <D> the fourth result
   * @param first the result of the first computation
   * @param second the result of the second computation
   * @param third the result of the third computation
   * @param fourth the result of the fourth computation
   */
  public record Four<A, B, C, D>(A first, B second, C third, D fourth) {}
}
