package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Any number of operators in a row that need not wait: one loop over them for each item, so that
 * they take no stack, and no poll of their own.
 */
final class Steps<T> extends Stage<T> {
  private final Stage<?> from;
  private Step[] steps = new Step[2];
  private int count;

  /** No further item is wanted. */
  private boolean full;

  private Steps(Stage<?> from) {
    this.from = from;
  }

  /** What comes out of {@code source} and goes through {@code step}. */
  @SuppressWarnings("unchecked") // the last step tells what comes out
  static <T> Stage<T> after(Source<?> source, Step step) {
    Stage<?> before = Stage.of(source);
    var all = before instanceof Steps<?> s ? (Steps<T>) s : new Steps<T>(before);
    if (all.count == all.steps.length) {
      all.steps = Arrays.copyOf(all.steps, 2 * all.count);
    }
    all.steps[all.count++] = step;
    all.full |= step.isFull();
    return all;
  }

  /** One of the operators. */
  abstract static class Step {
    /** What becomes of an item; null if nothing does, or the step {@link #isFull}. */
    abstract @Nullable Object apply(Object item) throws Exception;

    /** Whether it wants no further item. */
    boolean isFull() {
      return false;
    }
  }

  @Override
  @SuppressWarnings("unchecked") // the last step tells what comes out
  @Nullable T pull(Context cx) throws Exception {
    for (int n = 0; n < ROUND; n++) {
      if (full) {
        ended = true;
        return null;
      }
      Object item = from.pull(cx);
      if (item == null) {
        ended = from.ended;
        return null;
      }
      for (int i = 0; i < count && item != null; i++) {
        Step step = steps[i];
        item = step.apply(item);
        full |= step.isFull();
      }
      if (full) {
        dropAll(from);
      }
      if (item != null) {
        return (T) item;
      }
    }
    cx.waker().wake();
    return null;
  }

  @Override
  int inputs() {
    return 1;
  }

  @Override
  Stage<?> input(int i) {
    return from;
  }

  @Override
  public String toString() {
    return from.toString();
  }
}
