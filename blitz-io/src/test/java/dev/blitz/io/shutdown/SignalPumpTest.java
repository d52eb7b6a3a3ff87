package dev.blitz.io.shutdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.signal.FakeSignals;
import dev.blitz.io.signal.Signal;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Signals go on being heard whatever an action does. */
@Strict
class SignalPumpTest {
  private final FakeSignals signals = new FakeSignals();

  @Test
  void anActionThatThrows_hearsTheNextSignal() {
    List<Signal> heard = new ArrayList<>();
    try (var listener = signals.listen(Signal.INT, Signal.TERM)) {
      new SignalPump(
              listener,
              signal -> {
                heard.add(signal);
                throw new IllegalStateException("no memory to trigger, say");
              })
          .wake();
      signals.send(Signal.INT);
      signals.send(Signal.TERM);
      assertThat(heard).containsExactly(Signal.INT, Signal.TERM);
    }
  }
}
