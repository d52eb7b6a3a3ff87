package dev.blitz.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.Await;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Strict
class PoolTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 64, 1024})
  void broadcast_reachesEveryWorkerOnce(int workers) {
    try (var pool = Pool.of(workers)) {
      var calls = new AtomicInteger();
      List<Integer> indices =
          pool.broadcast(index -> {
            calls.incrementAndGet();
            assertThat(pool.currentIndex()).isEqualTo(index);
            return index;
          });
      assertThat(calls).hasValue(workers);
      assertThat(indices).hasSize(workers).isSorted().doesNotHaveDuplicates();
    }
  }

  @Test
  void broadcast_fromWorkers_atOnce_doesNotDeadlock() {
    try (var pool = Pool.of(3)) {
      for (int i = 0; i < 50; i++) {
        List<List<Integer>> nested = pool.broadcast(index -> pool.broadcast(inner -> inner));
        assertThat(nested).containsOnly(List.of(0, 1, 2));
      }
    }
  }

  @Test
  void broadcast_whenSomeFail_throwsTheLowest() {
    try (var pool = Pool.of(4)) {
      assertThatThrownBy(() ->
              pool.broadcast(index -> {
                if (index > 0) {
                  throw new IllegalStateException("worker " + index);
                }
                return index;
              }))
          .hasMessage("worker 1")
          .satisfies(t -> assertThat(t.getSuppressed()).hasSize(2));
    }
  }

  @Test
  void builder_refusesImpossibleSizes() {
    assertThatThrownBy(() -> Pool.of(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Pool.of(1025)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void threads_areNamedDaemons() {
    try (var pool = Pool.builder().name("test").workers(2).seed(7).build()) {
      Thread worker = pool.call(Thread::currentThread);
      assertThat(worker.getName()).matches("blitz-test-[01]");
      assertThat(worker.isDaemon()).isTrue();
      assertThat(pool.toString()).contains("2 workers");
    }
  }

  /** Not with that of whoever happened to make the pool. */
  @Test
  @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it
  void threads_haveNormalPriority() {
    Thread creator = Thread.currentThread();
    int before = creator.getPriority();
    creator.setPriority(Thread.MIN_PRIORITY);
    try (var pool = Pool.of(1)) {
      assertThat(pool.call(() -> Thread.currentThread().getPriority()))
          .isEqualTo(Thread.NORM_PRIORITY);
    } finally {
      creator.setPriority(before);
    }
  }

  @Test
  void workerStats_sayWhoDidWhat() {
    try (var pool = Pool.of(3)) {
      pool.broadcast(index -> index);
      List<WorkerStats> all = pool.workerStats();
      assertThat(all).extracting(WorkerStats::index).containsExactly(0, 1, 2);
      assertThat(all).allSatisfy(worker -> assertThat(worker.executed()).isEqualTo(1));
      assertThat(all.stream().mapToLong(WorkerStats::stolen).sum())
          .isEqualTo(pool.stats().stolen());
    }
  }

  /** A call to a sleeping pool is for one worker: a second one would wake in vain. */
  @ParameterizedTest
  @ValueSource(ints = {2, 8})
  void call_toASleepingPool_wakesOneWorker(int workers) {
    try (var pool = Pool.of(workers)) {
      int calls = 200;
      long before = woken(pool);
      for (int i = 0; i < calls; i++) {
        assertThat(pool.call(() -> 1)).isEqualTo(1);
        awaitSleep(pool);
      }
      assertThat(woken(pool) - before).isLessThanOrEqualTo(calls);
    }
  }

  private static long woken(Pool pool) {
    awaitSleep(pool);
    return pool.stats().woken();
  }

  private static void awaitSleep(Pool pool) {
    Await.until(
        () -> pool.stats().slept() - pool.stats().woken() >= pool.workers(), "the pool to sleep");
  }

  @Test
  void close_waitsForSpawnedJobsAndRefusesNewOnes() {
    var ran = new AtomicInteger();
    var pool = Pool.of(2);
    pool.spawn(() -> {
      for (int i = 0; i < 100; i++) {
        pool.spawn(ran::incrementAndGet);
      }
    });
    pool.close();
    assertThat(ran).hasValue(100);
    assertThatThrownBy(() -> pool.call(() -> 1)).isInstanceOf(RejectedExecutionException.class);
    assertThatThrownBy(() -> pool.spawn(() -> {})).isInstanceOf(RejectedExecutionException.class);
    assertThatThrownBy(() -> pool.broadcast(i -> i)).isInstanceOf(RejectedExecutionException.class);
    pool.close();
  }

  @Test
  void close_byItsOwnWorker_isRefused() {
    try (var pool = Pool.of(1)) {
      assertThatThrownBy(() -> pool.run(pool::close)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void close_racingCalls_neverLosesOne() throws Exception {
    for (int i = 0; i < 100; i++) {
      var pool = Pool.of(2);
      Race.run(
          index -> pool.close(),
          index -> {
            try {
              assertThat(pool.call(() -> 42)).isEqualTo(42);
            } catch (RejectedExecutionException tooLate) {
              assertThat(tooLate).hasMessageContaining("closed");
            }
          });
    }
  }

  @Test
  void spawn_whenItFails_tellsTheHandler() throws Exception {
    try (var pool = Pool.of(1)) {
      var told = new AtomicReference<Throwable>();
      var done = new CountDownLatch(1);
      pool.spawn(
          () -> {
            throw new java.io.IOException("spawned");
          },
          failure -> {
            told.set(failure);
            done.countDown();
          });
      done.await();
      assertThat(told.get()).hasMessage("spawned");
      assertThat(pool.call(() -> 1)).isEqualTo(1);
    }
  }

  @Test
  void spawn_whenTheHandlerFails_tellsTheThread() throws Exception {
    try (var pool = Pool.of(1)) {
      var told = new AtomicReference<Throwable>();
      var done = new CountDownLatch(1);
      pool.run(() ->
          Thread.currentThread()
              .setUncaughtExceptionHandler((thread, failure) -> {
                told.set(failure);
                done.countDown();
              }));
      pool.spawn(
          () -> {
            throw new IllegalStateException("job");
          },
          failure -> {
            throw new IllegalStateException("handler");
          });
      done.await();
      assertThat(told.get()).hasMessage("handler");
      assertThat(told.get().getSuppressed()).hasSize(1);
      assertThat(pool.call(() -> 1)).isEqualTo(1);
    }
  }

  @Test
  void call_intoAnotherPool_keepsWorkingMeanwhile() {
    try (var outer = Pool.of(1);
        var inner = Pool.of(1)) {
      // The inner job needs the outer pool's only worker, which waits for it.
      int sum = outer.call(() -> inner.call(() -> outer.call(() -> 20) + 1) + 1);
      assertThat(sum).isEqualTo(22);
    }
  }

  @Test
  void blocking_letsAnotherWorkerStandIn() {
    try (var pool = Pool.of(1)) {
      var opened = new CountDownLatch(1);
      pool.scope(s -> {
        s.spawn(opened::countDown);
        // The only worker blocks until the spawned job ran: somebody must stand in.
        var _ =
            Parallel.blocking(() -> {
              JoinTest.await(opened);
              return true;
            });
      });
      for (int i = 0; i < 20; i++) {
        var again = new CountDownLatch(1);
        pool.scope(s -> {
          s.spawn(again::countDown);
          var _ =
              Parallel.blocking(() -> {
                JoinTest.await(again);
                return true;
              });
        });
      }
      assertThat(pool.call(() -> 5)).isEqualTo(5);
    }
  }

  /** Every fork below is private by then: none of the others has been asked for. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void blocking_forItsOwnSecondHalf_isHelped(int workers) {
    try (var pool = Pool.of(workers)) {
      for (int depth = 0; depth < 20; depth++) {
        int levels = depth;
        assertThat(pool.call(() -> blockedBelow(levels))).isEqualTo(levels + 2);
      }
    }
  }

  private static int blockedBelow(int levels) {
    if (levels > 0) {
      return Parallel.joinInt(() -> blockedBelow(levels - 1), () -> 1, Integer::sum);
    }
    var open = new CountDownLatch(1);
    return Parallel.joinInt(
        () ->
            Parallel.blocking(() -> {
              JoinTest.await(open);
              return 1;
            }),
        () -> {
          open.countDown();
          return 1;
        },
        Integer::sum);
  }

  /**
   * While a scope waits its worker does not fork: the third worker must see the fork that ends the
   * wait, although it is far from the oldest.
   */
  @Test
  void scope_thatWaits_leavesNoForkUnseen() {
    try (var pool = Pool.of(3)) {
      var started = new CountDownLatch(1);
      var open = new CountDownLatch(1);
      assertThat(pool.call(() -> waitingBelow(10, started, open))).isEqualTo(10);
    }
  }

  private static int waitingBelow(int levels, CountDownLatch started, CountDownLatch open) {
    if (levels > 0) {
      return Parallel.joinInt(
          () -> waitingBelow(levels - 1, started, open),
          () -> {
            if (levels == 1) {
              open.countDown();
            }
            return 1;
          },
          Integer::sum);
    }
    Parallel.scope(s -> {
      s.spawn(() -> {
        started.countDown();
        JoinTest.await(open);
      });
      JoinTest.await(started);
    });
    return 0;
  }

  @Test
  void blocking_ofAllWorkersAtOnce_keepsThePoolAlive() {
    try (var pool = Pool.of(2)) {
      var open = new CountDownLatch(1);
      var blocked = new CountDownLatch(6);
      for (int i = 0; i < 6; i++) {
        pool.spawn(() ->
            Parallel.blocking(() -> {
              blocked.countDown();
              JoinTest.await(open);
              return true;
            }));
      }
      JoinTest.await(blocked);
      assertThat(pool.call(() -> 7)).isEqualTo(7);
      open.countDown();
    }
  }

  /** As many jobs as there can be threads wait for one that has not begun: it is said. */
  @Test
  void blocking_beyondTheLastSpare_isLogged() {
    var said = new CountDownLatch(1);
    var handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            said.countDown();
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("dev.blitz.parallel");
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try (var pool = Pool.of(1)) {
      var open = new CountDownLatch(1);
      for (int i = 0; i < 70; i++) {
        pool.spawn(() ->
            Parallel.blocking(() -> {
              JoinTest.await(open);
              return true;
            }));
      }
      JoinTest.await(said);
      open.countDown();
    } finally {
      logger.setUseParentHandlers(true);
      logger.removeHandler(handler);
    }
  }

  @Test
  void yieldNow_runsSomebodyElsesJob() {
    try (var pool = Pool.of(1)) {
      var ran = new AtomicInteger();
      boolean[] yields =
          pool.call(() -> {
            pool.spawn(ran::incrementAndGet);
            return new boolean[] {Parallel.yieldNow(), Parallel.yieldNow()};
          });
      assertThat(yields).containsExactly(true, false);
      assertThat(ran).hasValue(1);
      assertThat(Parallel.yieldNow()).isFalse();
    }
  }

  /** From the third fork on they are private; and a lone worker has nobody to share them with. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void yieldNow_pollingForItsOwnFork_ends(int workers) {
    try (var pool = Pool.of(workers)) {
      for (int depth = 0; depth < 8; depth++) {
        int levels = depth;
        assertThat(pool.call(() -> pollingBelow(levels))).isEqualTo(levels + 2);
      }
    }
  }

  private static int pollingBelow(int levels) {
    if (levels > 0) {
      return Parallel.joinInt(() -> pollingBelow(levels - 1), () -> 1, Integer::sum);
    }
    var ready = new AtomicInteger();
    return Parallel.joinInt(
        () -> {
          while (ready.get() == 0) {
            Parallel.yieldNow();
          }
          return 1;
        },
        ready::incrementAndGet,
        Integer::sum);
  }

  private static void respawn(Pool pool, AtomicBoolean stop) {
    if (!stop.get()) {
      pool.spawn(() -> respawn(pool, stop));
    }
  }

  /** There is always a younger job to yield to. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void yieldNow_pollingForItsOwnFork_besideJobsThatRespawnThemselves_ends(int workers) {
    var stop = new AtomicBoolean();
    try (var pool = Pool.of(workers)) {
      try {
        for (int i = 0; i < 2 * workers; i++) {
          pool.spawn(() -> respawn(pool, stop));
        }
        assertThat(pool.call(() -> pollingBelow(3))).isEqualTo(5);
      } finally {
        stop.set(true);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void calls_behindJobsThatRespawnThemselves_areServed(int workers) {
    var stop = new AtomicBoolean();
    try (var pool = Pool.of(workers)) {
      try {
        for (int i = 0; i < 2 * workers; i++) {
          pool.spawn(() -> respawn(pool, stop));
        }
        assertThat(pool.call(() -> 7)).isEqualTo(7);
      } finally {
        stop.set(true);
      }
    }
  }

  @Test
  void oldJobs_belowOneThatRespawnsItself_areRun() {
    var stop = new AtomicBoolean();
    var ran = new CountDownLatch(1);
    try (var pool = Pool.of(1)) {
      try {
        pool.spawn(() -> {
          pool.spawn(ran::countDown);
          respawn(pool, stop);
        });
        JoinTest.await(ran);
      } finally {
        stop.set(true);
      }
    }
  }

  /** The job that close waits for needs the only worker of the pool that closes. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void close_byAWorkerOfAnotherPool_keepsWorkingMeanwhile(int workers) {
    try (var outer = Pool.of(1)) {
      var inner = Pool.of(workers);
      var closing = new CountDownLatch(1);
      var answer = new AtomicInteger();
      inner.spawn(() -> {
        JoinTest.await(closing);
        answer.set(outer.call(() -> 42));
      });
      outer.run(() -> {
        closing.countDown();
        inner.close();
      });
      assertThat(answer).hasValue(42);
      assertThatThrownBy(() -> inner.call(() -> 1)).isInstanceOf(RejectedExecutionException.class);
    }
  }

  @Test
  void workerLocal_hasOneValuePerWorker() {
    try (var pool = Pool.of(3)) {
      var local = new WorkerLocal<>(pool, AtomicInteger::new);
      pool.parallelFor(0, 10_000, LoopOptions.DEFAULT, i -> local.get().incrementAndGet());
      assertThat(local.values().size()).isBetween(1, 3);
      assertThat(local.values().stream().mapToInt(AtomicInteger::get).sum()).isEqualTo(10_000);
      assertThatThrownBy(local::get).isInstanceOf(IllegalStateException.class);
    }
  }

  /** Making the value forks, and the fork wants the value too. */
  @Test
  void workerLocal_madeTwiceAtOnce_keepsOne() {
    try (var pool = Pool.of(1)) {
      var made = new AtomicInteger();
      var holder = new AtomicReference<WorkerLocal<Integer>>();
      holder.set(
          new WorkerLocal<>(
              pool,
              () -> {
                int number = made.incrementAndGet();
                if (number == 1) {
                  holder.get().get();
                }
                return number;
              }));
      assertThat(pool.call(() -> holder.get().get())).isEqualTo(2);
      assertThat(holder.get().values()).containsExactly(2);
    }
  }

  @Test
  void workerIndex_outsideAnyPool_isMinusOne() {
    try (var pool = Pool.of(1)) {
      assertThat(pool.currentIndex()).isEqualTo(-1);
      assertThat(Parallel.workerIndex()).isEqualTo(-1);
      assertThat(pool.call(Parallel::workerIndex)).isZero();
    }
  }

  @Test
  void idlePool_sleepsAndUsesNoProcessorTime() {
    try (var pool = Pool.of(4)) {
      List<Thread> workers = pool.broadcast(index -> Thread.currentThread());
      Await.until(() -> sleeping(pool) == 4, "all workers to sleep");
      // A worker that is counted is still on its way to sleep: that is seen once, a wake each time.
      Await.until(
          () -> {
            PoolStats stats = pool.stats();
            List<Long> before = processorTimes(workers);
            // Something else happens for a while; nobody may wake for it.
            for (int i = 0; i < 200; i++) {
              try (var other = Pool.of(1)) {
                assertThat(other.call(() -> 1)).isEqualTo(1);
              }
            }
            return processorTimes(workers).equals(before) && pool.stats().equals(stats);
          },
          "a while in which nobody wakes");
    }
  }

  private static List<Long> processorTimes(List<Thread> threads) {
    var bean = ManagementFactory.getThreadMXBean();
    return threads.stream().map(thread -> bean.getThreadCpuTime(thread.threadId())).toList();
  }

  private static long sleeping(Pool pool) {
    PoolStats stats = pool.stats();
    return stats.slept() - stats.woken();
  }

  @Test
  void call_toASleepingPool_wakesItEveryTime() {
    try (var pool = Pool.of(2)) {
      for (int i = 0; i < 300; i++) {
        Await.until(() -> sleeping(pool) == 2, "both workers to sleep");
        int number = i;
        assertThat(pool.call(() -> number)).isEqualTo(number);
      }
    }
  }

  @Test
  void stats_countWhatHappened() {
    try (var pool = Pool.of(2)) {
      pool.scope(s -> {
        for (int i = 0; i < 10; i++) {
          s.spawn(() -> {});
        }
      });
      PoolStats stats = pool.stats();
      assertThat(stats.injected()).isEqualTo(1);
      assertThat(stats.executed()).isEqualTo(11);
      assertThat(stats.stolen()).isBetween(0L, 10L);
    }
  }
}
