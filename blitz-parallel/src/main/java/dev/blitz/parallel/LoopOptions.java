package dev.blitz.parallel;

import org.jspecify.annotations.Nullable;

/**
 * How a parallel loop may be cut and stopped.
 *
 * {@snippet :
 * var options = LoopOptions.DEFAULT.withGrain(1_000).withToken(token);
 * }
 *
 * @param grain the least number of indices worth handing to another worker; 1 leaves it to demand
 * @param token stops the loop, which then throws {@link
 *     java.util.concurrent.CancellationException}; null for none
 */
public record LoopOptions(int grain, @Nullable CancelToken token) {
  /** Cut on demand, no token. */
  public static final LoopOptions DEFAULT = new LoopOptions(1, null);

  /**
   * The least grain of {@link #chunked}: below this a piece costs more to hand over than to run.
   */
  private static final int MIN_GRAIN = 64;

  /** Checks the grain. */
  public LoopOptions {
    if (grain < 1) {
      throw new IllegalArgumentException("grain must be 1 or more, not " + grain);
    }
  }

  /**
   * The same with another grain.
   *
   * @param newGrain the least piece
   * @return new options
   */
  public LoopOptions withGrain(int newGrain) {
    return new LoopOptions(newGrain, token);
  }

  /**
   * The same with a grain that makes about four pieces per worker.
   *
   * @param length the number of indices
   * @param workers the number of workers
   * @return new options
   */
  public LoopOptions chunked(int length, int workers) {
    return withGrain(Math.max(length / Math.multiplyExact(4, workers), MIN_GRAIN));
  }

  /**
   * The same with a token.
   *
   * @param newToken stops the loop
   * @return new options
   */
  public LoopOptions withToken(CancelToken newToken) {
    return new LoopOptions(grain, newToken);
  }
}
