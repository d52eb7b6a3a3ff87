package dev.blitz.io;

import java.util.List;

/**
 * What closing a runtime left behind.
 *
 * @param clean whether everything ended in time
 * @param tasks tasks that had not ended when the deadline passed, and what each waited for; a task
 *     that has never waited is not among them and shows by its thread only
 * @param threads threads that were still running then, with their stacks
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
