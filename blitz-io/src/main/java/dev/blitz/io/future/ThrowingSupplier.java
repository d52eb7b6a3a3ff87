package dev.blitz.io.future;

/** A supplier that may throw; what it throws fails the future it is used in. */
@FunctionalInterface
public interface ThrowingSupplier<T> {
  /** Supplies a value. Must not return null. */
  T get() throws Exception;
}
