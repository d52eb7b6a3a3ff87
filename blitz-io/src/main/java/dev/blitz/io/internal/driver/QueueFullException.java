package dev.blitz.io.internal.driver;

import java.net.ConnectException;

/** Whoever listens has not accepted those who came before, and the system does not let us wait. */
public final class QueueFullException extends ConnectException {
  private static final long serialVersionUID = 1L;

  public QueueFullException(String message) {
    super(message);
  }
}
