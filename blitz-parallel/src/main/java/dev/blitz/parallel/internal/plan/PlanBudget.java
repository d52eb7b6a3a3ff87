package dev.blitz.parallel.internal.plan;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** Counts the loops that were defined and still exist, so that they cannot fill the memory. */
final class PlanBudget {
  private final int max;
  private final List<WeakReference<Object>> live = new ArrayList<>();

  PlanBudget(int max) {
    this.max = max;
  }

  synchronized boolean isFull() {
    if (live.size() < max) {
      return false;
    }
    live.removeIf(plan -> plan.refersTo(null));
    return live.size() >= max;
  }

  synchronized void add(Object plan) {
    live.add(new WeakReference<>(plan));
  }
}
