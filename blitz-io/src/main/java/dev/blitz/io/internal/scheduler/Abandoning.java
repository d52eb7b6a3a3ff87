package dev.blitz.io.internal.scheduler;

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
  private final ThreadLocal<@Nullable ArrayDeque<QueueItem>> waiting = new ThreadLocal<>();

  private final Scheduler scheduler;

  Abandoning(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Ends {@code first}, now or, if the caller is being called from here, a little later. */
  void abandon(QueueItem first) {
    ArrayDeque<QueueItem> outer = waiting.get();
    if (outer != null) {
      outer.add(first);
      return;
    }
    var list = new ArrayDeque<QueueItem>();
    waiting.set(list);
    try {
      for (QueueItem item = first; item != null; item = list.poll()) {
        try {
          item.abandon(new PollContext(SchedulerTuning.OPERATIONS_PER_POLL));
        } catch (Throwable t) {
          scheduler.uncaught("the end of " + item.getClass().getSimpleName(), t);
        }
      }
    } finally {
      waiting.remove();
    }
  }
}
