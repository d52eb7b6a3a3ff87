package dev.blitz.stress;

import java.time.Duration;

/**
 * A stress program whose choices all follow from a seed, for races between more parties than
 * jcstress runs.
 *
 * <p>Implementations are public, have a public constructor without parameters, and are listed in
 * {@code META-INF/services/dev.blitz.stress.SeededStress}. Their class name is the name of the
 * check.
 */
public interface SeededStress {
  /**
   * Runs until the budget is used up, a little longer if a round must be finished, and returns;
   * joins every thread it started. Anything thrown is a failure. A run that does not return is
   * killed, with a thread dump, and counts as one.
   *
   * @param seed where every random choice comes from
   * @param budget how long to go on; at least one round is always run
   * @throws Exception when what is stressed misbehaved
   */
  void run(long seed, Duration budget) throws Exception;
}
