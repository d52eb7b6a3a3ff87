package dev.blitz.io.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Strict
class SignalRegistryTest {
  private final FakePort port = new FakePort();
  private final SignalRegistry registry = new SignalRegistry(port);

  @Test
  void listen_severalTimes_installsOnce_andRestoresWithTheLast() {
    SignalListener one = registry.listen(Signal.HUP);
    SignalListener two = registry.listen(Signal.HUP, Signal.USR1);
    assertThat(port.log).containsExactly("install HUP", "install USR1");
    one.close();
    one.close();
    port.send(Signal.HUP);
    assertThat(two.tryNext()).as("who is left still hears").contains(Signal.HUP);
    two.close();
    assertThat(port.log).endsWith("restore HUP", "restore USR1");
    assertThat(registry.installed()).isZero();
    registry.listen(Signal.HUP).close();
    assertThat(port.log).endsWith("install HUP", "restore HUP");
  }

  @Test
  void send_reachesEveryListener() {
    try (SignalListener one = registry.listen(Signal.TERM);
        SignalListener two = registry.listen(Signal.INT, Signal.TERM)) {
      port.send(Signal.TERM);
      port.send(Signal.INT);
      assertThat(one.tryNext()).contains(Signal.TERM);
      assertThat(one.tryNext()).isEmpty();
      assertThat(two.tryNext()).as("the smaller number first").contains(Signal.INT);
      assertThat(two.tryNext()).contains(Signal.TERM);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Signal.class,
      names = {"QUIT", "SEGV", "USR2", "PIPE", "KILL", "STOP", "CHLD"})
  void listen_toWhatTheJvmNeeds_isRefusedWithTheReason(Signal signal) {
    assertThatThrownBy(() -> registry.listen(Signal.HUP, signal))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("SIG" + signal)
        .hasMessageContaining(Objects.requireNonNull(signal.refusal()));
    assertThat(port.log).as("all or nothing").isEmpty();
  }

  @Test
  void listen_whenTheJvmRefusesOne_givesUpTheOthers() {
    port.refused = Signal.WINCH;
    assertThatThrownBy(() -> registry.listen(Signal.HUP, Signal.WINCH))
        .hasMessageContaining("refused by the test");
    assertThat(port.log).containsExactly("install HUP", "restore HUP");
    assertThat(registry.installed()).isZero();
  }

  /** The handler of the JVM runs on a thread of its own, which may be late. */
  @Test
  void delivery_afterTheLastListenerHasGone_isRaisedAgain() {
    SignalListener listener = registry.listen(Signal.TERM);
    Runnable late = Objects.requireNonNull(port.installed.get(Signal.TERM));
    listener.close();
    late.run();
    assertThat(port.log).endsWith("restore TERM", "raise TERM");
  }

  @Test
  void listenAndClose_fromManyThreads_leaveNothing() throws Exception {
    Race.run(
        4,
        i -> {
          for (int n = 0; n < 500; n++) {
            registry.listen(Signal.HUP, Signal.USR1).close();
          }
        });
    assertThat(registry.installed()).isZero();
    assertThat(port.log.stream().filter(l -> l.startsWith("install")).count())
        .isEqualTo(port.log.stream().filter(l -> l.startsWith("restore")).count());
  }
}
