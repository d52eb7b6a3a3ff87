package dev.blitz.io.stream;

import dev.blitz.io.future.ThrowingBiFunction;
import dev.blitz.io.future.ThrowingFunction;
import dev.blitz.io.future.ThrowingPredicate;
import dev.blitz.io.internal.base.Values;
import dev.blitz.io.stream.Steps.Step;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The operators that need not wait. */
final class StepKinds {
  private StepKinds() {}

  @SuppressWarnings("unchecked") // the step before yields what it takes
  private static ThrowingPredicate<Object> ofAny(ThrowingPredicate<?> wanted) {
    return (ThrowingPredicate<Object>) Objects.requireNonNull(wanted, "wanted");
  }

  static final class Map extends Step {
    private final ThrowingFunction<Object, ?> mapper;

    @SuppressWarnings("unchecked") // as above
    Map(ThrowingFunction<?, ?> mapper) {
      this.mapper = (ThrowingFunction<Object, ?>) Objects.requireNonNull(mapper, "mapper");
    }

    @Override
    Object apply(Object item) throws Exception {
      return Values.nonNull(mapper.apply(item), "map function", mapper);
    }
  }

  static final class Filter extends Step {
    private final ThrowingPredicate<Object> wanted;

    Filter(ThrowingPredicate<?> wanted) {
      this.wanted = ofAny(wanted);
    }

    @Override
    @Nullable Object apply(Object item) throws Exception {
      return wanted.test(item) ? item : null;
    }
  }

  static final class Take extends Step {
    private long left;

    Take(long count) {
      this.left = notNegative(count);
    }

    @Override
    Object apply(Object item) {
      left--;
      return item;
    }

    @Override
    boolean isFull() {
      return left == 0;
    }
  }

  static final class TakeWhile extends Step {
    private final ThrowingPredicate<Object> wanted;
    private boolean full;

    TakeWhile(ThrowingPredicate<?> wanted) {
      this.wanted = ofAny(wanted);
    }

    @Override
    @Nullable Object apply(Object item) throws Exception {
      full = !wanted.test(item);
      return full ? null : item;
    }

    @Override
    boolean isFull() {
      return full;
    }
  }

  static final class Skip extends Step {
    private long left;

    Skip(long count) {
      this.left = notNegative(count);
    }

    @Override
    @Nullable Object apply(Object item) {
      if (left == 0) {
        return item;
      }
      left--;
      return null;
    }
  }

  static final class Scan extends Step {
    private final ThrowingBiFunction<Object, Object, ?> function;
    private Object sum;

    @SuppressWarnings("unchecked") // as above
    Scan(Object initial, ThrowingBiFunction<?, ?, ?> function) {
      this.sum = Objects.requireNonNull(initial, "initial");
      this.function =
          (ThrowingBiFunction<Object, Object, ?>) Objects.requireNonNull(function, "function");
    }

    @Override
    Object apply(Object item) throws Exception {
      sum = Values.nonNull(function.apply(sum, item), "scan function", function);
      return sum;
    }
  }

  private static long notNegative(long count) {
    if (count < 0) {
      throw new IllegalArgumentException("a count is not negative: " + count);
    }
    return count;
  }
}
