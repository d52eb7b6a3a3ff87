package dev.blitz.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Direct tasks under a paused clock; run with and without carriers of our own. */
@Strict
class DirectTestRuntimeTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @BlitzTest
  void advance_takesEachTaskFromSleepToSleep(TestRuntime rt) {
    List<Duration> seen = new ArrayList<>();
    var task =
        rt.spawn(() -> {
          for (int i = 0; i < 3; i++) {
            Task.sleep(MINUTE).await();
            seen.add(rt.clock().elapsed());
          }
          return "slept";
        });
    rt.advance(Duration.ofSeconds(59));
    assertThat(seen).isEmpty();
    rt.advance(Duration.ofSeconds(1));
    assertThat(seen).containsExactly(MINUTE);
    rt.advance(Duration.ofHours(1));
    assertThat(task.await()).isEqualTo("slept");
    assertThat(seen).containsExactly(MINUTE, MINUTE.multipliedBy(2), MINUTE.multipliedBy(3));
  }

  @BlitzTest
  void run_letsTimePassByItself(TestRuntime rt) throws Exception {
    rt.run(() -> {
      var other =
          Task.spawn(() -> {
            Task.sleep(MINUTE).await();
            return rt.clock().elapsed();
          });
      Task.sleep(Duration.ofHours(1)).await();
      assertThat(other.get()).isEqualTo(MINUTE);
    });
    assertThat(rt.clock().elapsed()).isEqualTo(Duration.ofHours(1));
  }

  @BlitzTest
  void scopeLimit_followsThePausedClock(TestRuntime rt) {
    assertThatThrownBy(() ->
            rt.run(() -> {
              try (var scope = TaskScope.open()) {
                scope.spawn(() -> Task.sleep(Duration.ofDays(1)).await());
                scope.join(MINUTE);
              }
            }))
        .isInstanceOf(TimedOutException.class);
    assertThat(rt.clock().elapsed()).isEqualTo(MINUTE);
  }

  // --- Threads besides the workers ---

  @BlitzTest
  void anInterruptedThread_countsBeforeTimeGoesOn(TestRuntime rt) throws Exception {
    for (int i = 0; i < 50; i++) {
      Duration before = rt.clock().elapsed();
      rt.run(() -> {
        var limited =
            Task.spawnBlocking(() ->
                assertThatThrownBy(
                        () -> Task.timeout(MINUTE, () -> Task.sleep(Duration.ofHours(1)).await()))
                    .isInstanceOf(TimedOutException.class));
        limited.await();
        JoinHandle<?> asleep =
            Task.spawnBlocking(() -> {
              Task.sleep(Duration.ofHours(1)).await();
            });
        Task.sleep(MINUTE).await();
        asleep.cancel();
        assertThatThrownBy(asleep::await).isInstanceOf(CancelledException.class);
      });
      assertThat(rt.clock().elapsed().minus(before)).isEqualTo(MINUTE.multipliedBy(2));
    }
  }

  @BlitzTest
  void timeStands_whileADirectTaskBlocksInPlace(TestRuntime rt) throws Exception {
    rt.run(() -> {
      var sleeper = Task.spawn(() -> Task.sleep(MINUTE).await());
      Duration inside = Task.blockInPlace(() -> elapsedWhenAsleep(rt, sleeper));
      assertThat(inside).isZero();
      sleeper.await();
    });
    assertThat(rt.clock().elapsed()).isEqualTo(MINUTE);
  }

  @BlitzTest
  void timeStands_whileAPollBlocksInPlace(TestRuntime rt) throws Exception {
    Duration inside =
        rt.run(
            Futures.lazy(() -> {
              var sleeper = Task.spawn(Task.sleep(MINUTE));
              return Task.blockInPlace(() -> elapsedWhenAsleep(rt, sleeper));
            }));
    assertThat(inside).isZero();
  }

  /** The time when everything but the calling thread has gone to sleep, whatever led to that. */
  private static Duration elapsedWhenAsleep(TestRuntime rt, JoinHandle<?> sleeper) {
    var runtime = rt.runtime();
    Await.until(
        () ->
            (runtime.stats().timers() == 1 || sleeper.isDone())
                && runtime.stats().parked() == 1
                && Thread.getAllStackTraces().keySet().stream()
                    .anyMatch(t ->
                        t.getName().equals("blitz-" + runtime.name() + "-overseer")
                            && t.getState() == Thread.State.WAITING),
        "the worker and the overseer to sleep");
    return rt.clock().elapsed();
  }

  @BlitzTest
  void timePasses_forAThreadThatAwaitsInPlace(TestRuntime rt) throws Exception {
    rt.run(() -> Task.blockInPlace(() -> Task.sleep(MINUTE).await()));
    assertThat(rt.clock().elapsed()).isEqualTo(MINUTE);
  }

  @BlitzTest
  void timePasses_forABlockingCallThatAwaits(TestRuntime rt) throws Exception {
    rt.run(() ->
        Task.spawnBlocking(
                () -> {
                  Task.sleep(MINUTE).await();
                  return Task.sleep(MINUTE).await();
                })
            .await());
    assertThat(rt.clock().elapsed()).isEqualTo(MINUTE.multipliedBy(2));
  }
}
