package dev.blitz.io.future;

/** A function of two values that may throw; what it throws fails what it is used in. */
@FunctionalInterface
public interface ThrowingBiFunction<A, B, R> {
  /** Applies the function. Must not return null. */
  R apply(A first, B second) throws Exception;
}
