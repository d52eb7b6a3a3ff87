package dev.blitz.io.future;

import dev.blitz.io.internal.base.Telling;
import org.jspecify.annotations.Nullable;

/** The rule that null means pending and nothing else. */
final class Values {
  private Values() {}

  /** Passes a value on, or says whose function returned null. */
  static <T> T nonNull(@Nullable T value, String role, Object function) {
    if (value == null) {
      throw new NullPointerException(
          "the "
              + role
              + " "
              + Telling.site(function)
              + " returned null; return Done.DONE for no result");
    }
    return value;
  }
}
