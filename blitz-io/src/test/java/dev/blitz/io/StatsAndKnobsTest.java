package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.observe.RuntimeStats;
import dev.blitz.io.policy.SpinMode;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.io.time.ManualTimeSource;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import guest.Stuck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the builder's knobs do, what the counters count, and the scheduler's numbers. */
@Strict
class StatsAndKnobsTest {

  private static RuntimeStats.Worker only(BlitzRuntime rt) {
    return rt.stats().workers().getFirst();
  }

  // --- Knobs ---

  @Test
  void blockingThreads_isTheMost_andTheRestWaits() {
    try (var rt = BlitzRuntime.builder().workers(1).blockingThreads(2).build()) {
      var stuck = new Stuck();
      for (int i = 0; i < 5; i++) {
        rt.spawnBlocking(stuck::hold).detach();
      }
      Await.until(() -> rt.dump().size() == 2, "two calls to run");
      RuntimeStats.Blocking full = rt.stats().blocking();
      assertThat(full).isEqualTo(new RuntimeStats.Blocking(5, 2, 0, 3));
      stuck.letGo();
      Await.until(() -> rt.stats().blocking().idle() == 2, "both threads to wait");
      assertThat(rt.stats().blocking()).isEqualTo(new RuntimeStats.Blocking(5, 2, 2, 0));
    }
  }

  @Test
  void blockingKeepAlive_endsIdleThreads_orKeepsThem() {
    try (var brief =
            BlitzRuntime.builder().workers(1).blockingKeepAlive(Duration.ofMillis(1)).build();
        var lasting =
            BlitzRuntime.builder().workers(1).blockingKeepAlive(Duration.ofHours(1)).build()) {
      assertThat(lasting.spawnBlocking(() -> 1).await()).isEqualTo(1);
      assertThat(brief.spawnBlocking(() -> 1).await()).isEqualTo(1);
      Await.until(() -> brief.stats().blocking().threads() == 0, "the idle thread's end");
      assertThat(lasting.stats().blocking().threads()).isEqualTo(1);
    }
  }

  @Test
  void spin_off_neverSpins_max_does() throws Exception {
    try (var off = BlitzRuntime.builder().workers(1).spin(SpinMode.OFF).build();
        var max = BlitzRuntime.builder().workers(1).spin(SpinMode.MAX).build()) {
      for (int i = 0; i < 20; i++) {
        off.run(Futures.done());
        max.run(Futures.done());
      }
      Await.until(() -> only(max).spinsWasted() > 0, "a spin that finds nothing");
      assertThat(only(off).spinsWasted() + only(off).spinsPaid()).isZero();
    }
  }

  @Test
  void spin_thatFindsWork_countsAsPaid() {
    try (var max = BlitzRuntime.builder().workers(1).spin(SpinMode.MAX).build()) {
      Await.until(
          () -> {
            for (int i = 0; i < 1_000; i++) {
              max.spawn(Futures.done()).detach();
              long end = System.nanoTime() + 10_000; // less than a spin takes
              while (System.nanoTime() - end < 0) {
                Thread.onSpinWait();
              }
            }
            return only(max).spinsPaid() > 0;
          },
          "a task that comes while the worker spins");
    }
  }

  // --- Counters ---

