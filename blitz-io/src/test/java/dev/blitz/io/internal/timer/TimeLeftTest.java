package dev.blitz.io.internal.timer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeLeftTest {
  @ParameterizedTest
  @CsvSource({
    "PT-1S,now",
    "PT0S,now",
    "PT0.0001S,in 1 ms",
    "PT0.999S,in 999 ms",
    "PT1S,in 1.0 s",
    "PT3.699S,in 3.6 s",
    "PT59.99S,in 59.9 s",
    "PT1M,in 1 min 0 s",
    "PT59M59S,in 59 min 59 s",
    "PT1H,in 1 h 0 min",
    "PT50H5M,in 50 h 5 min"
  })
  void describe_isShortAndInWords(Duration left, String text) {
    assertThat(TimeLeft.describe(left.toNanos())).isEqualTo(text);
  }

  @org.junit.jupiter.api.Test
  void never_isNever() {
    assertThat(TimeLeft.describe(TickClock.NEVER)).isEqualTo("never");
  }
}
