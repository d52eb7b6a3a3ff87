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
 */
public final class PlanBudget {
  private final int max;
  private final ConcurrentLinkedQueue<WeakReference<Object>> live = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();

  /**
   * Room for some.
   *
   * @param max how many
   */
  public PlanBudget(int max) {
    this.max = max;
  }

  /**
   * Whether there is no room for another.
   *
   * @return true until some were collected
   */
  public boolean isFull() {
    if (count.get() < max) {
      return false;
    }
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
