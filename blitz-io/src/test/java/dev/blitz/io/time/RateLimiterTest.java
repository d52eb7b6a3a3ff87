package dev.blitz.io.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.DropExplorer;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Memory;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@Strict
class RateLimiterTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MILLI = Duration.ofMillis(1);

  private final ManualTimeSource clock = new ManualTimeSource(false);
  private final BlitzRuntime rt = BlitzRuntime.builder().workers(2).clock(clock).build();

  @AfterEach
  void close() {
    assertThat(rt.stats().timers()).as("timers left behind").isZero();
    rt.close();
  }

  private RateLimiter limiter(int tokens, Duration period, int burst) {
    try {
      return rt.run(Futures.lazy(() -> RateLimiter.create(tokens, period, burst)));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static boolean poll(UncheckedFuture<Done> future, Waker waker) {
    return future.poll(Context.of(waker)) != null;
  }

  @Test
  void bucket_beginsFull_andIsRefilledUpToItsBurst() {
    var limiter = limiter(10, SECOND, 3);
    assertThat(limiter.available()).isEqualTo(3);
    assertThat(limiter.tryAcquire(3)).isTrue();
    assertThat(limiter.tryAcquire()).isFalse();
    clock.advance(Duration.ofMillis(99));
    assertThat(limiter.tryAcquire()).isFalse();
    clock.advance(MILLI);
    assertThat(limiter.tryAcquire()).isTrue();
    clock.advance(Duration.ofDays(3));
    assertThat(limiter.available()).as("no more than the burst").isEqualTo(3);
  }

  @Test
  void burst_isThePeriodsTokens_unlessSaid() throws Exception {
    var limiter = rt.run(Futures.lazy(() -> RateLimiter.create(7, SECOND)));
    assertThat(limiter.available()).isEqualTo(7);
    assertThat(limiter).hasToString("RateLimiter[7 for each PT1S, burst 7]");
  }

  @Test
  void thirds_loseNoFractionOfAToken() {
    var limiter = limiter(3, SECOND, 3);
    assertThat(limiter.tryAcquire(3)).isTrue();
    int taken = 0;
    for (int i = 0; i < 1_000; i++) {
      clock.advance(Duration.ofNanos(7_000_001));
      while (limiter.tryAcquire()) {
        taken++;
      }
    }
    assertThat(taken).isEqualTo(21); // 7.000001 seconds of three a second
  }

  @Test
  void waiters_areServedInTheirOrder_whateverTheyNeed() {
    var limiter = limiter(1, SECOND, 4);
    assertThat(limiter.tryAcquire(4)).isTrue();
    var woken = new ArrayList<String>();
    var many = limiter.acquire(3);
    var one = limiter.acquire();
    assertThat(poll(many, () -> woken.add("many"))).isFalse();
    assertThat(poll(one, () -> woken.add("one"))).isFalse();
    assertThat(rt.stats().timers()).as("they share a timer").isEqualTo(1);
    clock.advance(SECOND.multipliedBy(2));
    assertThat(limiter.tryAcquire()).as("two are there, for another").isFalse();
    assertThat(limiter.available()).isZero();
    clock.advance(SECOND);
    Await.until(() -> woken.size() == 1, "the first");
    clock.advance(SECOND);
    Await.until(() -> woken.size() == 2, "the second");
    assertThat(woken).containsExactly("many", "one");
    assertThat(poll(one, () -> {})).isTrue();
    assertThat(poll(many, () -> {})).isTrue();
    assertThatThrownBy(() -> poll(one, () -> {})).hasMessageContaining("was already awaited or dropped; make a new one");
  }

  @Test
  void aLateAlarm_costsNobodyATurn() {
    var limiter = limiter(1_000_000, SECOND, 1); // a thousand fall due with each tick of the wheel
    assertThat(limiter.tryAcquire()).isTrue();
    List<UncheckedFuture<Done>> waits = new ArrayList<>();
    for (int i = 0; i < 2_500; i++) {
      var wait = limiter.acquire();
      assertThat(poll(wait, () -> {})).isFalse();
      waits.add(wait);
    }
    clock.advance(Duration.ofMillis(2));
    assertThat(limiter.available()).isZero(); // looks, and so serves
    assertThat(waits.stream().filter(w -> poll(w, () -> {})).count()).isEqualTo(2_000);
    clock.advance(MILLI);
    assertThat(limiter.available()).as("the burst, of 500").isEqualTo(1);
    assertThat(waits.subList(2_000, 2_500)).allMatch(w -> poll(w, () -> {}));
  }

  @Test
  void tasks_getTheRate_andNoMore() throws Exception {
    var skipping = new ManualTimeSource(true);
    try (var fast = BlitzRuntime.builder().workers(2).clock(skipping).build()) {
      // Read inside: a runtime with nothing left to do lets this clock run away.
      long took =
          fast.run(() -> {
            long before = skipping.nanoTime();
            var limiter = RateLimiter.create(50, SECOND, 5);
            var tasks = new ArrayList<JoinHandle<?>>();
            for (int t = 0; t < 10; t++) {
              tasks.add(
                  Task.spawn(() -> {
                    for (int i = 0; i < 20; i++) {
                      limiter.acquire().await();
                    }
                  }));
            }
            for (var task : tasks) {
              task.await();
            }
            return skipping.nanoTime() - before;
          });
      // 195 tokens of 20 ms after the burst; the last tick is rounded up.
      assertThat(took).isBetween(3_900_000_000L, 3_902_000_000L);
    }
  }

  @Test
  void drop_atEveryPoint_losesNoToken() {
    var limiters = new ArrayList<RateLimiter>();
    DropExplorer.explore(() -> {
      var limiter = limiter(1, Duration.ofHours(1), 2);
      assertThat(limiter.tryAcquire(2)).isTrue();
      limiters.add(limiter);
      var other = limiter.acquire();
      var took = new boolean[1];
      return DropExplorer.scenario(limiter.acquire())
          .step("another asks", () -> took[0] = poll(other, () -> {}))
          .step("an hour", () -> pass(limiter))
          .step("another hour", () -> pass(limiter))
          .check(end -> {
            if (!took[0]) {
              assertThat(poll(other, () -> {})).as("the other's").isTrue();
            }
            assertThat(limiter.available()).isEqualTo(end.dropped() ? 1 : 0);
            assertThat(limiter.hasWaiters()).isFalse();
          });
    });
    assertThat(limiters).isNotEmpty();
  }

  private void pass(RateLimiter limiter) {
    clock.advance(Duration.ofHours(1));
    assertThat(limiter.available()).isBetween(0, 2); // looks, and so serves
  }

  @Test
  void badNumbers_areRefused_andSayWhy() {
    var limiter = limiter(1, SECOND, 2);
    assertThatThrownBy(() -> limiter.tryAcquire(3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "tryAcquire(3) on RateLimiter[1 for each PT1S, burst 2]: from 1 to 2, its burst");
    assertThatThrownBy(() -> limiter.tryAcquire(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RateLimiter.create(0, SECOND))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be positive");
    assertThatThrownBy(() -> RateLimiter.create(1, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RateLimiter.create(1, Duration.ofDays(365), 1_000_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("70 years");
    assertThatThrownBy(() -> RateLimiter.create(1, SECOND))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("needs a runtime");
  }

  @Test
  void extremeRates_doNotOverflow() {
    var fast = limiter(Integer.MAX_VALUE, Duration.ofNanos(1), Integer.MAX_VALUE);
    assertThat(fast.tryAcquire(Integer.MAX_VALUE)).isTrue();
    clock.advance(Duration.ofDays(10_000));
    assertThat(fast.available()).isEqualTo(Integer.MAX_VALUE);
    var slow = limiter(1, Duration.ofDays(20_000), 1);
    assertThat(slow.tryAcquire()).isTrue();
    var wait = slow.acquire();
    assertThat(poll(wait, () -> {})).isFalse();
    wait.drop();
    clock.advance(Duration.ofDays(19_999));
    assertThat(slow.tryAcquire()).isFalse();
    clock.advance(Duration.ofDays(1));
    assertThat(slow.tryAcquire()).isTrue();
  }

  @Test
  void tryAcquire_allocatesNothing() {
    var limiter = limiter(1_000_000, SECOND, 1_000_000);
    Runnable takes =
        () -> {
          for (int i = 0; i < 1_000; i++) {
            limiter.tryAcquire();
          }
        };
    takes.run();
    assertThat(Memory.allocatedByEach(takes)).isZero();
  }
}
