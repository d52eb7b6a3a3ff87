package dev.blitz.parallel.internal.plan;

/**
 * The plans of one kind of loop, by class of lambda. A plan hangs on the class and is collected
 * with it; it holds on to neither.
 *
 * @param <L> the code of the loop
 */
public final class Plans<L> extends ClassValue<Plan<L>> {
  private static final PlanBudget BUDGET = new PlanBudget(PlanTuning.MAX_PLANS);

  private final Template<L> template;
  private final PlanBudget budget;

  /**
   * No plans yet.
   *
   * @param template the loop
   */
  public Plans(Template<L> template) {
    this(template, BUDGET);
  }

  Plans(Template<L> template, PlanBudget budget) {
    this.template = template;
    this.budget = budget;
  }

  @Override
  protected Plan<L> computeValue(Class<?> lambda) {
    return new Plan<>(template, budget);
  }
}
