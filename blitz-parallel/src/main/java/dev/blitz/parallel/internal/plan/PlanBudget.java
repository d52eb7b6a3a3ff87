package dev.blitz.parallel.internal.plan;

import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the loops that were defined and still exist, so that they cannot fill the memory. */
/*
 * Implementation notes
 *
 * No monitor, as in SpinPlan: those who ask may be virtual threads and their carriers. Several may find the last room at the same
 * time, so there may be as many too many as there are threads.
 *
 *   count | add, isFull: atomic, after the queue has changed | isFull: how many are in the queue, or a few less or more
 *   asked | isFull: plain                                    | isFull: of many who ask at once some are not counted
 */
public final class PlanBudget {
  /**
   * Plans that are looked at per question, while there is no room. Larger: questions are dearer;
   * smaller: room is noticed later.
   */
  private static final int WALKED_PER_QUESTION = 1024;

  private final int max;
  private final ConcurrentLinkedQueue<WeakReference<Object>> live = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();

  /** Questions since all were looked at. */
  private int asked;

  /**
   * Room for some.
   *
   * @param max how many
   */
  public PlanBudget(int max) {
    this.max = max;
    this.asked = max;
  }

  /**
   * Whether there is no room for another. With many plans only one question in some looks whether
   * any were collected.
   *
   * @return true until some were collected, and a little longer
   */
  public boolean isFull() {
    if (count.get() < max) {
      return false;
    }
    asked++;
    if ((long) asked * WALKED_PER_QUESTION < max) {
      return true;
    }
    asked = 0;
    for (WeakReference<Object> plan : live) {
      if (plan.refersTo(null) && live.remove(plan)) {
        count.decrementAndGet();
      }
    }
    return count.get() >= max;
  }

  /**
   * Counts one for as long as it lives.
   *
   * @param plan the loop
   */
  public void add(Object plan) {
    live.add(new WeakReference<>(plan));
    count.incrementAndGet();
  }
}
