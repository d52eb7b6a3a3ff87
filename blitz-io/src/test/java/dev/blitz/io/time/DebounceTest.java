package dev.blitz.io.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@Strict
class DebounceTest {
  private static final Duration QUIET = Duration.ofMillis(200);

  private final ManualTimeSource clock = new ManualTimeSource(false);
  private final BlitzRuntime rt = BlitzRuntime.builder().workers(1).clock(clock).build();
  private final Debounce debounce;

  DebounceTest() throws Exception {
    debounce = rt.run(Futures.lazy(() -> Debounce.after(QUIET)));
  }

  @AfterEach
  void close() {
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  private @Nullable Done now() {
    var wait = debounce.quiet();
    Done told = wait.poll(Context.of(() -> {}));
    if (told == null) {
      wait.drop();
    }
    return told;
  }

  @Test
  void eachEvent_putsTheEndOff() {
    assertThat(now()).isNull();
    for (int i = 0; i < 5; i++) {
      debounce.event();
      clock.advance(Duration.ofMillis(199));
      assertThat(now()).isNull();
    }
    clock.advance(Duration.ofMillis(1));
    assertThat(now()).isEqualTo(Done.DONE);
    clock.advance(Duration.ofHours(1));
    assertThat(now()).as("one for all of them").isNull();
  }

  @Test
  void oneWhoWaits_isWoken() throws Exception {
    var wakes = new AtomicInteger();
    var wait = debounce.quiet();
    assertThat(wait.poll(Context.of(wakes::incrementAndGet))).isNull();
    debounce.event();
    rt.run(Futures.done()); // a worker that turns the timers
    clock.advance(QUIET);
    dev.blitz.testkit.Await.until(() -> wakes.get() > 0, "the wake");
    assertThat(wait.poll(Context.of(() -> {}))).isEqualTo(Done.DONE);
  }

  @Test
  void aWaitThatIsDroppedAfterTheEnd_losesNothing() {
    debounce.event();
    var wait = debounce.quiet();
    assertThat(wait.poll(Context.of(() -> {}))).isNull();
    clock.advance(QUIET);
    wait.drop();
    assertThat(now()).isEqualTo(Done.DONE);
    assertThat(now()).isNull();
  }

  @Test
  void eventsOfManyThreads_areOneBurst() throws Exception {
    for (int round = 0; round < 100; round++) {
      Race.run(3, index -> debounce.event());
      clock.advance(QUIET);
      assertThat(now()).isEqualTo(Done.DONE);
      assertThat(now()).as("round " + round).isNull();
    }
  }

  @Test
  void outsideARuntimeAndAfterItsEnd_itSaysSo() {
    assertThatThrownBy(() -> Debounce.after(QUIET))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("needs a runtime");
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
    assertThatThrownBy(debounce::event).isInstanceOf(IllegalStateException.class);
  }

  // --- The runtime's clock ---

  @Test
  void theRuntimesClock_movesAsItsTimersDo() {
    RuntimeClock runtimes = rt.clock();
    Instant before = runtimes.now();
    long nanos = runtimes.nanoTime();
    clock.advance(Duration.ofDays(2));
    assertThat(Duration.between(before, runtimes.now())).isEqualTo(Duration.ofDays(2));
    assertThat(runtimes.instant()).isEqualTo(runtimes.now());
    assertThat(runtimes.nanoTime() - nanos).isEqualTo(Duration.ofDays(2).toNanos());
  }

  @Test
  void onTheMachinesClock_itIsTheMachines() throws Exception {
    try (var real = BlitzRuntime.builder().workers(1).build()) {
      Instant before = Instant.now();
      Instant inside = real.run(() -> BlitzRuntime.current().clock().now());
      assertThat(inside).isBetween(before, Instant.now());
    }
  }
}
