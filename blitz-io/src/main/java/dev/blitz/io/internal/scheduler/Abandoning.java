package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.current.Uncaught;
import dev.blitz.io.internal.task.PollContext;
import dev.blitz.io.internal.task.QueueItem;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Ends tasks that are woken after the end of their runtime, on the thread that wakes them. Ending
 * one may wake others, and those more: they wait here until the first is ended, so that a long
 * chain does not become a deep recursion.
 */
final class Abandoning {
  /**
   * What is to be ended on this thread after what it is ending now; null if that is nothing. Not an
   * ArrayDeque: that loses all it has when it cannot grow.
   */
  private static final ThreadLocal<@Nullable Queue<QueueItem>> WAITING = new ThreadLocal<>();

  /** What is ended here is in nobody's poll: nobody looks at this, which all threads share. */
  private static final PollContext NO_POLL = new PollContext(SchedulerTuning.OPERATIONS_PER_POLL);

  private Abandoning() {}

  /**
   * Ends {@code first}, now or, if the caller is being called from here, a little later. Without
   * memory to wait with, now: nobody else has it.
   */
  static void abandon(QueueItem first) {
    Queue<QueueItem> list;
    try {
      Queue<QueueItem> outer = WAITING.get();
      if (outer != null) {
        outer.add(first);
        return;
      }
      list = new ConcurrentLinkedQueue<>();
      WAITING.set(list);
    } catch (OutOfMemoryError e) {
      end(first);
      return;
    }
    try {
      for (QueueItem item = first; item != null; item = list.poll()) {
        end(item);
      }
    } finally {
      WAITING.remove();
    }
  }

  private static void end(QueueItem item) {
    try {
      item.abandon(NO_POLL);
    } catch (Throwable t) {
      Uncaught.report("the end of a task that was given up", t);
    }
  }
}
