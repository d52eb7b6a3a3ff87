package dev.blitz.io.internal.timer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TestSeed;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class TickClockTest {

  private static final long TICK = TimerTuning.TICK_NANOS;
  private static final long NEVER = TickClock.NEVER;

  private final AtomicLong source = new AtomicLong(-5 * TICK);
  private final TickClock clock = new TickClock(source::get);

  @Test
  void now_startsAtZeroWhereverTheSourceIs() {
    assertThat(clock.nowNanos()).isZero();
    source.set(2 * TICK - 1);
    assertThat(clock.nowNanos()).isEqualTo(7 * TICK - 1);
    assertThat(clock.nowTick()).isEqualTo(6);
  }

  @Test
  void now_survivesAnOverflowOfTheSource() {
    var late = new AtomicLong(Long.MAX_VALUE - 10);
    var wrapping = new TickClock(late::get);
    late.set(Long.MIN_VALUE + TICK);
    assertThat(wrapping.nowNanos()).isEqualTo(TICK + 11);
  }

  @Test
  void sourceNanos_areThoseOfTheSource() {
    assertThat(clock.tickOf(-5 * TICK)).isZero();
    assertThat(clock.tickOf(-3 * TICK - 1)).isEqualTo(1);
    assertThat(clock.sourceNanos(7)).isEqualTo(2 * TICK);
    assertThat(clock.sourceNanos(NEVER)).isEqualTo(NEVER);
    assertThat(clock.sourceNanos(clock.tickOf(9 * TICK))).isEqualTo(9 * TICK);
  }

  @Test
  void sourceNanos_overflowAsTheSourceDoes_butNeverReadAsNever() {
    var wrapping = new TickClock(() -> Long.MAX_VALUE - TICK);
    assertThat(wrapping.sourceNanos(1)).isEqualTo(NEVER + 1);
    assertThat(wrapping.sourceNanos(2)).isEqualTo(Long.MIN_VALUE + TICK - 1);
    assertThat(wrapping.tickOf(Long.MIN_VALUE + TICK - 1)).isEqualTo(2);
  }

  @Test
  void deadline_isRoundedUpAndNowDown() {
    assertThat(TickClock.tickAtOrAfter(0)).isZero();
    assertThat(TickClock.tickAtOrAfter(1)).isEqualTo(1);
    assertThat(TickClock.tickAtOrAfter(TICK)).isEqualTo(1);
    assertThat(TickClock.tickAtOrAfter(TICK + 1)).isEqualTo(2);
    assertThat(TickClock.tickAtOrBefore(TICK - 1)).isZero();
    assertThat(TickClock.tickAtOrBefore(TICK)).isEqualTo(1);
    assertThat(TickClock.tickAtOrBefore(2 * TICK - 1)).isEqualTo(1);
  }

  @Test
  void beforeTheOrigin_countsAsTheOrigin() {
    assertThat(TickClock.tickAtOrAfter(Long.MIN_VALUE)).isZero();
    assertThat(TickClock.tickAtOrBefore(-1)).isZero();
  }

  @Test
  void never_staysNever() {
    assertThat(TickClock.tickAtOrAfter(NEVER)).isEqualTo(NEVER);
    assertThat(TickClock.tickAtOrBefore(NEVER)).isEqualTo(NEVER);
    assertThat(TickClock.startNanos(NEVER)).isEqualTo(NEVER);
    assertThat(clock.nanosUntil(NEVER)).isEqualTo(NEVER);
  }

  @Test
  void almostNever_doesNotOverflow() {
    long tick = TickClock.tickAtOrAfter(NEVER - 1);
    assertThat(tick).isPositive().isLessThan(NEVER);
    assertThat(TickClock.startNanos(tick)).isEqualTo(NEVER);
  }

  @Test
  void deadlineNanos_saturates() {
    source.addAndGet(3);
    assertThat(clock.deadlineNanos(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(NEVER);
    assertThat(clock.deadlineNanos(Duration.ofNanos(Long.MAX_VALUE))).isEqualTo(NEVER);
    assertThat(clock.deadlineNanos(Duration.ofNanos(Long.MAX_VALUE - 4))).isEqualTo(NEVER - 1);
    assertThat(clock.deadlineNanos(Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo(3);
    assertThat(clock.deadlineNanos(Duration.ZERO)).isEqualTo(3);
    assertThat(clock.deadlineNanos(Duration.ofNanos(4))).isEqualTo(7);
  }

  @Test
  void nanosUntil_isZeroOnceTheTickBegan() {
    source.addAndGet(TICK / 4);
    assertThat(clock.nanosUntil(2)).isEqualTo(2 * TICK - TICK / 4);
    assertThat(clock.nanosUntil(0)).isZero();
  }

  @Test
  void sleepUntilTheTick_isNeverEarlyAndLessThanATickLate(TestSeed seed) {
    var random = seed.random();
    for (int i = 0; i < 100_000; i++) {
      long deadline = random.nextLong(1L << random.nextInt(1, 62));
      long start = TickClock.startNanos(TickClock.tickAtOrAfter(deadline));
      assertThat(start - deadline).isBetween(0L, TICK - 1);
      assertThat(TickClock.tickAtOrBefore(start)).isEqualTo(TickClock.tickAtOrAfter(deadline));
      if (start > 0) {
        assertThat(TickClock.tickAtOrBefore(start - 1))
            .isLessThan(TickClock.tickAtOrAfter(deadline));
      }
    }
  }
}
