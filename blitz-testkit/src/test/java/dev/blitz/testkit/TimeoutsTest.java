package dev.blitz.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Strict
class TimeoutsTest {

  @Test
  void constants_growInOrder_belowTheDefaultTimeLimit() throws ReflectiveOperationException {
    long limitSeconds = (long) TimeLimit.class.getMethod("value").getDefaultValue();

    assertThat(Timeouts.SHORT).isLessThan(Timeouts.MEDIUM);
    assertThat(Timeouts.MEDIUM).isLessThan(Timeouts.LONG);
    assertThat(Timeouts.LONG).isLessThan(Timeouts.scaled(Duration.ofSeconds(limitSeconds)));
  }

  @Test
  void scale_isOneUnlessSet() {
    assertThat(Timeouts.parseScale(null)).isEqualTo(1.0);
    assertThat(Timeouts.parseScale(" ")).isEqualTo(1.0);
    assertThat(Timeouts.parseScale("2.5")).isEqualTo(2.5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "NaN", "Infinity", "fast"})
  void scale_refusesNonsense(String text) {
    assertThatThrownBy(() -> Timeouts.parseScale(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("blitz.timeout.scale")
        .hasMessageContaining(text);
  }
}