  @Test
  void outsideSpawns_countAsSpawnedPolledAndFetched() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      for (int i = 0; i < 10; i++) {
        rt.run(Futures.done());
      }
      Await.until(() -> rt.stats().live() == 0 && rt.stats().parked() == 1, "quiescence");
      RuntimeStats stats = rt.stats();
      assertThat(stats.spawned()).isEqualTo(10);
      assertThat(stats.polled()).isEqualTo(10).isEqualTo(only(rt).polled());
      assertThat(only(rt).injectFetches()).isEqualTo(10);
      assertThat(only(rt).index()).isZero();
      assertThat(stats.timesParked()).isPositive().isEqualTo(only(rt).parked());
      assertThat(stats.stolen()).isZero();
      assertThat(only(rt).overflows()).isZero();
      assertThat(only(rt).lifoHits()).isZero();
      assertThat(stats.searching()).isZero();
    }
  }

  @Test
  void live_countsTasksThatWait_andTimersThoseThatAreArmed() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      var sleeper = rt.spawn(Task.sleep(Duration.ofHours(1)));
      rt.spawn(Futures.pending()).detach();
      Await.until(() -> rt.stats().timers() == 1 && rt.dump().size() == 2, "both to wait");
      assertThat(rt.stats().live()).isEqualTo(2);
      sleeper.cancel();
      Await.until(() -> rt.stats().timers() == 0 && rt.stats().live() == 1, "the sleeper's end");
    }
  }

  @Test
  void overflows_countTheFullRing() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      rt.run(
          Futures.lazy(() -> {
            for (int i = 0; i < 3_000; i++) {
              Task.spawn(Futures.done()).detach();
            }
            return Done.DONE;
          }));
      assertThat(only(rt).overflows()).isBetween(2L, 5L);
    }
  }

  @Test
  void stolen_countsTasksThatChangeWorkers() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(2).build()) {
      var ran = new CountDownLatch(100);
      rt.run(
          Futures.lazy(() -> {
            for (int i = 0; i < 100; i++) {
              Task.spawn(
                      Futures.lazy(() -> {
                        ran.countDown();
                        return Done.DONE;
                      }))
                  .detach();
            }
            ran.await(); // this worker is stuck: the other one must take all of them
            return Done.DONE;
          }));
      assertThat(rt.stats().stolen()).isGreaterThanOrEqualTo(100);
    }
  }

  // --- Numbers ---

  /** Spawns the next one into the LIFO slot, so often. */
  private static Future<Done> chain(int left, List<String> order) {
    return Futures.lazy(() -> {
      order.add("newest");
      if (left > 1) {
        Task.spawn(chain(left - 1, order)).detach();
      }
      return Done.DONE;
    });
  }

  @Test
  void lifo_isTakenThreeTimesInARow_thenTheRing() throws Exception {
    List<String> order = new ArrayList<>();
    try (var rt = BlitzRuntime.builder().workers(1).spin(SpinMode.OFF).build()) {
      rt.run(
          Futures.lazy(() -> {
            for (int i = 0; i < 4; i++) {
              Task.spawn(
                      Futures.lazy(() -> {
                        order.add("oldest");
                        return Done.DONE;
                      }))
                  .detach();
            }
            Task.spawn(chain(12, order)).detach(); // pushes the last of them out of the slot
            return Done.DONE;
          }));
      Await.until(() -> rt.stats().live() == 0, "all to end");
      assertThat(only(rt).lifoHits()).isBetween(9L, 12L);
    }
    String text = String.join(" ", order);
    assertThat(text).contains("newest newest newest oldest");
    assertThat(text.substring(0, text.lastIndexOf("oldest")))
        .as("the ring waits for three of them at most")
        .doesNotContain("newest newest newest newest");
  }

  /** Occupies every worker; the list's latches let one go each. */
  private static List<Stuck> occupy(BlitzRuntime rt, int workers) throws InterruptedException {
    List<Stuck> held = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      var stuck = new Stuck();
      held.add(stuck);
      rt.spawn(Futures.lazy(stuck::hold)).detach();
      stuck.awaitInside();
    }
    return held;
  }

  private static long fetches(BlitzRuntime rt) {
    return rt.stats().workers().stream().mapToLong(RuntimeStats.Worker::injectFetches).sum();
  }

  private static long fetchesFor(int workers, int tasks) throws Exception {
    try (var rt = BlitzRuntime.builder().workers(workers).build()) {
      List<Stuck> held = occupy(rt, workers);
      long before = fetches(rt);
      List<JoinHandle<Done>> handles = new ArrayList<>();
      for (int i = 0; i < tasks; i++) {
        handles.add(rt.spawn(Futures.done()));
      }
      held.getFirst().letGo();
      for (JoinHandle<Done> handle : handles) {
        handle.await();
      }
      long fetched = fetches(rt) - before;
      held.forEach(Stuck::letGo);
      return fetched;
    }
  }

  @Test
  void injectBatch_isSixtyFourAtMost() throws Exception {
    assertThat(fetchesFor(1, 64)).isEqualTo(1);
    assertThat(fetchesFor(1, 65)).isEqualTo(2);
    assertThat(fetchesFor(1, 200)).isEqualTo(4);
  }

  @Test
  void injectBatch_isAFairShare_butFourAtLeast() throws Exception {
    assertThat(fetchesFor(4, 8)).as("a share would be two").isEqualTo(2);
    assertThat(fetchesFor(4, 4)).isEqualTo(1);
    assertThat(fetchesFor(2, 64)).as("32, then 16, 8, 4, 4").isEqualTo(5);
  }

  /**
   * Polls again and again, and moves the clock from inside: far enough for the sleeper, and less
   * than what ends a tick.
   */
  private static final class Busy implements Future<Done> {
    private final ManualTimeSource clock;
    private final AtomicBoolean stop;
    private final AtomicInteger sinceDue = new AtomicInteger(-1);
    private final Random random = new Random(1);
    private int pollsToMove = 1_000;

    Busy(ManualTimeSource clock, AtomicBoolean stop) {
      this.clock = clock;
      this.stop = stop;
    }

    @Override
    public @Nullable Done poll(Context cx) {
      if (stop.get()) {
        return Done.DONE;
      }
      if (--pollsToMove == 0) {
        pollsToMove = 1_000 + random.nextInt(128); // at each poll of a tick, sooner or later
        clock.advance(Duration.ofNanos(900_000));
        sinceDue.set(0);
      } else if (sinceDue.get() >= 0) {
        sinceDue.incrementAndGet();
      }
      cx.waker().wake();
      return null;
    }
  }

  @Test
  void aTick_has128PollsAtMost_soThatATimerWaitsNoLonger() throws Exception {
    var clock = new ManualTimeSource(false);
    var stop = new AtomicBoolean();
    var busy = new Busy(clock, stop);
    var most = new AtomicInteger();
    try (var rt = BlitzRuntime.builder().workers(1).clock(clock).build()) {
      var rounds = new AtomicInteger();
      JoinHandle<Done> sleeper =
          rt.spawn(
              Futures.loop(() ->
                  Task.sleep(Duration.ofNanos(500_000))
                      .map(d -> {
                        most.accumulateAndGet(busy.sinceDue.getAndSet(-1), Math::max);
                        return rounds.incrementAndGet() == 2_000
                            ? Futures.Step.STOP
                            : Futures.Step.MORE;
                      })));
      rt.spawn(busy).detach();
      sleeper.await();
      stop.set(true);
    }
    // At worst it is due in the first poll of a tick: 127 follow, and the busy task's next turn.
    assertThat(most).hasValue(128);
  }
}
