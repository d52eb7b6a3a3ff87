package dev.blitz.io.future;

import java.util.concurrent.CancellationException;

/** What waits for something that was cancelled ends with. */
public final class CancelledException extends CancellationException {
  private static final long serialVersionUID = 1L;

  /** Says what was cancelled. */
  public CancelledException(String message) {
    super(message);
  }
}
