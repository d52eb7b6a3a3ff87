package dev.blitz.io.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.Blitz;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real signals, sent to this JVM by itself. */
@Strict
@LeakChecked(ignoreThreads = "SIG.* handler")
@OnceIsEnough
class JvmSignalsTest {
  private static final int SENDS = 10_000;

  private final SignalPort jvm = new JvmSignals();

  @BeforeEach
  void needsPosix() {
    assumeTrue(java.io.File.separatorChar == '/', "a POSIX system");
  }

  @Test
  void signals_reachATaskThatWaits() throws Exception {
    Blitz.run(() -> {
      try (SignalListener listener = Signals.listen(Signal.USR1, Signal.WINCH)) {
        var first = Task.spawn(listener.next());
        jvm.raise(Signal.USR1);
        assertThat(first.await()).isEqualTo(Signal.USR1);
        jvm.raise(Signal.WINCH);
        assertThat(listener.next().await()).isEqualTo(Signal.WINCH);
      }
    });
  }

  /** Who takes an event and finds that all had been sent by then has seen one after the last. */
  @Test
  void storm_of10000_hasAnEventAfterTheLast_andTheHandlerIsRestored() throws Exception {
    var before = new AtomicInteger();
    Runnable restore = jvm.install(Signal.USR1, before::incrementAndGet);
    try {
      var sent = new AtomicInteger();
      try (var runtime = BlitzRuntime.create();
          SignalListener one = Signals.listen(Signal.USR1);
          SignalListener two = Signals.listen(Signal.USR1)) {
        var first = runtime.spawn(() -> eventsUntilTheLast(one, sent));
        var second = runtime.spawn(() -> eventsUntilTheLast(two, sent));
        for (int i = 0; i < SENDS; i++) {
          sent.incrementAndGet();
          jvm.raise(Signal.USR1);
        }
        assertThat(first.await()).isBetween(1, SENDS);
        assertThat(second.await()).isBetween(1, SENDS);
        assertThat(before).as("while there are listeners").hasValue(0);
      }
      jvm.raise(Signal.USR1);
      Await.until(() -> before.get() > 0, "the handler of before is called again");
    } finally {
      restore.run();
    }
  }

  private static int eventsUntilTheLast(SignalListener listener, AtomicInteger sent) {
    int events = 0;
    do {
      assertThat(listener.next().await()).isEqualTo(Signal.USR1);
      events++;
    } while (sent.get() < SENDS);
    return events;
  }

  @Test
  void handlerOfSomebodyElse_setMeanwhile_stays() {
    var foreign = new AtomicInteger();
    SignalListener listener = Signals.listen(Signal.WINCH);
    Runnable restore = jvm.install(Signal.WINCH, foreign::incrementAndGet);
    listener.close();
    try {
      jvm.raise(Signal.WINCH);
      Await.until(() -> foreign.get() > 0, "the other's handler is still there");
    } finally {
      restore.run();
    }
  }

  @Test
  void withoutTheModule_listenSaysWhatToDo() {
    var registry = new SignalRegistry(new JvmSignals("no.such.module"));
    assertThat(registry.isSupported()).isFalse();
    assertThatThrownBy(() -> registry.listen(Signal.TERM))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("--add-modules jdk.unsupported");
    assertThat(registry.installed()).isZero();
  }
}
