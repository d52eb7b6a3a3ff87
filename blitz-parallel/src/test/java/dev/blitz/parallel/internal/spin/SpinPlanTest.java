package dev.blitz.parallel.internal.spin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.parallel.internal.plan.PlanBudget;
import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

@Strict
class SpinPlanTest {
  private static Segment sum(int count) {
    return new Segment(
        Source.ofArray(Kind.LONG, new long[count], count), new Step[0], Form.SUM, Kind.LONG, null);
  }

  @Test
  void code_isSpunWhenEnoughElementsHavePassed() {
    var plan = new SpinPlan(new PlanBudget(1));
    plan.passed(SpinPlan.ELEMENTS_PER_LOOP - 1, sum(10));
    assertThat(plan.code()).isSameAs(Interpreter.SHARED);
    plan.passed(1, sum(10));
    assertThat(plan.code().getClass().isHidden()).isTrue();
  }

  @Test
  void code_beyondTheBudget_staysShared() {
    var budget = new PlanBudget(1);
    var first = new SpinPlan(budget);
    first.passed(SpinPlan.ELEMENTS_PER_LOOP, sum(10));
    var second = new SpinPlan(budget);
    second.passed(SpinPlan.ELEMENTS_PER_LOOP, sum(10));
    assertThat(second.code()).isSameAs(Interpreter.SHARED);
    assertThat(first.code()).isNotSameAs(Interpreter.SHARED);
  }
}
