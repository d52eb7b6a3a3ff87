package dev.blitz.examples.knot.below;

import dev.blitz.examples.knot.above.Above;

/** The half that should not know the other. */
public final class Below {
  private Below() {}

  /** Knows the package above, as it may not. */
  public static String name() {
    return Above.class.getName();
  }
}
