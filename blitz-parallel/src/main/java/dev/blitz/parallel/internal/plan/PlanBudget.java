package dev.blitz.parallel.internal.plan;

import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the loops that were defined and still exist, so that they cannot fill the memory. */
/*
 * Implementation notes
 *
 * No monitor, as in SpinPlan: those who ask may be virtual threads and their carriers. Several may find the last room at the same
 * time, so there may be as many too many as there are threads.
 *
 *   count | add, isFull: atomic, after the queue has changed | isFull: how many are in the queue, or a few less or more
 *   counted | isFull: CAS                                  | isFull: of those who come upon a collected plan one takes it off
 *   asked | isFull: plain                                    | isFull: of many who ask at once some are not counted
 */
public final class PlanBudget {
  /**
   * Plans that are looked at per question, while there is no room. Larger: questions are dearer;
   * smaller: room is noticed later.
   */
  private static final int WALKED_PER_QUESTION = 1024;

  /** One that is in the count until it is taken off. */
  private static final class Counted extends WeakReference<Object> {
    private final AtomicBoolean counted = new AtomicBoolean(true);

    Counted(Object plan) {
      super(plan);
    }
  }

  private final int max;
  private final ConcurrentLinkedQueue<Counted> live = new ConcurrentLinkedQueue<>();
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
    for (var plans = live.iterator(); plans.hasNext(); ) {
      Counted plan = plans.next();
      if (plan.refersTo(null)) {
        // Where it is: to search for it would be a walk for each.
        plans.remove();
        if (plan.counted.compareAndSet(true, false)) {
          count.decrementAndGet();
        }
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
    live.add(new Counted(plan));
    count.incrementAndGet();
  }
}
