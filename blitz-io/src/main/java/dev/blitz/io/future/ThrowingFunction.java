package dev.blitz.io.future;

/** A function that may throw; what it throws fails the future it is used in. */
@FunctionalInterface
public interface ThrowingFunction<T, R> {
  /** Applies the function. Must not return null. */
  R apply(T value) throws Exception;
}
