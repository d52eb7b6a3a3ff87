package dev.blitz.io.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Every transition, legal or not. */
@Strict
@OnceIsEnough
class UseStateTest {
  private static final class Used extends UseState {
    int drops;

    @Override
    void dropAll() {
      drops++;
    }

    @Override
    public String toString() {
      return "used";
    }
  }

  private final Used state = new Used();
  private final AtomicInteger wakes = new AtomicInteger();

  @Test
  void aPoll_leavesItFree_orWaitedFor() {
    assertThat(state.describeState()).isEqualTo("free");
    assertThat(state.enter()).isTrue();
    assertThat(state.describeState()).isEqualTo("polled");
    assertThat(state.leave(null)).isTrue();
    assertThat(state.describeState()).isEqualTo("free");
    assertThat(state.enter()).isTrue();
    assertThat(state.leave(wakes::incrementAndGet)).isTrue();
    assertThat(state.describeState()).isEqualTo("waited for");
    assertThat(state.enterToForget()).isTrue();
    assertThat(state.leave(null)).isTrue();
    assertThat(state.isOver()).isFalse();
    assertThat(state.drops).isZero();
  }

  @Test
  void twoPolls_atOnce_areRefused() {
    state.enter();
    assertThatThrownBy(state::enter).hasMessageContaining("being polled");
    assertThatThrownBy(state::take).hasMessageContaining("being polled");
    assertThat(state.enterToForget()).isFalse();
  }

  @Test
  void theEnd_dropsOnce_andStays() {
    state.enter();
    assertThat(state.end()).isTrue();
    assertThat(state.isOver()).isTrue();
    assertThat(state.wasClosed()).isFalse();
    state.closeAll();
    assertThat(state.wasClosed()).isFalse();
    assertThat(state.enter()).isFalse();
    assertThat(state.take()).isFalse();
    assertThat(state.enterToForget()).isFalse();
    assertThat(state.drops).isEqualTo(1);
  }

  @Test
  void close_whileFree_drops() {
    state.closeAll();
    state.closeAll();
    assertThat(state.drops).isEqualTo(1);
    assertThat(state.wasClosed()).isTrue();
    assertThat(state.enter()).isFalse();
  }

  @Test
  void close_whileSomebodyWaits_dropsAndWakes() {
    state.enter();
    state.leave(wakes::incrementAndGet);
    assertThatThrownBy(state::take).hasMessageContaining("waits");
    state.closeAll();
    assertThat(wakes).hasValue(1);
    assertThat(state.drops).isEqualTo(1);
  }

  @Test
  void close_whilePolled_isLeftToWhoPolls() {
    for (int way = 0; way < 3; way++) {
      var polled = new Used();
      polled.enter();
      polled.closeAll();
      polled.closeAll();
      assertThat(polled.isClosing()).isTrue();
      assertThat(polled.drops).isZero();
      assertThatThrownBy(polled::enter).hasMessageContaining("being polled");
      boolean open =
          switch (way) {
            case 0 -> polled.leave(null);
            case 1 -> polled.leave(wakes::incrementAndGet);
            default -> polled.end();
          };
      assertThat(open).isFalse();
      assertThat(polled.drops).isEqualTo(1);
      assertThat(polled.wasClosed()).isTrue();
    }
    assertThat(wakes).hasValue(0);
  }

  @Test
  void aSourceThatWasTaken_closesItsTaker() {
    var taker = new Used();
    assertThat(state.take()).isTrue();
    assertThatThrownBy(state::take).hasMessageContaining("operator");
    assertThat(state.givenTo(taker)).isTrue();
    assertThatThrownBy(state::enter).hasMessageContaining("operator");
    assertThat(state.describeState()).isEqualTo("part of another");
    state.closeAll();
    assertThat(taker.drops).isEqualTo(1);
    assertThat(state.drops).isZero();
    assertThat(state.wasClosed()).isTrue();
  }

  @Test
  void aClose_beforeTheTakerIsComplete_isToldToIt() {
    state.take();
    state.closeAll();
    assertThat(state.givenTo(new Used())).isFalse();
    assertThat(state.drops).isEqualTo(1);
  }
}
