package dev.blitz.parallel.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@Strict
class PlanBudgetTest {
  /** Not every question looks at all of them, but one of the next few does. */
  @Test
  void isFull_ofMany_noticesSoonThatOneWasCollected() {
    int many = 1 << 14;
    var budget = new PlanBudget(many);
    List<Object> plans = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      assertThat(budget.isFull()).isFalse();
      plans.add(new Object());
      budget.add(plans.getLast());
    }
    assertThat(budget.isFull()).isTrue();
    var last = new WeakReference<>(plans.removeLast());
    Await.untilCollected(() -> last.get() == null, "the plan to be collected");
    int questions = 1;
    while (budget.isFull()) {
      questions++;
      assertThat(questions).isLessThanOrEqualTo(16);
    }
    assertThat(plans).hasSize(many - 1);
  }
}
