package dev.blitz.io.internal.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class TimerStateTest {

  private static final int PENDING = TimerState.schedule(TimerState.IDLE, 5, 7);

  @Test
  void schedule_fromIdleOrFired_isPendingAtThePosition() {
    assertThat(TimerState.position(TimerState.schedule(TimerState.IDLE, 0, 0))).isZero();
    assertThat(TimerState.position(TimerState.schedule(TimerState.FIRED, 31, 321))).isEqualTo(321);
  }

  @Test
  void schedule_whilePending_isRefused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> TimerState.schedule(PENDING, 0, 1))
        .withMessage("a timer that is PENDING(5:7) is scheduled already");
  }

  @Test
  void move_whilePending_changesThePosition_andKeepsTheWheel() {
    assertThat(TimerState.position(TimerState.move(PENDING, 3))).isEqualTo(3);
    assertThat(TimerState.wheel(TimerState.move(PENDING, 3))).isEqualTo(5);
  }

  @Test
  void cancel_whilePending_isIdle() {
    assertThat(TimerState.cancel(PENDING)).isEqualTo(TimerState.IDLE);
  }

  @Test
  void fire_whilePending_isFired() {
    assertThat(TimerState.fire(PENDING)).isEqualTo(TimerState.FIRED);
  }

  @Test
  void everythingButSchedule_whileNotPending_isRefused() {
    for (int state : new int[] {TimerState.IDLE, TimerState.FIRED}) {
      assertThatIllegalStateException().isThrownBy(() -> TimerState.move(state, 1));
      assertThatIllegalStateException().isThrownBy(() -> TimerState.cancel(state));
      assertThatIllegalStateException().isThrownBy(() -> TimerState.fire(state));
      assertThatIllegalStateException().isThrownBy(() -> TimerState.position(state));
    }
  }

  @Test
  void isPending_holdsForNoOtherState() {
    assertThat(TimerState.isPending(PENDING)).isTrue();
    assertThat(TimerState.isPending(TimerState.IDLE)).isFalse();
    assertThat(TimerState.isPending(TimerState.FIRED)).isFalse();
  }

  @Test
  void describe_decodesTheWord() {
    assertThat(TimerState.describe(TimerState.IDLE)).isEqualTo("IDLE");
    assertThat(TimerState.describe(TimerState.FIRED)).isEqualTo("FIRED");
    assertThat(TimerState.describe(PENDING)).isEqualTo("PENDING(5:7)");
  }
}
