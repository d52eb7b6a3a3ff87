package dev.blitz.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker that waits for another pool: its own pool goes on, and not on top of it. */
@Strict
class CrossPoolTest {
  private static final ThreadLocal<Integer> DEPTH = ThreadLocal.withInitial(() -> 0);

  enum Wait {
    CALL {
      @Override
      void forJob(Pool other, Action<RuntimeException> job) {
        other.run(job);
      }
    },
    BROADCAST {
      @Override
      void forJob(Pool other, Action<RuntimeException> job) {
        other.broadcast(index -> {
          job.run();
          return index;
        });
      }
    },
    CLOSE {
      @Override
      void forJob(Pool other, Action<RuntimeException> job) {
        other.spawn(job);
        other.close();
      }
    };

    abstract void forJob(Pool other, Action<RuntimeException> job);
  }

  /** The stranger waits for what the waiting job does next: on top of it, for ever. */
  @ParameterizedTest
  @EnumSource
  void waitForAnotherPool_isNotBuriedByAStranger(Wait wait) throws Exception {
    try (var pool = Pool.of(1);
        var other = Pool.of(1)) {
      var waits = new CountDownLatch(1);
      var strangerBegan = new CountDownLatch(1);
      var waiterWentOn = new CountDownLatch(1);
      pool.spawn(() -> {
        wait.forJob(
            other,
            () -> {
              waits.countDown();
              JoinTest.await(strangerBegan);
            });
        waiterWentOn.countDown();
      });
      JoinTest.await(waits);
      pool.run(() ->
          Parallel.blocking(() -> {
            strangerBegan.countDown();
            JoinTest.await(waiterWentOn);
            return 0;
          }));
    }
  }

  /** Jobs that wait for another pool begin on threads of their own, not on top of each other. */
  @Test
  void manyWaits_doNotNest() throws Exception {
    int jobs = 40;
    try (var pool = Pool.of(2);
        var other = Pool.of(1)) {
      var begun = new CountDownLatch(jobs);
      var ended = new CountDownLatch(jobs);
      var deepest = new AtomicInteger();
      for (int i = 0; i < jobs; i++) {
        pool.spawn(() -> {
          DEPTH.set(DEPTH.get() + 1);
          deepest.accumulateAndGet(DEPTH.get(), Math::max);
          begun.countDown();
          other.run(() -> JoinTest.await(begun));
          DEPTH.set(DEPTH.get() - 1);
          ended.countDown();
        });
      }
      JoinTest.await(ended);
      assertThat(deepest).hasValue(1);
    }
  }

  /** More of them than a stack has room for, and than there are spares. */
  @Test
  void veryManyWaits_doNotFillTheStack() throws Exception {
    int jobs = 3_000;
    try (var pool = Pool.builder().workers(2).stackBytes(256 << 10).build();
        var other = Pool.of(1)) {
      var gate = new CountDownLatch(1);
      var ended = new CountDownLatch(jobs);
      var failure = new AtomicReference<Throwable>();
      other.spawn(() -> JoinTest.await(gate));
      for (int i = 0; i < jobs; i++) {
        pool.spawn(
            () -> {
              other.run(() -> {});
              ended.countDown();
            },
            t -> {
              failure.compareAndSet(null, t);
              ended.countDown();
            });
      }
      gate.countDown();
      JoinTest.await(ended);
      assertThat(failure.get()).isNull();
    }
  }

  /** More callers than there are spares, and each needs its own pool again to be answered. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void callsBack_fromMoreJobsThanSpares_areAnswered(int workers) throws Exception {
    int jobs = 200;
    try (var pool = Pool.of(workers);
        var other = Pool.of(2)) {
      var sum = new AtomicInteger();
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < jobs; i++) {
        callers.add(
            Thread.ofVirtual()
                .start(() -> pool.run(() -> sum.addAndGet(other.call(() -> pool.call(() -> 1))))));
      }
      for (Thread caller : callers) {
        caller.join();
      }
      assertThat(sum).hasValue(jobs);
    }
  }

  /** Only the waiting worker can take its share. */
  @Test
  void broadcast_reachesAWorkerThatWaitsForAnotherPool() {
    try (var pool = Pool.of(1);
        var other = Pool.of(1)) {
      assertThat(pool.call(() -> other.call(() -> pool.broadcast(index -> index))))
          .containsExactly(0);
    }
  }

  /** What the waiting worker has spawned and forked is run by whoever stands in. */
  @Test
  void jobsOfAWorkerThatWaitsForAnotherPool_areRun() {
    try (var pool = Pool.of(1);
        var other = Pool.of(1)) {
      var ran = new CountDownLatch(3);
      pool.scope(s -> {
        pool.spawn(ran::countDown);
        s.spawn(ran::countDown);
        Parallel.join(() -> other.run(() -> JoinTest.await(ran)), ran::countDown);
      });
    }
  }

  /**
   * Whoever stands in runs a job that leaves two: one for anybody, and on top of it one that a
   * scope waits for. Then it is not needed any more.
   */
  @Test
  void spare_goesOffDutyWithoutJobs() {
    try (var pool = Pool.of(1)) {
      for (int round = 0; round < 20; round++) {
        var left = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        pool.scope(s -> {
          s.spawn(() -> {
            pool.spawn(() -> {});
            s.spawn(() -> {});
            left.countDown();
            JoinTest.await(over);
          });
          Parallel.blocking(() -> {
            JoinTest.await(left);
            return 0;
          });
          over.countDown();
        });
      }
    }
  }

  /**
   * Runs it on a stand-in that is not needed any more, while the only worker waits for it, and
   * takes nothing else.
   */
  private static void onAFormerStandIn(Pool pool, Action<RuntimeException> job) {
    pool.scope(s -> {
      var began = new CountDownLatch(1);
      var over = new CountDownLatch(1);
      s.spawn(() -> {
        began.countDown();
        JoinTest.await(over);
        job.run();
      });
      Parallel.blocking(() -> {
        JoinTest.await(began);
        return 0;
      });
      over.countDown();
    });
  }

  /** It cannot stand in for itself. */
  @Test
  void formerStandIn_thatWaitsForAnotherPool_hasAStandIn() {
    try (var pool = Pool.of(1);
        var other = Pool.of(1)) {
      onAFormerStandIn(pool, () -> other.run(() -> pool.run(() -> {})));
    }
  }

  /** The same where it blocks. */
  @Test
  void formerStandIn_thatBlocks_hasAStandIn() {
    try (var pool = Pool.of(1)) {
      onAFormerStandIn(
          pool,
          () -> {
            var ran = new CountDownLatch(1);
            pool.spawn(ran::countDown);
            Parallel.blocking(() -> {
              JoinTest.await(ran);
              return 0;
            });
          });
    }
  }

  /**
   * The worker blocks while the stand-in runs a job; the worker comes back, takes a job of that
   * one's scope, and blocks until a call is answered. The stand-in has nothing to do but to wait
   * for it.
   */
  @Test
  void standIn_thatWaitsForWhomItStandsInFor_hasAStandIn() {
    try (var pool = Pool.of(1);
        var other = Pool.of(1)) {
      pool.scope(outer -> {
        var began = new CountDownLatch(1);
        var taken = new CountDownLatch(1);
        outer.spawn(() ->
            Parallel.scope(inner -> {
              inner.spawn(() -> {
                taken.countDown();
                other.run(() -> pool.run(() -> {}));
              });
              began.countDown();
              JoinTest.await(taken);
            }));
        Parallel.blocking(() -> {
          JoinTest.await(began);
          return 0;
        });
      });
    }
  }
}
