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
    return switch (work) {
      case Recursion recursion -> recursion.run(number, argument);
      case Work<?, ?> w -> w.run();
      case IntWork<?> w -> w.run();
      case LongWork<?> w -> w.run();
      case DoubleWork<?> w -> w.run();
      case Action<?> action -> {
        action.run();
        yield DONE;
      }
      default -> throw new IllegalStateException("not a fork: " + work.getClass().getName());
    };
  }
}
