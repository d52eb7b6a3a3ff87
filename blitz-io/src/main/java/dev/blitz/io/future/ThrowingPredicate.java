package dev.blitz.io.future;

/** A test that may throw; what it throws fails what it is used in. */
@FunctionalInterface
public interface ThrowingPredicate<T> {
  /** Whether {@code value} passes. */
  boolean test(T value) throws Exception;
}
