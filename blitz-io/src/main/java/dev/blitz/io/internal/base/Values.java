package dev.blitz.io.internal.base;

import org.jspecify.annotations.Nullable;

/** The rule that null means pending and nothing else. */
public final class Values {
  private Values() {}

  /** Passes a value on, or says whose function returned null. */
  public static <T> T nonNull(@Nullable T value, String role, Object function) {
    return nonNull(value, role, function, "Done.DONE for no result");
  }

  /** The same for a function that is to return something else than a result. */
  public static <T> T nonNull(@Nullable T value, String role, Object function, String instead) {
    if (value == null) {
      throw new NullPointerException(
          "the " + role + " " + Telling.site(function) + " returned null; return " + instead);
    }
    return value;
  }
}
