package dev.blitz.io.bytes;

import java.io.IOException;

/** A line, a frame or a whole stream is longer than its limit allows. */
public class TooLongException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long limit;

  /** With a message that names what was too long. */
  public TooLongException(String message, long limit) {
    super(message);
    this.limit = limit;
  }

  /** The most that was allowed. */
  public long limit() {
    return limit;
  }
}
