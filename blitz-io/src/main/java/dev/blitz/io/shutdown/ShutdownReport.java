package dev.blitz.io.shutdown;

import java.util.List;

/**
 * How a drain went.
 *
 * @param reason what has triggered the shutdown
 * @param forced whether it was forced, by a second signal or a call
 * @param left who was still at work when the time was up or the drain was forced, and where: a line
 *     for each task, child of a scope, work guard and action. All that can be cancelled has been
 *     then.
 * @param stuck those of them that had not even ended when the drain returned
 * @param failures what actions and tracked scopes have thrown
 */
public record ShutdownReport(
    ShutdownReason reason,
    boolean forced,
    List<String> left,
    List<String> stuck,
    List<Throwable> failures) {

  /** Whether everybody ended by himself, and nothing failed. */
  public boolean clean() {
    return left.isEmpty() && stuck.isEmpty() && failures.isEmpty();
  }

  @Override
  public String toString() {
    var text = new StringBuilder("shut down by ").append(reason);
    if (clean()) {
      return text.append(forced ? ", forced: nothing was left" : ": all work finished").toString();
    }
    text.append(forced ? ", forced" : "");
    lines(text, "were still at work and have been cancelled", left);
    lines(text, "have not ended even so", stuck);
    lines(text, "failures", failures);
    return text.toString();
  }

  private static void lines(StringBuilder text, String what, List<?> lines) {
    if (!lines.isEmpty()) {
      text.append("; ").append(lines.size()).append(' ').append(what).append(':');
      lines.forEach(line -> text.append("\n  ").append(line));
    }
  }
}
