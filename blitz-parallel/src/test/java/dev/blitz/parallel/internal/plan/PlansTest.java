package dev.blitz.parallel.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.lang.invoke.MethodHandles;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

@Strict
class PlansTest {
  /** What a loop is called through. */
  interface Sum {
    int of(IntUnaryOperator term, int count);
  }

  /** The template. */
  static final class SumLoop implements Sum {
    @Override
    public int of(IntUnaryOperator term, int count) {
      int sum = 0;
      for (int i = 0; i < count; i++) {
        sum += term.applyAsInt(i);
      }
      return sum;
    }
  }

  private static Template<Sum> template() {
    return new Template<>(MethodHandles.lookup(), new SumLoop());
  }

  private static Plan<Sum> used(Plans<Sum> plans, Class<?> lambda) {
    Plan<Sum> plan = plans.get(lambda);
    plan.learn(1, PlanTuning.ELEMENTS_PER_PLAN, 0);
    plan.copyCode(true);
    return plan;
  }

  @Test
  void plan_ofFewElements_usesTheSharedLoop() {
    Template<Sum> template = template();
    Plan<Sum> plan = new Plans<>(template).get(String.class);
    plan.learn(1, PlanTuning.ELEMENTS_PER_PLAN - 1, 0);
    assertThat(plan.isDue()).isFalse();
    plan.copyCode(true);
    assertThat(plan.loop()).isSameAs(template.shared());
  }

  @Test
  void plan_ofManyElements_getsALoopOfItsOwn() {
    var plans = new Plans<>(template());
    Sum first = used(plans, String.class).loop();
    Sum second = used(plans, Integer.class).loop();
    assertThat(first.getClass()).isNotEqualTo(SumLoop.class).isNotEqualTo(second.getClass());
    assertThat(first.getClass().isHidden()).isTrue();
    assertThat(first.of(i -> i, 100)).isEqualTo(4950);
    assertThat(second.of(i -> 2 * i, 100)).isEqualTo(9900);
    assertThat(plans.get(String.class).isDue()).as("has its own for good").isFalse();
  }

  @Test
  void plan_withoutStack_waitsForAsManyElementsMore() {
    Template<Sum> template = template();
    Plan<Sum> plan = new Plans<>(template).get(String.class);
    plan.pass(PlanTuning.ELEMENTS_PER_PLAN);
    plan.copyCode(false);
    assertThat(plan.loop()).isSameAs(template.shared());
    assertThat(plan.isDue()).isFalse();
    plan.pass(PlanTuning.ELEMENTS_PER_PLAN);
    assertThat(plan.isDue()).isTrue();
    plan.copyCode(true);
    assertThat(plan.loop()).isNotSameAs(template.shared());
  }

  @Test
  void plans_beyondTheBudget_useTheSharedLoop() {
    Template<Sum> template = template();
    var plans = new Plans<>(template, new PlanBudget(1));
    Plan<Sum> first = used(plans, String.class);
    Plan<Sum> second = used(plans, Integer.class);
    assertThat(first.loop()).isNotSameAs(template.shared());
    assertThat(second.loop()).isSameAs(template.shared());
    assertThat(second.isDue()).as("asks again only after as many elements more").isFalse();
  }

  @Test
  void template_thatCannotBeDefined_isShared() {
    // A lookup into another package: the JVM refuses.
    Template<Sum> template = new Template<>(MethodHandles.publicLookup(), new SumLoop());
    var plans = new Plans<>(template);
    assertThat(used(plans, String.class).loop()).isSameAs(template.shared());
  }

  @Test
  void template_withoutItsBytes_isShared() {
    Sum lambda = (term, count) -> 0; // a hidden class itself: there is no file to read
    Template<Sum> template = new Template<>(MethodHandles.lookup(), lambda);
    assertThat(used(new Plans<>(template), String.class).loop()).isSameAs(lambda);
  }
}
