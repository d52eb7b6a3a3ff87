package dev.blitz.stress;

import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What one kind of check promised and what became of it. A check that was declared but left no
 * result is as bad as a failed one: jcstress, for one, passes over a test with more actors than
 * CPUs without a word.
 *
 * @param declared the names of the checks that were to run
 * @param executed those of them that ran to a result, good or bad
 * @param failures what went wrong, by the name of the check or of the tool
 */
record Tally(
    NavigableSet<String> declared,
    NavigableSet<String> executed,
    NavigableMap<String, String> failures) {

  static Tally empty() {
    return new Tally(new TreeSet<>(), new TreeSet<>(), new TreeMap<>());
  }

  /** Declared checks without a result. */
  NavigableSet<String> missing() {
    var missing = new TreeSet<>(declared);
    missing.removeAll(executed);
    return missing;
  }

  /** Something was declared, all of it ran, nothing failed. */
  boolean passed() {
    return !declared.isEmpty() && missing().isEmpty() && failures.isEmpty();
  }

  /** Both together; the two must not share names. */
  Tally plus(Tally other) {
    var sum = empty();
    sum.add(this);
    sum.add(other);
    return sum;
  }

  private void add(Tally other) {
    declared.addAll(other.declared);
    executed.addAll(other.executed);
    failures.putAll(other.failures);
  }

  String summary() {
    return "%d declared, %d executed, %d failed"
        .formatted(declared.size(), executed.size(), failures.size());
  }
}
