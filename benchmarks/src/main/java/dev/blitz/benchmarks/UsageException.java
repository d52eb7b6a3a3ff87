package dev.blitz.benchmarks;

import java.io.Serial;

/** The command line does not make sense; the message says why in one line. */
final class UsageException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
