package dev.blitz.parallel.internal;

import dev.blitz.parallel.Action;
import dev.blitz.parallel.DoubleWork;
import dev.blitz.parallel.IntWork;
import dev.blitz.parallel.LongWork;
import dev.blitz.parallel.Work;
import org.jspecify.annotations.Nullable;

/**
 * Runs what a frame holds without its static type. Only shared forks come here: a private fork runs
 * where its type is known.
 *
 * <p>The functional interfaces all name their method {@code run} with different results, so that no
 * class can be two of them.
 */
final class Works {
  /** The result of work that has none. */
  static final Object DONE = new Object();

  private Works() {}

  static Object run(Object work, long number, @Nullable Object argument) throws Exception {
    // Tests of types one by one: a switch over patterns is linked when it first runs, which a
    // nearly full stack has no room for.
    if (work instanceof Recursion recursion) {
      return recursion.run(number, argument);
    }
    if (work instanceof Work<?, ?> w) {
      return w.run();
    }
    if (work instanceof Action<?> action) {
      action.run();
      return DONE;
    }
    if (work instanceof IntWork<?> w) {
      return w.run();
    }
    if (work instanceof LongWork<?> w) {
      return w.run();
    }
    if (work instanceof DoubleWork<?> w) {
      return w.run();
    }
    throw new IllegalStateException("not a fork: " + work.getClass().getName());
  }
}
