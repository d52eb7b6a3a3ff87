package dev.blitz.examples.knot.above;

import dev.blitz.examples.knot.below.Below;

/** Half of a cycle of packages, on which the rule against them is shown to bite. */
public final class Above {
  private Above() {}

  /** Knows the package below, as it may. */
  public static String name() {
    return Below.name();
  }
}
