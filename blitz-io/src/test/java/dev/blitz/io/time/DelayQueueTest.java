package dev.blitz.io.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.DropExplorer;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@Strict
class DelayQueueTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualTimeSource clock = new ManualTimeSource(false);
  private final ManualTimeSource skipping = new ManualTimeSource(true);

  private static BlitzRuntime runtime(TimeSource clock) {
    return BlitzRuntime.builder().workers(2).clock(clock).build();
  }

  private static <T> DelayQueue<T> queueOf(BlitzRuntime rt) throws Exception {
    return rt.run(Futures.lazy(DelayQueue::<T>create));
  }

  private static <T> @Nullable T poll(UncheckedFuture<T> future, Waker waker) {
    return future.poll(Context.of(waker));
  }

  @Test
  void valuesOfOneMillisecond_comeInTheOrderOfTheirDeadlines() throws Exception {
    try (var rt = runtime(clock)) {
      DelayQueue<Long> queue = queueOf(rt);
      var delays = new ArrayList<Long>();
      for (long i = 0; i < 200; i++) {
        delays.add(1_000_000 + i * 4_999);
      }
      List<Long> shuffled = new ArrayList<>(delays);
      Collections.shuffle(shuffled, new Random(14));
      shuffled.forEach(nanos -> queue.insert(nanos, Duration.ofNanos(nanos)));
      clock.advance(Duration.ofMillis(3));
      var taken = new ArrayList<Long>();
      for (Long value = rt.run(queue.next()); taken.size() < 200; value = queue.tryNext()) {
        taken.add(value);
      }
      assertThat(taken).isEqualTo(delays);
    }
  }

  @Test
  void aWaiterOnAnotherThread_seesTheOrderOfTheDeadlinesToo() throws Exception {
    try (var rt = runtime(skipping)) {
      DelayQueue<Long> queue = queueOf(rt);
      var random = new Random(15);
      var taken = new ArrayList<Long>();
      rt.run(() -> {
        for (int round = 0; round < 50; round++) {
          for (int i = 0; i < 40; i++) {
            long nanos = 1_000_000L + random.nextInt(1_000_000);
            queue.insert(nanos, Duration.ofNanos(nanos));
          }
          taken.clear();
          while (queue.size() > 0) {
            taken.add(queue.next().await());
          }
          assertThat(taken).hasSize(40).isSorted();
        }
      });
    }
  }

  @Test
  void equalDeadlines_comeInTheOrderOfTheirInserts() throws Exception {
    try (var rt = runtime(clock)) {
      DelayQueue<Integer> queue = queueOf(rt);
      for (int i = 0; i < 50; i++) {
        queue.insert(i, SECOND);
      }
      clock.advance(SECOND);
      for (int i = 0; i < 50; i++) {
        assertThat(queue.tryNext()).isEqualTo(i);
      }
      assertThat(queue.tryNext()).isNull();
    }
  }

  @Test
  void severalWaiters_areServedInTheirOrder() throws Exception {
    try (var rt = runtime(clock)) {
      DelayQueue<String> queue = queueOf(rt);
      var order = new ArrayList<Integer>();
      var waits = new ArrayList<UncheckedFuture<String>>();
      for (int i = 0; i < 3; i++) {
        int index = i;
        UncheckedFuture<String> next = queue.next();
        assertThat(poll(next, () -> order.add(index))).isNull();
        waits.add(next);
      }
      queue.insert("a", SECOND);
      queue.insert("b", SECOND);
      assertThat(rt.stats().timers()).isEqualTo(1);
      clock.advance(SECOND);
      Await.until(() -> order.size() == 2, "two wakes");
      assertThat(order).containsExactly(0, 1);
      assertThat(queue.tryNext()).as("both are promised").isNull();
      assertThat(poll(waits.get(1), () -> {})).isEqualTo("b");
      assertThat(poll(waits.get(0), () -> {})).isEqualTo("a");
      assertThat(poll(waits.get(2), () -> order.add(2))).isNull();
      queue.insert("now", Duration.ZERO);
      assertThat(order).containsExactly(0, 1, 2);
      assertThat(poll(waits.get(2), () -> {})).isEqualTo("now");
      assertThatThrownBy(() -> poll(waits.get(2), () -> {}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("was already awaited or dropped; make a new one");
      assertThat(queue.size()).isZero();
    }
  }

  @Test
  void manyTasks_shareTheValues() throws Exception {
    try (var rt = runtime(skipping)) {
      DelayQueue<Integer> queue = queueOf(rt);
      var seen = ConcurrentHashMap.<Integer>newKeySet();
      rt.run(() -> {
        var sweepers = new ArrayList<JoinHandle<?>>();
        for (int s = 0; s < 8; s++) {
          sweepers.add(
              Task.spawn(() -> {
                for (int i = 0; i < 100; i++) {
                  seen.add(queue.next().await());
                }
              }));
        }
        for (int i = 0; i < 800; i++) {
          queue.insert(i, Duration.ofNanos(i * 37_000L));
        }
        for (var sweeper : sweepers) {
          sweeper.await();
        }
      });
      assertThat(seen).hasSize(800);
      assertThat(rt.stats().timers()).isZero();
    }
  }

  @Test
  void drop_atEveryPoint_losesNoValue() throws Exception {
    try (var rt = runtime(clock)) {
      DropExplorer.explore(() -> {
        DelayQueue<String> queue;
        try {
          queue = queueOf(rt);
        } catch (Exception e) {
          throw new AssertionError(e);
        }
        UncheckedFuture<String> other = queue.next();
        var woken = new AtomicInteger();
        return DropExplorer.scenario(queue.next())
            .step("another waits", () -> poll(other, woken::incrementAndGet))
            .step("first value", () -> queue.insert("a", Duration.ZERO))
            .step("second value", () -> queue.insert("b", Duration.ZERO))
            .check(end -> {
              var values = new ArrayList<String>();
              end.ifValue(values::add);
              String theirs = poll(other, () -> {});
              assertThat(theirs).isNotNull();
              values.add(theirs);
              for (String v = queue.tryNext(); v != null; v = queue.tryNext()) {
                values.add(v);
              }
              assertThat(values).containsExactlyInAnyOrder("a", "b");
              assertThat(queue.size()).isZero();
              assertThat(queue.hasWaiters()).isFalse();
            });
      });
      assertThat(rt.stats().timers()).isZero();
    }
  }

  @Test
  void drop_ofTheOneThatHasAValue_passesItOnAndKeepsItsTurn() throws Exception {
    try (var rt = runtime(clock)) {
      DelayQueue<String> queue = queueOf(rt);
      queue.insert("later", Duration.ofMillis(1));
      UncheckedFuture<String> first = queue.next();
      poll(first, () -> {});
      DelayQueue.Key<String> key = queue.insert("now", Duration.ZERO);
      assertThat(queue.reset(key, SECOND)).as("it has been handed over").isFalse();
      clock.advance(Duration.ofMillis(2));
      first.drop();
      assertThat(queue.tryNext()).isEqualTo("now");
      assertThat(queue.tryNext()).isEqualTo("later");
    }
  }

  @Test
  void theLastWaiterThatLeaves_takesTheTimerAlong() throws Exception {
    try (var rt = runtime(clock)) {
      DelayQueue<String> queue = queueOf(rt);
      queue.insert("x", SECOND);
      assertThat(rt.stats().timers()).as("nobody waits").isZero();
      UncheckedFuture<String> a = queue.next();
      UncheckedFuture<String> b = queue.next();
      poll(a, () -> {});
      poll(b, () -> {});
      a.drop();
      assertThat(rt.stats().timers()).isEqualTo(1);
      b.drop();
      assertThat(rt.stats().timers()).isZero();
      assertThat(queue.size()).isEqualTo(1);
    }
  }

  @Test
  void resetAndRemove_moveTheAlarm() throws Exception {
    try (var rt = runtime(clock)) {
      DelayQueue<String> queue = queueOf(rt);
      var a = queue.insert("a", SECOND);
      var b = queue.insert("b", SECOND.multipliedBy(2));
      queue.insert("c", SECOND.multipliedBy(3));
      var wakes = new AtomicInteger();
      UncheckedFuture<String> next = queue.next();
      poll(next, wakes::incrementAndGet);
      assertThat(queue.reset(a, SECOND.multipliedBy(9))).isTrue();
      assertThat(queue.remove(b)).isTrue();
      clock.advance(SECOND.multipliedBy(2));
      assertThat(wakes).hasValue(0);
      assertThat(queue.reset(a, Duration.ofMillis(1))).isTrue();
      clock.advance(Duration.ofMillis(2));
      Await.until(() -> wakes.get() == 1, "the wake");
      assertThat(poll(next, () -> {})).isEqualTo("a");
      assertThat(queue.reset(a, SECOND)).isFalse();
      assertThat(queue.remove(a)).isFalse();
      assertThat(queue.size()).isEqualTo(1);
    }
  }

  @Test
  void valuesForEver_areKept_andCanBeRemoved() throws Exception {
    try (var rt = runtime(clock)) {
      DelayQueue<String> queue = queueOf(rt);
      var never = queue.insert("never", Duration.ofSeconds(Long.MAX_VALUE));
      UncheckedFuture<String> next = queue.next();
      assertThat(poll(next, () -> {})).isNull();
      clock.advance(Duration.ofDays(10_000));
      assertThat(poll(next, () -> {})).isNull();
      assertThat(queue.remove(never)).isTrue();
      next.drop();
      DelayQueue<String> other = queueOf(rt);
      var key = other.insert("x", SECOND);
      assertThatThrownBy(() -> queue.remove(key)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
