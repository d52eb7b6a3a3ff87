package dev.blitz.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StressBudgetTest {
  @Test
  void minutes_mayBeFractions() {
    assertThat(StressBudget.ofMinutes("1").total()).isEqualTo(Duration.ofMinutes(1));
    assertThat(StressBudget.ofMinutes("0.25").total()).isEqualTo(Duration.ofSeconds(15));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "NaN", "Infinity", "ten", ""})
  void notAPositiveNumber_isRefusedByName(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StressBudget.ofMinutes(text))
        .withMessageContaining(text);
  }

  @Test
  void shortOfTime_jcstressRunsUnifiedWithTheShortestIterations() {
    var effort = JcstressEffort.within(Duration.ofSeconds(1), 100);

    assertThat(effort).isEqualTo(new JcstressEffort(false, 1, 20));
  }

  @Test
  void moreTime_jcstressSplitsCompilationModesThenForksMore() {
    var minute = JcstressEffort.within(Duration.ofMinutes(1), 1);
    var hour = JcstressEffort.within(Duration.ofHours(1), 1);

    assertThat(minute.split()).isTrue();
    assertThat(minute.forks()).isEqualTo(1);
    assertThat(hour.forks()).isGreaterThan(10);
  }

  @ParameterizedTest
  @ValueSource(ints = {30, 60, 300, 3_600})
  void plan_fitsIntoTheBudget(int seconds) {
    Duration budget = Duration.ofSeconds(seconds);

    assertThat(JcstressEffort.within(budget, 3).expected(3))
        .isLessThanOrEqualTo(budget)
        .isGreaterThan(budget.dividedBy(3));
  }
}
