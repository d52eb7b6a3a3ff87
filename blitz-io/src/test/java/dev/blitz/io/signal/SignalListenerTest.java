package dev.blitz.io.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.DropExplorer;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@Strict
class SignalListenerTest {
  private final FakeSignals signals = new FakeSignals();

  @Test
  void events_thatNobodyHasTaken_areOne() {
    try (SignalListener listener = signals.listen(Signal.HUP)) {
      for (int i = 0; i < 1000; i++) {
        signals.send(Signal.HUP);
      }
      assertThat(listener.next().await()).isEqualTo(Signal.HUP);
      assertThat(listener.tryNext()).isEmpty();
    }
  }

  /** One is on its way to a waiter: who looks after the last send must find another. */
  @Test
  void event_afterOneWasHandedOver_isKept() {
    try (SignalListener listener = signals.listen(Signal.HUP)) {
      var first = listener.next();
      assertThat(first.poll(Context.of(() -> {}))).isNull();
      signals.send(Signal.HUP);
      signals.send(Signal.HUP);
      assertThat(first.poll(Context.of(() -> {}))).isEqualTo(Signal.HUP);
      assertThat(listener.tryNext()).contains(Signal.HUP);
    }
  }

  @Test
  void drop_atAnyPoint_losesNoEvent() {
    int runs =
        DropExplorer.explore(() -> {
          var world = new FakeSignals();
          SignalListener listener = world.listen(Signal.HUP, Signal.USR1);
          return DropExplorer.scenario(listener.next())
              .step("hup", () -> world.send(Signal.HUP))
              .step("usr1", () -> world.send(Signal.USR1))
              .check(end -> {
                if (end.value() != Signal.HUP) {
                  assertThat(listener.tryNext()).contains(Signal.HUP);
                }
                if (end.value() != Signal.USR1) {
                  assertThat(listener.tryNext()).contains(Signal.USR1);
                }
                assertThat(listener.tryNext()).isEmpty();
                listener.close();
              });
        });
    assertThat(runs).isGreaterThan(20);
  }

  @Test
  void drop_ofOneOfTwo_passesTheEventOn() {
    DropExplorer.explore(() -> {
      var world = new FakeSignals();
      SignalListener listener = world.listen(Signal.HUP);
      var other = listener.next();
      return DropExplorer.scenario(listener.next())
          .step("another waits", () -> assertThat(other.poll(Context.of(() -> {}))).isNull())
          .step("hup", () -> world.send(Signal.HUP))
          .check(end -> {
            if (end.value() == null) {
              assertThat(other.poll(Context.of(() -> {}))).isEqualTo(Signal.HUP);
            } else {
              other.drop();
            }
            listener.close();
          });
    });
  }

  @Test
  void events_areASource_thatEndsWithTheListener() {
    SignalListener listener = signals.listen(Signal.HUP, Signal.USR1);
    signals.send(Signal.USR1);
    signals.send(Signal.HUP);
    List<Signal> seen = new ArrayList<>();
    for (Signal signal : listener.events()) {
      seen.add(signal);
      if (seen.size() == 2) {
        listener.close();
      }
    }
    assertThat(seen).containsExactly(Signal.HUP, Signal.USR1);
  }

  @Test
  void close_endsThoseWhoWait_andLaterWaits() {
    DropExplorer.explore(() -> {
      var world = new FakeSignals();
      SignalListener listener = world.listen(Signal.HUP);
      return DropExplorer.scenario(listener.next())
          .step("close", listener::close)
          .check(end -> {
            assertThat(end.value()).isNull();
            assertThat(world.installed()).isZero();
          });
    });
    SignalListener closed = signals.listen(Signal.HUP);
    closed.close();
    assertThatThrownBy(() -> closed.next().await())
        .isInstanceOf(CancelledException.class)
        .hasMessageContaining("SignalListener[HUP] was closed");
    assertThat(closed.tryNext()).isEmpty();
  }
}
