package dev.blitz.io.future;

/** Uses a value, and may throw; what it throws fails what it is used in. */
@FunctionalInterface
public interface ThrowingConsumer<T> {
  /** Uses the value. */
  void accept(T value) throws Exception;
}
