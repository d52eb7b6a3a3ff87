package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.ThrowingBiFunction;
import dev.blitz.io.internal.base.Values;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link Source#zip}: keeps what one side has until the other has something too. */
final class ZipStage<A, B, R> extends Stage<R> {
  private final Stage<A> left;
  private final Stage<B> right;
  private final ThrowingBiFunction<? super A, ? super B, ? extends R> function;
  private @Nullable A first;
  private @Nullable B second;

  private ZipStage(
      Stage<A> left,
      Stage<B> right,
      ThrowingBiFunction<? super A, ? super B, ? extends R> function) {
    this.left = left;
    this.right = right;
    this.function = function;
  }

  static <A, B, R> Stage<R> of(
      Source<A> left,
      Source<B> right,
      ThrowingBiFunction<? super A, ? super B, ? extends R> function) {
    Objects.requireNonNull(right, "other");
    Objects.requireNonNull(function, "function");
    return new ZipStage<>(Stage.of(left), Stage.of(right), function);
  }

  @Override
  @Nullable R pull(Context cx) throws Exception {
    if (first == null) {
      first = left.pull(cx);
      if (first == null && left.ended) {
        return end();
      }
    }
    if (second == null) {
      second = right.pull(cx);
      if (second == null && right.ended) {
        return end();
      }
    }
    A a = first;
    B b = second;
    if (a == null || b == null) {
      return null;
    }
    first = null;
    second = null;
    return Values.nonNull(function.apply(a, b), "zip function", function);
  }

  private @Nullable R end() {
    ended = true;
    dropAll(left);
    dropAll(right);
    return null;
  }

  @Override
  int inputs() {
    return 2;
  }

  @Override
  Stage<?> input(int i) {
    return i == 0 ? left : right;
  }

  @Override
  void release() {
    first = null;
    second = null;
  }

  @Override
  public String toString() {
    return left + " and " + right;
  }
}
