package dev.blitz.parallel;

import java.util.concurrent.CancellationException;

/**
 * Asks loops and jobs to stop. Loops look at it between blocks; a job of your own asks {@link
 * #isCancelled}. Cancelling is final.
 *
 * {@snippet :
 * var token = CancelToken.create();
 * button.onClick(token::cancel);
 * Parallel.parallelFor(0, rows, LoopOptions.DEFAULT.withToken(token), this::render);
 * }
 *
 * <p>Thread safe. What happened before {@link #cancel} is visible to whoever sees it cancelled.
 */
public final class CancelToken {
  private volatile boolean cancelled;

  /** A token that is not cancelled; {@link #create} says the same. */
  public CancelToken() {}

  /**
   * A token that is not cancelled.
   *
   * @return a new one
   */
  public static CancelToken create() {
    return new CancelToken();
  }

  /** Asks everyone who holds this token to stop. */
  public void cancel() {
    cancelled = true;
  }

  /**
   * Whether to stop.
   *
   * @return true once cancelled
   */
  public boolean isCancelled() {
    return cancelled;
  }

  /**
   * Stops the caller if asked to.
   *
   * @throws CancellationException when cancelled
   */
  public void throwIfCancelled() {
    if (cancelled) {
      throw new CancellationException("the token was cancelled");
    }
  }

  @Override
  public String toString() {
    return "CancelToken[" + (cancelled ? "cancelled" : "open") + "]";
  }
}
