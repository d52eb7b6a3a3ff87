package dev.blitz.testkit;

import java.util.Map;
import java.util.function.Supplier;

/** One kind of thing that a test can leave behind. */
interface LeakWatch {

  /** What it is called in a message. */
  String kind();

  /**
   * What is alive now: identity to description. Identities are compared by {@code equals} between
   * two calls; a description is only asked for when its item turns out to be a leak.
   */
  Map<Object, Supplier<String>> live();
}
