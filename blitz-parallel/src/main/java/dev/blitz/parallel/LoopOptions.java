package dev.blitz.parallel;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How a parallel loop may be cut and stopped.
 *
 * {@snippet :
 * var options = LoopOptions.DEFAULT.withGrain(1_000).withToken(token);
 * }
 *
 * @param grain the least number of indices worth handing to another worker; 1 leaves it to demand
 * @param stopWhen asked between blocks, by any worker; once it says true the loop throws {@link
 *     java.util.concurrent.CancellationException}; null for none
 */
public record LoopOptions(int grain, @Nullable BooleanSupplier stopWhen) {
  /** Cut on demand, stopped by nobody. */
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
   */
  public LoopOptions withGrain(int newGrain) {
    return new LoopOptions(newGrain, stopWhen);
  }

  /**
   * The same with a grain that makes about four pieces per worker.
   *
   * @param length the number of indices
   * @param workers the number of workers, 1 or more
   */
  public LoopOptions chunked(long length, int workers) {
    if (workers < 1) {
      throw new IllegalArgumentException("workers must be 1 or more, not " + workers);
    }
    long piece = Math.clamp(length / (4L * workers), MIN_GRAIN, Integer.MAX_VALUE);
    return withGrain((int) piece);
  }

  /**
   * The same with a token, besides what may stop the loop already.
   *
   * @param token stops the loop
   */
  public LoopOptions withToken(CancelToken token) {
    return stopWhen(token::isCancelled);
  }

  /**
   * The same with a question that is asked between blocks, besides what may stop the loop already:
   * for tokens of other libraries, or a deadline.
   *
   * {@snippet :
   * LoopOptions.DEFAULT.stopWhen(token::isCancelled)
   * }
   *
   * @param question true stops the loop; quick and thread safe. What it throws fails the loop.
   */
  public LoopOptions stopWhen(BooleanSupplier question) {
    BooleanSupplier known = stopWhen;
    return new LoopOptions(
        grain, known == null ? question : () -> known.getAsBoolean() || question.getAsBoolean());
  }
}
