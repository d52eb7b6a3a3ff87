package dev.blitz.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Strict
class TestRuntimeTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Tries up to {@code tries} times with a pause that grows. */
  private static Future<String> retry(int tries, Duration pause, AtomicInteger calls) {
    return Futures.lazy(
            () -> {
              if (calls.incrementAndGet() < tries) {
                throw new IllegalStateException("not yet");
              }
              return "ok";
            })
        .map(Futures::ready)
        .map(f -> (Future<String>) f)
        .recover(e -> Task.sleep(pause).andThen(d -> retry(tries, pause.plus(pause), calls)))
        .andThen(f -> f);
  }

  @BlitzTest
  void retriesWithBackoff(TestRuntime rt) {
    var calls = new AtomicInteger();
    var attempt = rt.spawn(retry(3, MINUTE, calls));
    rt.advance(Duration.ofSeconds(59));
    assertThat(calls).hasValue(1);
    rt.advance(Duration.ofSeconds(1));
    assertThat(calls).hasValue(2);
    rt.advance(MINUTE.plus(MINUTE));
    assertThat(attempt.await()).isEqualTo("ok");
  }

  @BlitzTest
  void anHourOfTimeouts_takesNoTime(TestRuntime rt) throws Exception {
    var timedOut = new AtomicInteger();
    rt.run(
        Futures.loop(() ->
            Futures.pending()
                .timeout(MINUTE)
                .map(x -> Futures.Step.STOP)
                .recover(e -> {
                  assertThat(e).isInstanceOf(TimedOutException.class);
                  return timedOut.incrementAndGet() == 60 ? Futures.Step.STOP : Futures.Step.MORE;
                })));
    assertThat(timedOut).hasValue(60);
    assertThat(rt.clock().elapsed()).isEqualTo(Duration.ofHours(1));
  }

  @BlitzTest
  void eachTask_seesTheTimeOfItsOwnTimer(TestRuntime rt) {
    List<Duration> times = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      rt.spawn(
              Task.sleep(MINUTE.multipliedBy(i))
                  .map(d -> {
                    times.add(rt.clock().elapsed());
                    return d;
                  }))
          .detach();
    }
    rt.advance(Duration.ofHours(1));
    assertThat(times).containsExactly(MINUTE, MINUTE.multipliedBy(2), MINUTE.multipliedBy(3));
    assertThat(rt.clock().elapsed()).isEqualTo(Duration.ofHours(1));
  }

  @BlitzTest
  void advance_withNothingToDo_justMoves(TestRuntime rt) {
    rt.advance(MINUTE);
    rt.advance(Duration.ZERO);
    assertThat(rt.clock().elapsed()).isEqualTo(MINUTE);
    assertThatThrownBy(() -> rt.advance(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @BlitzTest
  void advance_waitsForBlockingCalls(TestRuntime rt) {
    var done = new AtomicInteger();
    rt.spawn(
            Task.sleep(MINUTE)
                .andThen(d -> Task.spawnBlocking(done::incrementAndGet))
                .andThen(n -> Task.sleep(MINUTE))
                .map(d -> done.incrementAndGet()))
        .detach();
    rt.advance(MINUTE.multipliedBy(2));
    assertThat(done).hasValue(2);
  }

  @Test
  void close_tellsOfAFailureThatNobodySaw() {
    var rt = TestRuntime.create(1);
    rt.spawn(Futures.failed(new IllegalStateException("unseen")));
    rt.advance(Duration.ZERO); // closing at once would cancel it before it runs
    assertThatThrownBy(rt::close)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("-Dblitz.seed=1")
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasRootCauseMessage("unseen"));
  }

  @Test
  void close_cancelsWhatWaits() {
    var rt = TestRuntime.create();
    var nap = rt.<Done>spawn(Task.sleep(MINUTE));
    rt.advance(Duration.ZERO);
    rt.close();
    assertThat(nap.isDone()).isTrue();
  }
}
