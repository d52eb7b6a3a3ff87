package dev.blitz.parallel;

/**
 * A job of a {@link Scope} failed with a checked exception, which is the cause. Unchecked
 * exceptions and errors arrive as they are.
 *
 * {@snippet :
 * try {
 *   Parallel.scope(s -> s.spawn(() -> Files.delete(path)));
 * } catch (JobFailedException e) {
 *   throw new IOException("could not clean up", e.getCause());
 * }
 * }
 */
public final class JobFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Wraps a checked exception.
   *
   * @param cause what the job threw
   */
  public JobFailedException(Throwable cause) {
    super(cause);
  }
}
