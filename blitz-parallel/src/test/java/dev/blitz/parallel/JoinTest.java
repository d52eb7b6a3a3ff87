package dev.blitz.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Strict
class JoinTest {
  private static int fib(int n) {
    return n < 2 ? n : Parallel.join(() -> fib(n - 1), () -> fib(n - 2), Integer::sum);
  }

  private static int fibInt(int n) {
    return n < 2 ? n : Parallel.joinInt(() -> fibInt(n - 1), () -> fibInt(n - 2), Integer::sum);
  }

  private static long fibLong(int n) {
    return n < 2 ? n : Parallel.joinLong(() -> fibLong(n - 1), () -> fibLong(n - 2), Long::sum);
  }

  private static double fibDouble(int n) {
    return n < 2
        ? n
        : Parallel.joinDouble(() -> fibDouble(n - 1), () -> fibDouble(n - 2), Double::sum);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void join_withoutCutoff_computesFib(int workers) {
    try (var pool = Pool.of(workers)) {
      assertThat(pool.call(() -> fib(23))).isEqualTo(28657);
      assertThat(pool.call(() -> fibInt(23))).isEqualTo(28657);
      assertThat(pool.call(() -> fibLong(23))).isEqualTo(28657);
      assertThat(pool.call(() -> fibDouble(23))).isEqualTo(28657);
    }
  }

  @Test
  void join_nAry_keepsOrder() {
    try (var pool = Pool.of(2)) {
      assertThat(pool.call(() -> Parallel.join(() -> 1, () -> "b"))).isEqualTo(new Both<>(1, "b"));
      assertThat(pool.call(() -> Parallel.join(() -> 1, () -> "b", () -> 'c')))
          .isEqualTo(new Three<>(1, "b", 'c'));
      assertThat(pool.call(() -> Parallel.join(() -> 1, () -> "b", () -> 'c', () -> 4L)))
          .isEqualTo(new Four<>(1, "b", 'c', 4L));
    }
  }

  @Test
  void join_ofActions_runsBoth() {
    try (var pool = Pool.of(2)) {
      var sum = new AtomicInteger();
      pool.join(
          () -> {
            sum.addAndGet(1);
          },
          () -> {
            sum.addAndGet(2);
          });
      assertThat(sum).hasValue(3);
    }
  }

  @Test
  void join_whenSecondIsStolen_waitsForThief() {
    try (var pool = Pool.of(2)) {
      var secondRuns = new CountDownLatch(1);
      int workers =
          pool.join(
              () -> {
                // Only a thief can open this: the first half never reaches the second otherwise.
                await(secondRuns);
                return Parallel.workerIndex();
              },
              () -> {
                secondRuns.countDown();
                return Parallel.workerIndex();
              },
              (a, b) -> a.equals(b) ? 1 : 2);
      assertThat(workers).isEqualTo(2);
      assertThat(pool.stats().stolen()).isPositive();
    }
  }

  @Test
  void join_whenOnlyFirstFails_stillRunsSecond() {
    try (var pool = Pool.of(1)) {
      var ran = new AtomicInteger();
      assertThatThrownBy(() ->
              pool.join(
                  () -> {
                    throw new IOException("left");
                  },
                  ran::incrementAndGet,
                  (a, b) -> b))
          .isInstanceOf(IOException.class)
          .hasMessage("left");
      assertThat(ran).hasValue(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void join_whenBothFail_throwsLeftWithRightSuppressed(int workers) {
    try (var pool = Pool.of(workers)) {
      var left = new IllegalStateException("left");
      var right = new AssertionError("right");
      assertThatThrownBy(() ->
              pool.join(
                  () -> {
                    throw left;
                  },
                  () -> {
                    throw right;
                  }))
          .isSameAs(left);
      assertThat(left.getSuppressed()).containsExactly(right);
    }
  }

  @Test
  void join_whenStolenHalfFails_throwsItsOwnException() {
    try (var pool = Pool.of(2)) {
      var secondRuns = new CountDownLatch(1);
      assertThatThrownBy(() ->
              pool.join(
                  () -> {
                    await(secondRuns);
                    return 1;
                  },
                  () -> {
                    secondRuns.countDown();
                    throw new IOException("stolen");
                  },
                  (a, b) -> a))
          .isInstanceOf(IOException.class)
          .hasMessage("stolen");
    }
  }

  @Test
  void join_afterFailures_poolStillWorks() {
    try (var pool = Pool.of(2)) {
      for (int i = 0; i < 200; i++) {
        int round = i;
        assertThatThrownBy(() -> pool.run(() -> failSomewhere(12, round)))
            .isInstanceOf(ArithmeticException.class);
      }
      assertThat(pool.call(() -> fib(15))).isEqualTo(610);
    }
  }

  private static void failSomewhere(int depth, int path) {
    if (depth == 0) {
      if ((path & 3) == 0) {
        throw new ArithmeticException("leaf");
      }
      return;
    }
    Parallel.join(
        () -> failSomewhere(depth - 1, path * 5 + 1), () -> failSomewhere(depth - 1, path * 3));
  }

  @Test
  void tryJoin_finishesAllAndThrowsLeftmost() {
    try (var pool = Pool.of(2)) {
      var finished = new AtomicInteger();
      List<Work<Integer, Exception>> all = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        int index = i;
        all.add(() -> {
          finished.incrementAndGet();
          if (index % 10 == 7) {
            throw new IOException("number " + index);
          }
          return index;
        });
      }
      assertThatThrownBy(() -> pool.call(() -> Parallel.tryJoin(all)))
          .isInstanceOf(IOException.class)
          .hasMessage("number 7");
      assertThat(finished).hasValue(50);
    }
  }

  @Test
  void tryJoin_keepsOrder() throws Exception {
    try (var pool = Pool.of(3)) {
      List<Work<Integer, Exception>> all = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        int index = i;
        all.add(() -> index);
      }
      List<Integer> results = pool.call(() -> Parallel.tryJoin(all));
      assertThat(results).hasSize(1000).isSorted();
      assertThat(pool.call(() -> Parallel.tryJoin(List.<Work<Integer, Exception>>of()))).isEmpty();
    }
  }

  /** The two long ones meet only if both are visible while the first of them runs. */
  private static Work<Integer, Exception> meeting(CyclicBarrier together) {
    return () -> {
      together.await();
      return 1;
    };
  }

  /** Wherever the long ones are: below other joins, next to each other or far apart. */
  @Test
  void tryJoin_ofUnevenWork_hidesNothingBehindALongOne() throws Exception {
    try (var pool = Pool.of(2)) {
      for (int first = 0; first < 8; first++) {
        for (int second = first + 1; second < 8; second++) {
          var together = new CyclicBarrier(2);
          List<Work<Integer, Exception>> all = new ArrayList<>();
          for (int i = 0; i < 8; i++) {
            all.add(i == first || i == second ? meeting(together) : () -> 1);
          }
          assertThat(pool.call(() -> below(4, () -> Parallel.tryJoin(all)))).hasSize(8);
        }
      }
    }
  }

  @Test
  void join_nAry_hidesNothingBehindALongOne() throws Exception {
    try (var pool = Pool.of(2)) {
      var three = new CyclicBarrier(2);
      pool.call(() -> below(4, () -> Parallel.join(() -> 1, meeting(three), meeting(three))));
      var four = new CyclicBarrier(2);
      pool.call(
          () -> below(4, () -> Parallel.join(meeting(four), meeting(four), () -> 1, () -> 1)));
    }
  }

  @Test
  void scope_hidesNoForkBehindItsBody() throws Exception {
    try (var pool = Pool.of(2)) {
      var together = new CyclicBarrier(2);
      pool.call(() ->
          below(
              4,
              () ->
                  Parallel.join(
                      () -> {
                        Parallel.scope(s -> together.await());
                        return 1;
                      },
                      meeting(together),
                      Integer::sum)));
    }
  }

  /** On top of forks that nobody needs to see. */
  private static <T> T below(int levels, Work<T, Exception> work) throws Exception {
    return levels == 0
        ? work.run()
        : Parallel.<T, Integer, T, Exception>join(
            () -> below(levels - 1, work), () -> 1, (result, one) -> result);
  }

  /** Whether it is shared or not: before the first half begins. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  @SuppressWarnings("NullAway") // what nobody should do
  void join_ofANullSecondHalf_failsAtOnce(int workers) {
    try (var pool = Pool.of(workers)) {
      for (int depth = 0; depth < 6; depth++) {
        int levels = depth;
        var began = new AtomicInteger();
        assertThatThrownBy(() ->
                pool.call(() ->
                    below(
                        levels,
                        () ->
                            Parallel.<Integer, Integer, Integer, Exception>join(
                                began::incrementAndGet, null, Integer::sum))))
            .isInstanceOf(NullPointerException.class)
            .hasMessage("second half");
        assertThat(began).hasValue(0);
        assertThatThrownBy(() ->
                pool.call(() -> below(levels, () -> Parallel.joinInt(() -> 1, null, Integer::sum))))
            .isInstanceOf(NullPointerException.class)
            .hasMessage("second half");
      }
    }
  }

  @Test
  void join_fromManyThreads_servesAll() throws Exception {
    try (var pool = Pool.of(2)) {
      Race.run(
          8,
          index -> {
            for (int i = 0; i < 50; i++) {
              assertThat(pool.call(() -> fib(12))).isEqualTo(144);
            }
          });
      assertThat(pool.stats().injected()).isEqualTo(400);
    }
  }

  @Test
  void join_fromVirtualThreads_servesAll() throws Exception {
    try (var pool = Pool.of(2)) {
      List<Thread> callers = new ArrayList<>();
      var right = new AtomicInteger();
      for (int i = 0; i < 100; i++) {
        callers.add(
            Thread.startVirtualThread(
                () -> right.addAndGet(pool.call(() -> fib(10)) == 55 ? 1 : 0)));
      }
      for (Thread caller : callers) {
        caller.join();
      }
      assertThat(right).hasValue(100);
    }
  }

  @Test
  void call_ofInterruptedCaller_completesAndKeepsTheFlag() {
    try (var pool = Pool.of(1)) {
      Thread.currentThread().interrupt();
      assertThat(pool.call(() -> fib(10))).isEqualTo(55);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void interrupt_ofWorker_staysWithItsJob() {
    try (var pool = Pool.of(1)) {
      boolean kept =
          pool.call(() -> {
            Thread.currentThread().interrupt();
            assertThat(fib(10)).isEqualTo(55);
            return Thread.currentThread().isInterrupted();
          });
      assertThat(kept).isTrue();
      assertThat(pool.call(() -> Thread.currentThread().isInterrupted())).isFalse();
    }
  }

  /**
   * On its first way down a job shows a fork more: here the innermost of three, with two workers.
   */
  @Test
  void join_whoseFirstLeafWaits_hasItsNeighbourRunByAnother() {
    try (var pool = Pool.of(2)) {
      var neighbour = new CountDownLatch(1);
      pool.run(() ->
          Parallel.join(
              () ->
                  Parallel.join(
                      () -> Parallel.join(() -> await(neighbour), neighbour::countDown), () -> {}),
              () -> {}));
    }
  }

  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
