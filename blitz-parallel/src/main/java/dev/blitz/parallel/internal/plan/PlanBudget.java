package dev.blitz.parallel.internal.plan;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** Counts the loops that were defined and still exist, so that they cannot fill the memory. */
public final class PlanBudget {
  private final int max;
  private final List<WeakReference<Object>> live = new ArrayList<>();

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
  public synchronized boolean isFull() {
    if (live.size() < max) {
      return false;
    }
    live.removeIf(plan -> plan.refersTo(null));
    return live.size() >= max;
  }

  /**
   * Counts one for as long as it lives.
   *
   * @param plan the loop
   */
  public synchronized void add(Object plan) {
    live.add(new WeakReference<>(plan));
  }
}
