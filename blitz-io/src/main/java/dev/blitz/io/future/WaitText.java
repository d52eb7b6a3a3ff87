package dev.blitz.io.future;

import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** What a combinator waits for, in words that stay readable when there are many. */
final class WaitText {
  private static final int SHOWN = 8;

  private WaitText() {}

  /** {@code futures}: those that have ended are null. */
  static String of(String verb, @Nullable Future<?>[] futures) {
    var text = new StringJoiner(", ", verb, "");
    int waiting = 0;
    for (Future<?> f : futures) {
      if (f != null && ++waiting <= SHOWN) {
        text.add(f.toString());
      }
    }
    return waiting <= SHOWN ? text.toString() : text + " and " + (waiting - SHOWN) + " more";
  }
}
