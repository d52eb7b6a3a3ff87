package dev.blitz.parallel;

import dev.blitz.parallel.internal.Fork;
import dev.blitz.parallel.internal.Recursion;
import dev.blitz.parallel.internal.WorkerThread;
import org.jspecify.annotations.Nullable;

/**
 * What recursive jobs of all types of arguments and results have in common: their slow paths, where
 * results are boxed. Each has the quick path of its {@code join} to itself, without boxes; those
 * four are the same but for the types, and must stay so.
 */
abstract sealed class ForkedJob
    permits RecursiveIntJob, RecursiveLongJob, RecursiveJob, RecursiveToLongJob {
  /** What a fork leaves in its frame. */
  final Recursion entry =
      new Recursion() {
        @Override
        protected Object run(long number, @Nullable Object argument) {
          return computeBoxed(number, argument);
        }
      };

  ForkedJob() {}

  /** Computes for the argument of a fork: a number or an object, as the type of job has it. */
  abstract Object computeBoxed(long number, @Nullable Object argument);

  /** The first half, after those who wait for work were served. */
  final Object runAttended(WorkerThread worker, int fork, long number, @Nullable Object argument) {
    return Fork.runAttended(worker, fork, () -> computeBoxed(number, argument));
  }
}
