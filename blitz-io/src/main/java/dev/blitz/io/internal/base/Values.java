package dev.blitz.io.internal.base;

import org.jspecify.annotations.Nullable;

/** The rule that null means pending and nothing else. */
public final class Values {
  private Values() {}

  /** Passes a value on, or says whose function returned null. */
  public static <T> T nonNull(@Nullable T value, String role, Object function) {
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
