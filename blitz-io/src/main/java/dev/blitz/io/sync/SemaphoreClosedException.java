package dev.blitz.io.sync;

/** What an acquire on a closed {@link Semaphore} ends with. */
public final class SemaphoreClosedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  SemaphoreClosedException(String message) {
    super(message);
  }
}
