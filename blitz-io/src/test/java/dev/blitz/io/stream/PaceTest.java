package dev.blitz.io.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.policy.Backoff;
import dev.blitz.io.task.Task;
import dev.blitz.io.time.ManualTimeSource;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operators with time, on a clock that skips what nobody does anything in. */
@Strict
class PaceTest {
  private final ManualTimeSource clock = new ManualTimeSource(true);
  private final BlitzRuntime rt = BlitzRuntime.builder().workers(1).clock(clock).build();
  private final long begin = clock.nanoTime();

  @AfterEach
  void nothingIsLeft() {
    assertThat(rt.stats().timers()).as("timers").isZero();
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  private static Duration millis(long n) {
    return Duration.ofMillis(n);
  }

  /** Items that come at these milliseconds, each the time it comes at; ends with the last. */
  private Source<Long> at(long... times) {
    var next = new AtomicInteger();
    return UncheckedSource.unfold(() -> {
      int i = next.getAndIncrement();
      if (i == times.length) {
        return Task.sleep(Duration.ZERO).map(done -> Optional.empty());
      }
      return Task.sleep(millis(Math.max(0, times[i] - now()))).map(done -> Optional.of(times[i]));
    });
  }

  private long now() {
    return (clock.nanoTime() - begin) / 1_000_000;
  }

  /** What comes out, and when. */
  private <T> List<String> timeline(Function<Source<Long>, Source<T>> operator, long... times)
      throws Exception {
    List<String> got = new ArrayList<>();
    rt.run(operator.apply(at(times)).each(item -> got.add(item + "@" + now())));
    return got;
  }

  @Test
  void throttle_delaysWhatComesTooSoon_andLosesNothing() throws Exception {
    assertThat(timeline(s -> s.throttle(millis(10)), 0, 1, 2, 50, 51))
        .containsExactly("0@0", "1@10", "2@20", "50@50", "51@60");
  }

  @Test
  void debounce_yieldsWhatIsFollowedByQuiet_andTheLast() throws Exception {
    assertThat(timeline(s -> s.debounce(millis(10)), 0, 5, 9, 50, 80, 85))
        .containsExactly("9@19", "50@60", "85@85");
  }

  @Test
  void debounce_whoIsPolledLate_losesNothingThatHadItsQuiet() throws Exception {
    var channel = Channel.<Integer>unbounded();
    rt.run(() -> {
      try (var quiet = channel.receiver().debounce(millis(10))) {
        channel.trySend(1);
        assertThat(quiet.next().timeout(millis(5)).recover(e -> Optional.empty()).await())
            .isEmpty();
        Task.sleep(millis(10)).await();
        channel.trySend(2); // after the quiet of 1, before anybody looks
        assertThat(quiet.next().await()).contains(1);
        channel.close();
        assertThat(quiet.next().await()).contains(2);
      }
    });
  }

  @Test
  void chunk_isFull_orLate_orTheLast() throws Exception {
    assertThat(timeline(s -> s.chunk(3, millis(10)), 0, 1, 2, 3, 4, 30, 31))
        .containsExactly("[0, 1, 2]@2", "[3, 4]@13", "[30, 31]@31");
  }

  @Test
  void timeout_countsFromWhereSomebodyWaits() throws Exception {
    assertThat(timeline(s -> s.timeout(millis(10)), 9, 18, 27)).hasSize(3);
    assertThatThrownBy(() -> timeline(s -> s.timeout(millis(10)), 9, 60))
        .isInstanceOf(TimedOutException.class)
        .hasMessageContaining("PT0.01S");
    rt.run(() -> {
      try (var slow = at(now() + 100, now() + 200).timeout(millis(101))) {
        assertThat(slow.next().timeout(millis(50)).recover(e -> Optional.empty()).await())
            .isEmpty();
        Task.sleep(millis(500)).await(); // nobody waits: no limit
        assertThat(slow.next().await()).isPresent();
      }
    });
  }

  @Test
  void durations_ofNothingAndForEver() throws Exception {
    Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
    assertThat(timeline(s -> s.throttle(Duration.ZERO), 0, 0, 0)).hasSize(3);
    assertThat(timeline(s -> s.timeout(forever), 1_000)).hasSize(1);
    assertThat(timeline(s -> s.chunk(2, forever), now(), now() + 5)).hasSize(1);
    assertThat(timeline(s -> s.debounce(Duration.ZERO), now() + 1, now() + 2)).hasSize(2);
  }

  @Test
  void retry_goesOn_asTheBackoffSays() throws Exception {
    var attempts = new AtomicInteger();
    List<String> got = new ArrayList<>();
    Source<Integer> source =
        Source.retry(
            Backoff.exponential(millis(10)),
            () -> {
              int n = attempts.incrementAndGet();
              got.add("try@" + now());
              return n < 4
                  ? Source.of(n).flatMap(i -> i % 2 == 0 ? fail(i) : Source.of(i).merge(fail(i)))
                  : Source.of(n);
            });
    rt.run(source.each(item -> got.add(item + "@" + now())));
    assertThat(got).containsExactly("try@0", "1@0", "try@10", "try@30", "3@30", "try@70", "4@70");
  }

  private static Source<Integer> fail(int i) {
    return Source.failed(new IOException("try " + i));
  }

  @Test
  void retry_givesUp_withTheLastFailure_andClosesEachAttempt() {
    List<ProbeSource> probes = new ArrayList<>();
    Source<Integer> source =
        Source.retry(
            Backoff.fixed(Duration.ZERO).limit(300),
            () -> {
              var probe =
                  ProbeSource.failing(List.of(), false, new IOException("try " + probes.size()));
              probes.add(probe);
              return probe;
            });
    assertThatThrownBy(() -> rt.run(source.toList())).hasMessage("try 300");
    assertThat(probes).hasSize(301).allSatisfy(ProbeSource::verify);
  }

  @Test
  void retry_doesNotTryAgain_afterCancellationsAndErrors() {
    for (Throwable failure : List.of(new CancellationException("c"), new AssertionError("e"))) {
      List<ProbeSource> probes = new ArrayList<>();
      Source<Integer> source =
          Source.retry(
              Backoff.fixed(Duration.ZERO),
              () -> {
                probes.add(ProbeSource.failing(List.of(1), false, failure));
                return probes.getLast();
              });
      assertThatThrownBy(() -> rt.run(source.toList())).isNotNull();
      assertThat(probes).hasSize(1).allSatisfy(ProbeSource::verify);
    }
  }

  @Test
  void retry_thatIsClosedInAPause_leavesNoTimer() throws Exception {
    rt.run(() -> {
      Source<Integer> source = Source.retry(Backoff.fixed(Duration.ofHours(1)), () -> fail(1));
      assertThat(source.next().timeout(millis(5)).recover(e -> Optional.empty()).await()).isEmpty();
      source.close();
    });
  }

  @Test
  void outsideARuntime_aTimerIsRefused_andNothingLeaks() {
    ProbeSource probe = ProbeSource.ready(List.of(1, 2));
    assertThatThrownBy(() -> probe.throttle(millis(1)).toList().await())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("needs a runtime");
    probe.verify();
  }
}
