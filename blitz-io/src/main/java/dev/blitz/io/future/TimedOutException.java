package dev.blitz.io.future;

/** A time-out has passed before what it limits has ended. */
public final class TimedOutException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what took too long. */
  public TimedOutException(String message) {
    super(message);
  }
}
