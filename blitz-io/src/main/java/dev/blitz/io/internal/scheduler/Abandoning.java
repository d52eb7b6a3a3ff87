package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.current.Uncaught;
import dev.blitz.io.internal.task.PollContext;
import dev.blitz.io.internal.task.QueueItem;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Ends tasks that are woken after the end of their runtime, on the thread that wakes them. Ending
 * one may wake others, and those more: they wait here until the first is ended, so that a long
 * chain does not become a deep recursion.
 */
final class Abandoning {
  /** What is to be ended on this thread after what it is ending now; null if that is nothing. */
  private static final ThreadLocal<@Nullable ArrayDeque<QueueItem>> WAITING = new ThreadLocal<>();

  private Abandoning() {}

  /** Ends {@code first}, now or, if the caller is being called from here, a little later. */
  static void abandon(QueueItem first) {
    ArrayDeque<QueueItem> outer = WAITING.get();
    if (outer != null) {
      outer.add(first);
      return;
    }
    var list = new ArrayDeque<QueueItem>();
    WAITING.set(list);
    try {
      for (QueueItem item = first; item != null; item = list.poll()) {
        try {
          item.abandon(new PollContext(SchedulerTuning.OPERATIONS_PER_POLL));
        } catch (Throwable t) {
          Uncaught.report("the end of a task that was given up", t);
        }
      }
    } finally {
      WAITING.remove();
    }
  }
}
