package dev.blitz.io.observe;

import java.util.List;

/**
 * What closing a runtime left behind.
 *
 * @param clean whether everything ended in time
 * @param tasks tasks that had not ended when the deadline passed, blocking calls among them: what
 *     each waited for or where the user's code was, and the whole stack of one that waits on a
 *     thread of its own; not those that never got their first turn
 * @param threads threads that were running code then or did not end: where the user's code was, and
 *     the whole stack
 */
public record CloseReport(boolean clean, List<String> tasks, List<String> threads) {

  /** Nothing was left. */
  public static final CloseReport CLEAN = new CloseReport(true, List.of(), List.of());

  @Override
  public String toString() {
    if (clean) {
      return "closed: nothing left behind";
    }
    return "closed, but the deadline passed with "
        + tasks.size()
        + " tasks and "
        + threads.size()
        + " threads left:\n  "
        + String.join("\n  ", tasks)
        + (tasks.isEmpty() ? "" : "\n  ")
        + String.join("\n  ", threads);
  }
}
