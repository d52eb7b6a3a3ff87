package dev.blitz.parallel.internal.plan;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What a loop knows about lambdas of one class: their {@link Cost} and the code to run them with,
 * shared with all other classes at first, then their own.
 *
 * @param <L> the code
 */
/*
 * Implementation notes
 *
 * Orderings: loop is plain, written by the one thread that wins copying and read by any. Code has no fields, so
 * whichever object a reader sees is complete. copying is changed by CAS; it only keeps others from defining the same
 * class again.
 */
public final class Plan<L> extends Cost {
  private final Template<L> template;
  private final PlanBudget budget;
  private final AtomicBoolean copying = new AtomicBoolean();
  private L loop;
  private long wanted = PlanTuning.ELEMENTS_PER_PLAN;

  Plan(Template<L> template, PlanBudget budget) {
    this.template = template;
    this.budget = budget;
    this.loop = template.shared();
  }

  /**
   * The code for this class of lambdas.
   *
   * @return the shared one, or its own
   */
  public L loop() {
    return loop;
  }

  /**
   * Whether enough has passed to pay for code of its own: then call {@link #copyCode(boolean)}.
   *
   * @return true until it has its own
   */
  public boolean isDue() {
    return elements() >= wanted;
  }

  /**
   * Gets code of its own, if there is room and the JVM allows it.
   *
   * @param hasStack whether there is stack enough for that; to find out may cost an exception, so
   *     it is not asked again soon
   */
  public void copyCode(boolean hasStack) {
    if (!copying.compareAndSet(false, true)) {
      return;
    }
    try {
      if (!isDue()) {
        return;
      }
      if (!hasStack) { // the next caller may have more
        wanted = elements() + PlanTuning.ELEMENTS_PER_PLAN;
        return;
      }
      L own = budget.isFull() ? null : template.copy();
      if (own == null) {
        // Others may have gone by then.
        wanted = 2 * elements();
      } else {
        budget.add(own);
        codeChanged();
        loop = own;
        wanted = Long.MAX_VALUE;
      }
    } finally {
      copying.set(false);
    }
  }
}
