package dev.blitz.io.future;

import org.jspecify.annotations.Nullable;

/** The rule that null means pending and nothing else. */
final class Values {
  private Values() {}

  /** Passes a value on, or says whose function returned null. */
  static <T> T nonNull(@Nullable T value, String role, Object function) {
    if (value == null) {
      throw new NullPointerException(
          "the " + role + " " + site(function) + " returned null; return Done.DONE for no result");
    }
    return value;
  }

  /** A lambda's class name begins with the class that wrote it: that is what a reader needs. */
  private static String site(Object function) {
    String name = function.getClass().getName();
    int lambda = name.indexOf("$$Lambda");
    return lambda < 0 ? name : "in " + name.substring(0, lambda);
  }
}
