package dev.blitz.io.future;

/**
 * Code that is called here and now, on the caller's thread: what it throws the caller throws, so its
 * type is kept. (What a task or a future runs later is a {@link ThrowingSupplier}.)
 *
 * @param <T> the type of the result
 * @param <X> what it throws; a {@link RuntimeException} if nothing checked
 */
@FunctionalInterface
public interface ThrowingCall<T, X extends Exception> {
  /** Calls. */
  T call() throws X;
}
