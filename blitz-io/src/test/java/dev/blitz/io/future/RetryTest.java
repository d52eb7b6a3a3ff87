package dev.blitz.io.future;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.policy.Backoff;
import dev.blitz.io.time.ManualTimeSource;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Strict
class RetryTest {
  private static final Backoff QUICK = Backoff.fixed(Duration.ofMillis(1)).limit(3);

  @Test
  void aNewFutureForEachTry_untilOneYields() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      var tries = new AtomicInteger();
      Future<String> flaky =
          Futures.retry(
              QUICK,
              () ->
                  tries.incrementAndGet() < 3
                      ? Futures.failed(new IOException("no"))
                      : Futures.ready("yes"));
      assertThat(rt.run(flaky)).isEqualTo("yes");
      assertThat(tries).hasValue(3);
    }
  }

  @Test
  void givesUp_andNeverRetriesCancellation() {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      var tries = new AtomicInteger();
      assertThatThrownBy(() ->
              rt.run(
                  Futures.retry(
                      QUICK,
                      () -> Futures.failed(new IOException("try " + tries.incrementAndGet())))))
          .hasMessage("try 4");
      tries.set(0);
      assertThatThrownBy(() ->
              rt.run(
                  Futures.retry(
                      QUICK,
                      () -> {
                        tries.incrementAndGet();
                        return Futures.failed(new CancelledException("enough"));
                      })))
          .isInstanceOf(CancelledException.class);
      assertThat(tries).hasValue(1);
    }
  }

  @Test
  void failuresThatComeAtOnce_letOthersRun() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      var tries = new AtomicInteger();
      var storm =
          rt.spawn(
              Futures.retry(
                  Backoff.fixed(Duration.ZERO),
                  () -> {
                    tries.incrementAndGet();
                    return Futures.<Done>failed(new IOException("again"));
                  }));
      assertThat(rt.run(Futures.ready(1))).isEqualTo(1);
      storm.cancel();
      assertThatThrownBy(storm::await).isInstanceOf(CancelledException.class);
    }
  }

  @Test
  void droppedAtEveryPoll_nothingIsLeft() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      for (int polls = 0; polls < 4; polls++) {
        int times = polls;
        List<DropProbe<Integer>> probes = new ArrayList<>();
        rt.run(
            Futures.lazy(() -> {
              Future<Integer> retry =
                  Futures.retry(
                      Backoff.fixed(Duration.ofHours(1)),
                      () -> {
                        DropProbe<Integer> probe =
                            DropProbe.failure("try", 1, new IOException("no"));
                        probes.add(probe);
                        return probe;
                      });
              for (int i = 0; i < times; i++) {
                assertThat(retry.poll(Context.of(() -> {}))).isNull();
              }
              retry.drop();
              return Done.DONE;
            }));
        probes.forEach(DropProbe::verifyReleased);
      }
    }
  }

  /** An {@code andThen} of I/O that continues with itself takes the same stack for any number. */
  @Test
  void aChainOfIo_thatContinuesWithItself_needsNoStack() throws Exception {
    assertThat(countDown(100_000).await()).isEqualTo("down");
  }

  private static IoFuture<String> countDown(int n) {
    return Futures.io(Futures.lazy(() -> n))
        .andThen(k -> k == 0 ? Futures.ready("down") : countDown(k - 1));
  }

  @Test
  void theSeedOfTheRuntime_drawsTheJitter() throws Exception {
    List<Long> pauses = drawn(7);
    assertThat(pauses).as("of two retries in one runtime").doesNotHaveDuplicates();
    assertThat(drawn(7)).isEqualTo(pauses);
    assertThat(drawn(8)).isNotEqualTo(pauses);
  }

  /** How long two retries of four pauses take, by a clock that skips them. */
  private static List<Long> drawn(long seed) throws Exception {
    var clock = new ManualTimeSource(true, 0);
    var times = new ArrayList<Long>();
    try (var rt = BlitzRuntime.builder().workers(1).clock(clock).seed(seed).build()) {
      for (int i = 0; i < 2; i++) {
        long start = clock.nanoTime();
        var backoff = Backoff.fixed(Duration.ofHours(1)).jitter(0.5).limit(4);
        assertThatThrownBy(
                () -> rt.run(Futures.retry(backoff, () -> Futures.failed(new IOException("no")))))
            .hasMessage("no");
        times.add(clock.nanoTime() - start);
      }
    }
    return times;
  }
}
