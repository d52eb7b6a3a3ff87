package dev.blitz.parallel.internal;

import org.jspecify.annotations.Nullable;

/**
 * What a recursive job leaves in a frame instead of itself: how to run it from the argument in the
 * frame. One object per recursive job, so that a fork stores numbers, not objects.
 */
public abstract class Recursion {
  /** For subclasses. */
  protected Recursion() {}

  /**
   * Runs the job on the argument it was forked with.
   *
   * @param number the argument, when it is a number
   * @param argument the argument, when it is an object
   * @return the boxed result
   * @throws Exception what the job throws
   */
  protected abstract Object run(long number, @Nullable Object argument) throws Exception;
}
