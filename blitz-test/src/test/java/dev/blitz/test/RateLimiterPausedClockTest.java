package dev.blitz.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Futures;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.task.Task;
import dev.blitz.io.time.RateLimiter;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A rate limiter as a user tests one: hours pass in no time, to the millisecond. */
@Strict
class RateLimiterPausedClockTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @BlitzTest
  void acquire_waitsForTheRefill(TestRuntime rt) throws Exception {
    var limiter = rt.run(Futures.lazy(() -> RateLimiter.create(1, MINUTE, 2)));
    var sent = new ArrayList<Integer>();
    var sender =
        rt.spawn(() -> {
          for (int i = 0; i < 5; i++) {
            limiter.acquire().await();
            sent.add(i);
          }
        });
    rt.advance(Duration.ZERO);
    assertThat(sent).as("the burst").containsExactly(0, 1);
    rt.advance(MINUTE.minusMillis(1));
    assertThat(sent).hasSize(2);
    rt.advance(Duration.ofMillis(1));
    assertThat(sent).hasSize(3);
    rt.advance(MINUTE.multipliedBy(2));
    assertThat(sent).hasSize(5);
    sender.await();
  }

  @BlitzTest
  void aTimeout_givesUpThePlace_andTheTokens(TestRuntime rt) throws Exception {
    rt.run(() -> {
      var limiter = RateLimiter.create(1, MINUTE, 3);
      assertThat(limiter.tryAcquire(3)).isTrue();
      var impatient = Task.spawn(limiter.acquire(3).timeout(MINUTE.plusSeconds(30)));
      Task.yieldNow().await();
      var patient = Task.spawn(limiter.acquire());
      assertThatThrownBy(impatient::await).hasRootCauseInstanceOf(TimedOutException.class);
      patient.await(); // at once: the token that the other had waited for is there
      assertThat(limiter.tryAcquire()).isFalse();
      Task.sleep(Duration.ofSeconds(30)).await();
      assertThat(limiter.tryAcquire()).isTrue();
    });
  }

  @BlitzTest
  void aDayOfCalls_takesNoTime_andKeepsTheRate(TestRuntime rt) throws Exception {
    List<Long> minutes =
        rt.run(() -> {
          var limiter = RateLimiter.create(60, Duration.ofHours(1), 1);
          var at = new ArrayList<Long>();
          long start = rt.clock().elapsed().toNanos();
          for (int i = 0; i < 24 * 60; i++) {
            limiter.acquire().await();
            at.add((rt.clock().elapsed().toNanos() - start) / MINUTE.toNanos());
          }
          return List.copyOf(at);
        });
    for (int i = 0; i < minutes.size(); i++) {
      assertThat(minutes.get(i)).isEqualTo(i);
    }
  }
}
