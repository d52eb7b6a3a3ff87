package dev.blitz.io.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.Blitz;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Deadline;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.io.sync.Mutex;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Strict
class TimeTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final ManualTimeSource clock = new ManualTimeSource(false);
  private final ManualTimeSource skipping = new ManualTimeSource(true);

  private static BlitzRuntime runtime(TimeSource clock) {
    return BlitzRuntime.builder().workers(2).clock(clock).build();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 3, 20})
  void sleep_isNeverEarly_byTheMachinesClock(long millis) throws Exception {
    long before = System.nanoTime();
    Blitz.run(Task.sleep(Duration.ofMillis(millis)));
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(millis * 1_000_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT-9223372036854775807S"})
  void sleep_ofNothing_isOverAtOnce(String duration) throws Exception {
    try (var rt = runtime(clock)) {
      rt.run(Task.sleep(Duration.parse(duration)));
    }
  }

  @Test
  void sleep_ofForever_canBeCancelled_andLeavesNoTimer() {
    try (var rt = runtime(clock)) {
      var task = rt.spawn(Task.sleep(FOREVER));
      Await.until(() -> rt.stats().timers() == 1, "the timer");
      task.cancel();
      Await.until(() -> rt.stats().timers() == 0, "no timer");
    }
    assertThat(clock.listeners()).isZero();
  }

  @Test
  void sleep_firesWhenTheClockReachesIt_andNotBefore() {
    try (var rt = runtime(clock)) {
      var task = rt.spawn(Task.sleep(Duration.ofMillis(10)));
      Await.until(() -> rt.stats().timers() == 1, "the timer");
      clock.advance(Duration.ofMillis(9));
      assertThat(task.isDone()).isFalse();
      clock.advance(Duration.ofMillis(2));
      assertThat(task.await()).isEqualTo(Done.DONE);
    }
  }

  @Test
  void anEarlierTimer_wakesTheSleeper() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(2).build()) {
      var far = rt.spawn(Task.sleep(HOUR));
      Await.until(() -> rt.stats().timers() == 1, "the far timer");
      rt.run(Task.sleep(Duration.ofMillis(5)));
      assertThat(far.isDone()).isFalse();
    }
  }

  @Test
  void aTimer_firesWhileAnotherWorkerIsStuckInAPoll() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(2).build()) {
      var fired = new CountDownLatch(1);
      // The task arms the timer, then its own worker is stuck until the timer has fired.
      var stuck =
          rt.spawn(
              Futures.lazy(() -> {
                Task.spawn(
                        Task.sleep(Duration.ofMillis(1))
                            .map(d -> {
                              fired.countDown();
                              return d;
                            }))
                    .detach();
                fired.await();
                return Done.DONE;
              }));
      assertThat(stuck.await()).isEqualTo(Done.DONE);
    }
  }

  @Test
  void anHourOfSleeps_takesNoTime_onASkippingClock() throws Exception {
    try (var rt = runtime(skipping)) {
      var rounds = new AtomicInteger();
      rt.run(
          Futures.loop(() ->
              Task.sleep(Duration.ofSeconds(1))
                  .map(d ->
                      rounds.incrementAndGet() == 3_600 ? Futures.Step.STOP : Futures.Step.MORE)));
      assertThat(rounds).hasValue(3_600);
    }
  }

  @Test
  void aSkippingClock_waitsForBlockingCalls() throws Exception {
    try (var rt = runtime(skipping)) {
      var order = new ArrayList<String>();
      var entered = new CountDownLatch(1);
      var go = new CountDownLatch(1);
      var blocking =
          rt.spawnBlocking(() -> {
            entered.countDown();
            go.await();
            order.add("blocking");
            return Done.DONE;
          });
      entered.await();
      var sleeper =
          rt.spawn(
              Task.sleep(HOUR)
                  .map(d -> {
                    order.add("sleep");
                    return d;
                  }));
      Await.until(() -> rt.stats().timers() == 1, "the timer");
      go.countDown();
      blocking.await();
      sleeper.await();
      assertThat(order).containsExactly("blocking", "sleep");
    }
  }

  @Test
  void timeout_dropsTheInnerFuture_andSaysWhatItWaitedFor() {
    try (var rt = runtime(skipping)) {
      var dropped = new AtomicBoolean();
      Future<Object> inner = Futures.pending().whenDone(() -> dropped.set(true));
      assertThatThrownBy(() -> rt.run(inner.timeout(HOUR)))
          .isInstanceOf(TimedOutException.class)
          .hasMessageContaining("PT1H")
          .hasMessageContaining("Futures.pending");
      assertThat(dropped).isTrue();
      Await.until(() -> rt.stats().timers() == 0, "no timer");
    }
  }

  @Test
  void timeout_aResultWinsATie() throws Exception {
    try (var rt = runtime(skipping)) {
      var both = Task.sleep(Duration.ofSeconds(5)).timeout(Duration.ofSeconds(5));
      assertThat(rt.run(both)).isEqualTo(Done.DONE);
    }
  }

  @Test
  void timeout_ofNothing_stillPollsOnce() throws Exception {
    try (var rt = runtime(clock)) {
      assertThat(rt.<Integer>run(Futures.ready(1).timeout(Duration.ZERO))).isEqualTo(1);
      assertThatThrownBy(() -> rt.run(Futures.pending().timeout(Duration.ofSeconds(-1))))
          .isInstanceOf(TimedOutException.class);
    }
  }

  @Test
  void timeout_thatNeverFires_isUnlinked() throws Exception {
    try (var rt = runtime(clock)) {
      for (int i = 0; i < 1_000; i++) {
        rt.run(Task.yieldNow().timeout(HOUR));
      }
      Await.until(() -> rt.stats().timers() == 0, "no timer");
    }
  }

  @Test
  void deadline_isSharedByTwoSteps() {
    try (var rt = runtime(skipping)) {
      var future =
          Futures.lazy(() -> Deadline.after(Duration.ofSeconds(10)))
              .andThen(deadline ->
                  Task.sleep(Duration.ofSeconds(6))
                      .timeoutAt(deadline)
                      .andThen(d -> Task.sleep(Duration.ofSeconds(6)).timeoutAt(deadline)));
      assertThatThrownBy(() -> rt.run(future)).isInstanceOf(TimedOutException.class);
    }
  }

  @Test
  void outsideARuntime_aTimerSaysWhatToDo() {
    assertThatThrownBy(() -> Task.sleep(HOUR).await())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("needs a runtime");
  }

  @Test
  void timeout_thatCannotBeArmed_dropsWhatItHasPolled() {
    var mutex = Mutex.create();
    assertThat(mutex.tryLock()).isTrue();
    assertThatThrownBy(() -> mutex.lock().timeout(HOUR).await())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("needs a runtime");
    mutex.unlock();
    assertThat(mutex.isLocked()).as("handed to a future that nobody polls").isFalse();
  }

  // --- Intervals ---

  private List<String> ticksAfterAStall(MissedTicks policy) throws Exception {
    try (var rt = runtime(skipping)) {
      var log = new ArrayList<String>();
      long start = skipping.nanoTime();
      var every = Interval.every(Duration.ofSeconds(1)).onMissed(policy);
      rt.run(
          Futures.loop(() ->
              every
                  .tick()
                  .andThen(tick -> {
                    long at = (skipping.nanoTime() - start) / 1_000_000;
                    log.add(tick.number() + "@" + at + "+" + tick.late().toMillis());
                    if (tick.number() == 5) {
                      return Futures.stop();
                    }
                    var pause = tick.number() == 1 ? Duration.ofMillis(2_500) : Duration.ZERO;
                    return Task.sleep(pause).map(d -> Futures.Step.MORE);
                  })));
      return log;
    }
  }

  @Test
  void interval_bursts() throws Exception {
    assertThat(ticksAfterAStall(MissedTicks.BURST))
        .containsExactly(
            "0@1000+0", "1@2000+0", "2@4500+1500", "3@4500+500", "4@5000+0", "5@6000+0");
  }

  @Test
  void interval_skips_toTheNextMultiple() throws Exception {
    assertThat(ticksAfterAStall(MissedTicks.SKIP))
        .containsExactly("0@1000+0", "1@2000+0", "2@4500+1500", "3@5000+0", "4@6000+0", "5@7000+0");
  }

  @Test
  void interval_delays_fromTheLateTick() throws Exception {
    assertThat(ticksAfterAStall(MissedTicks.DELAY))
        .containsExactly("0@1000+0", "1@2000+0", "2@4500+1500", "3@5500+0", "4@6500+0", "5@7500+0");
  }

  // --- Deadlines ---

  @Test
  void deadline_knowsWhatIsLeft_andWhenItHasPassed() throws Exception {
    try (var rt = runtime(skipping)) {
      rt.run(
          Futures.lazy(() -> Deadline.after(Duration.ofSeconds(2)))
              .andThen(deadline -> {
                assertThat(deadline.hasPassed()).isFalse();
                assertThat(deadline.remaining()).isEqualTo(Duration.ofSeconds(2));
                assertThat(deadline).hasToString("a deadline in PT2S");
                Deadline later = deadline.plus(Duration.ofSeconds(3));
                assertThat(later.remaining()).isEqualTo(Duration.ofSeconds(5));
                assertThat(later).isGreaterThan(deadline).isNotEqualTo(deadline);
                assertThat(deadline.plus(Duration.ZERO))
                    .isEqualTo(deadline)
                    .hasSameHashCodeAs(deadline);
                long start = skipping.nanoTime();
                return Task.sleepUntil(deadline)
                    .andThen(done -> {
                      assertThat(skipping.nanoTime() - start)
                          .isBetween(2_000_000_000L, 2_001_000_000L);
                      assertThat(deadline.hasPassed()).isTrue();
                      assertThat(deadline.remaining()).isEqualTo(Duration.ZERO);
                      assertThat(deadline).hasToString("a deadline that has passed");
                      assertThat(later.hasPassed()).isFalse();
                      return Task.sleepUntil(deadline); // over: at once
                    });
              }));
    }
  }

  @Test
  void deadline_beyondTheEndOfTime_neverPasses() throws Exception {
    try (var rt = runtime(skipping)) {
      rt.run(
          Futures.lazy(() -> {
            Deadline never = Deadline.after(Duration.ofSeconds(Long.MAX_VALUE));
            assertThat(never.hasPassed()).isFalse();
            assertThat(never.remaining()).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
            assertThat(never.plus(HOUR)).isEqualTo(never);
            assertThat(Deadline.after(HOUR).plus(Duration.ofSeconds(Long.MAX_VALUE / 2)))
                .isEqualTo(never);
            return Done.DONE;
          }));
    }
  }

  @Test
  void deadline_ofAnotherRuntime_isRefused() throws Exception {
    try (var one = runtime(skipping);
        var two = runtime(new ManualTimeSource(true))) {
      Deadline foreign = one.run(Futures.lazy(() -> Deadline.after(HOUR)));
      assertThatThrownBy(() -> two.run(Task.sleepUntil(foreign)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("another runtime");
      Deadline own = two.run(Futures.lazy(() -> Deadline.after(HOUR)));
      assertThatThrownBy(() -> own.compareTo(foreign)).isInstanceOf(IllegalArgumentException.class);
      assertThat(own).isNotEqualTo(foreign);
    }
  }

  @Test
  void interval_ofLessThanATick_isRefused() {
    assertThatThrownBy(() -> Interval.every(Duration.ofNanos(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 1 ms");
  }

  @Test
  void interval_whoseScheduleBeganInAnotherRuntime_isRefused_untilItIsReset() throws Exception {
    var every = Interval.every(Duration.ofMillis(10)).startingAtOnce();
    var other = new ManualTimeSource(true);
    try (var here = runtime(skipping);
        var there = runtime(other)) {
      here.run(Task.sleep(HOUR));
      here.run(every.tick());
      assertThatThrownBy(() -> there.run(every.tick()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("another runtime")
          .hasMessageContaining("reset()");
      here.run(every.tick());
      every.reset();
      long took =
          there.run(() -> {
            long before = other.nanoTime();
            every.tick().await();
            return other.nanoTime() - before;
          });
      assertThat(took).isBetween(10_000_000L, 12_000_000L);
    }
  }

  // --- The delay queue ---

  @Test
  void delayQueue_yieldsInOrderOfExpiry() throws Exception {
    try (var rt = runtime(skipping)) {
      var log = new ArrayList<String>();
      rt.run(
          Futures.lazy(DelayQueue::<String>create)
              .andThen(queue -> {
                queue.insert("c", Duration.ofSeconds(3));
                var a = queue.insert("a", Duration.ofSeconds(1));
                var gone = queue.insert("gone", Duration.ofSeconds(2));
                queue.insert("b", Duration.ofSeconds(2));
                assertThat(queue.remove(gone)).isTrue();
                assertThat(queue.remove(gone)).isFalse();
                assertThat(queue.reset(a, Duration.ofSeconds(4))).isTrue();
                return Futures.loop(() ->
                    queue
                        .next()
                        .map(v -> {
                          log.add(v);
                          return queue.size() == 0 ? Futures.Step.STOP : Futures.Step.MORE;
                        }));
              }));
      assertThat(log).containsExactly("b", "c", "a");
      Await.until(() -> rt.stats().timers() == 0, "no timer");
    }
  }

  // --- The scheduled executor ---

  @Test
  void scheduledExecutor_runsLaterAndPeriodically() throws Exception {
    try (var rt = runtime(skipping);
        var executor = rt.scheduledExecutor()) {
      assertThat(executor.schedule(() -> 42, 1, TimeUnit.HOURS).get()).isEqualTo(42);
      var runs = new CountDownLatch(5);
      var periodic = executor.scheduleAtFixedRate(runs::countDown, 0, 1, TimeUnit.MINUTES);
      runs.await();
      assertThat(periodic.cancel(false)).isTrue();
      var failing =
          executor.scheduleWithFixedDelay(
              () -> {
                throw new IllegalStateException("once");
              },
              1,
              1,
              TimeUnit.SECONDS);
      assertThatThrownBy(failing::get).hasRootCauseMessage("once");
    }
  }

  @Test
  void scheduledExecutor_whoseRuntimeCloses_cancelsWhatIsLeft() {
    java.util.concurrent.Future<?> once;
    java.util.concurrent.Future<?> periodic;
    try (var rt = runtime(clock)) {
      var executor = rt.scheduledExecutor();
      once = executor.schedule(() -> 42, 1, TimeUnit.HOURS);
      periodic = executor.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.HOURS);
      Await.until(() -> rt.stats().timers() == 2, "both timers");
    }
    assertThat(once.isCancelled()).isTrue();
    assertThat(periodic.isCancelled()).isTrue();
  }

  @Test
  void scheduledExecutor_shutDownNow_terminates() throws Exception {
    try (var rt = runtime(clock)) {
      var executor = rt.scheduledExecutor();
      var unused = executor.schedule(() -> 42, 1, TimeUnit.HOURS);
      assertThat(executor.shutdownNow()).hasSize(1);
      assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
      Await.until(() -> rt.stats().timers() == 0, "no timer");
      assertThat(unused.isDone()).isFalse(); // as the JDK has it: taken back, not cancelled
    }
  }

  private static boolean isQuiet(BlitzRuntime rt) {
    var stats = rt.stats();
    return stats.searching() == 0 && stats.parked() == stats.workers().size();
  }

  @Test
  void interval_resetWhileATickIsWaitedFor_putsItOff() throws Exception {
    try (var rt = runtime(clock)) {
      var every = Interval.every(Duration.ofSeconds(1));
      var ticks = new AtomicInteger();
      var task =
          rt.spawn(
              Futures.loop(() ->
                  every
                      .tick()
                      .map(t ->
                          ticks.incrementAndGet() == 2 ? Futures.Step.STOP : Futures.Step.MORE)));
      Await.until(() -> rt.stats().timers() == 1, "the tick is armed");
      clock.advance(Duration.ofMillis(900));
      rt.run(
          Futures.lazy(() -> {
            every.reset();
            return Done.DONE;
          }));
      Await.until(() -> isQuiet(rt), "the reset's end");
      long polled = rt.stats().polled();
      clock.advance(Duration.ofMillis(200)); // the old time: the tick is put off to 1 s from here
      Await.until(() -> rt.stats().polled() > polled && isQuiet(rt), "the tick is armed anew");
      assertThat(ticks).hasValue(0);
      clock.advance(Duration.ofSeconds(1));
      Await.until(() -> ticks.get() == 1 && isQuiet(rt), "the tick, and the next one is armed");
      clock.advance(Duration.ofSeconds(1));
      task.await();
    }
  }

  @Test
  void timeout_ofAFutureWhoseToStringThrows_stillDropsIt() {
    try (var rt = runtime(skipping)) {
      var dropped = new AtomicBoolean();
      var rude =
          new Future<Done>() {
            @Override
            public Done poll(dev.blitz.io.future.Context cx) {
              return null;
            }

            @Override
            public void drop() {
              dropped.set(true);
            }

            @Override
            public String toString() {
              throw new IllegalStateException("rude");
            }
          };
      assertThatThrownBy(() -> rt.run(rude.timeout(HOUR))).isInstanceOf(TimedOutException.class);
      assertThat(dropped).isTrue();
    }
  }

  /** Whoever is stuck in a poll cannot see to the timers that it has armed a moment before. */
  @Test
  void timerArmedByAPollThatGoesOn_firesMeanwhile() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(2).build()) {
      var fired = new AtomicBoolean();
      boolean inTime =
          rt.run(cx -> {
            var sleep = Task.sleep(Duration.ofMillis(5));
            assertThat(sleep.poll(Context.of(() -> fired.set(true)))).isNull();
            long start = System.nanoTime();
            while (!fired.get() && System.nanoTime() - start < 10_000_000_000L) {
              Thread.onSpinWait();
            }
            return fired.get();
          });
      assertThat(inTime).isTrue();
    }
  }
}
