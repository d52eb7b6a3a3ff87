package dev.blitz.stress;

import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Which checks a run is about. It travels to child JVMs as its regular expression.
 *
 * @param regex searched for in the full name of a check
 */
record Selection(String regex) {
  private static final String CANARY_PACKAGE = "dev.blitz.stress.canary.";

  /** Everything but the canaries. */
  static final Selection ALL = matching("");

  /** The canaries alone: for the tests which see to it that they are found. */
  static final Selection CANARIES = new Selection("^" + Pattern.quote(CANARY_PACKAGE));

  /** The checks whose name contains a match of {@code regex}, canaries left out. */
  static Selection matching(String regex) {
    return new Selection("^(?!" + Pattern.quote(CANARY_PACKAGE) + ").*(?:" + regex + ")");
  }

  Predicate<String> predicate() {
    return Pattern.compile(regex).asPredicate();
  }
}
