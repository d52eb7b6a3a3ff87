package dev.blitz.io.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static List<Long> millis(Backoff backoff, int failures) {
    return millis(backoff, failures, 1);
  }

  private static List<Long> millis(Backoff backoff, int failures, long seed) {
    var course = backoff.begin(seed);
    return Stream.generate(() -> course.next(0).map(Duration::toMillis).orElse(-1L))
        .limit(failures)
        .toList();
  }

  @Test
  void pauses_growToTheCap() {
    assertThat(millis(Backoff.exponential(SECOND).cap(Duration.ofSeconds(5)), 5))
        .containsExactly(1000L, 2000L, 4000L, 5000L, 5000L);
    assertThat(millis(Backoff.fixed(SECOND), 3)).containsExactly(1000L, 1000L, 1000L);
    assertThat(millis(Backoff.exponential(SECOND).factor(3), 3))
        .containsExactly(1000L, 3000L, 9000L);
    assertThat(millis(Backoff.exponential(SECOND), 2000).getLast()).isEqualTo(60_000L);
  }

  @Test
  void limit_countsRetries() {
    assertThat(millis(Backoff.fixed(SECOND).limit(2), 4)).containsExactly(1000L, 1000L, -1L, -1L);
    assertThat(millis(Backoff.fixed(SECOND).limit(0), 1)).containsExactly(-1L);
  }

  @Test
  void limitPerTime_forgets_andBeginsAnew() {
    var course = Backoff.exponential(SECOND).limit(2, Duration.ofSeconds(10)).begin(1);
    long second = SECOND.toNanos();
    assertThat(course.next(0)).contains(SECOND);
    assertThat(course.next(2 * second)).contains(SECOND.multipliedBy(2));
    assertThat(course.next(5 * second)).as("the third within ten seconds").isEmpty();
    assertThat(course.next(11 * second))
        .as("the first is forgotten")
        .contains(SECOND.multipliedBy(2));
    assertThat(course.next(60 * second)).as("all are").contains(SECOND);
  }

  @Test
  void jitter_shortensWithinItsPart() {
    var backoff = Backoff.fixed(SECOND).jitter(0.5);
    List<Long> pauses = millis(backoff, 200);
    assertThat(pauses).allSatisfy(p -> assertThat(p).isBetween(500L, 1000L));
    assertThat(pauses.stream().distinct().count()).isGreaterThan(20);
    assertThat(millis(backoff, 200, 1)).as("the same seed").isEqualTo(pauses);
    assertThat(millis(backoff, 200, 2)).as("another").isNotEqualTo(pauses);
  }

  @Test
  void nonsense_isRefused() {
    for (Runnable wrong :
        List.<Runnable>of(
            () -> Backoff.fixed(Duration.ofSeconds(-1)),
            () -> Backoff.fixed(SECOND).factor(0.5),
            () -> Backoff.fixed(SECOND).factor(Double.NaN),
            () -> Backoff.fixed(SECOND).jitter(1.1),
            () -> Backoff.fixed(SECOND).limit(-1))) {
      assertThatThrownBy(wrong::run).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
