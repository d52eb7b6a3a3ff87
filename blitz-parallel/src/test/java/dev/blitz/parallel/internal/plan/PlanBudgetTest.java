package dev.blitz.parallel.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.lang.ref.WeakReference;
import java.time.Duration;
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

  /** Whoever asks walks past those that live once, not once for each that does not. */
  @Test
  void isFull_whenManyOfMoreWereCollected_takesNoTime() {
    int many = 1 << 17;
    var budget = new PlanBudget(2 * many);
    List<Object> living = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      living.add(new Object());
      budget.add(living.getLast());
    }
    List<Object> dying = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      dying.add(new Object());
      budget.add(dying.getLast());
    }
    assertThat(budget.isFull()).isTrue();
    var last = new WeakReference<>(dying.getLast());
    dying.clear();
    Await.untilCollected(() -> last.get() == null, "the plans to be collected");
    long start = System.nanoTime();
    int questions = 1;
    while (budget.isFull()) {
      questions++;
      assertThat(questions).isLessThanOrEqualTo(2 * many / 1024);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    assertThat(living).hasSize(many);
  }
}
