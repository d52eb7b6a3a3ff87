package dev.blitz.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/** Called outside any pool, everything runs on the workers of the common one. */
@Strict
@LeakChecked(ignoreThreads = "blitz-parallel.*") // it is never closed
class CommonPoolTest {

  private static String here() {
    return Thread.currentThread().getName();
  }

  @Test
  void outside_thereIsNoWorker() throws Exception {
    assertThat(Parallel.workerIndex()).isEqualTo(-1);
    assertThat(Parallel.yieldNow()).isFalse();
    String caller = here();
    assertThat(Parallel.blocking(() -> here())).as("there is no worker to spare").isEqualTo(caller);
  }

  @Test
  void join_ofTwo() throws Exception {
    assertThat(
            Parallel.<Integer, Integer, Integer, RuntimeException>join(
                () -> 6, () -> 7, (a, b) -> a * b))
        .isEqualTo(42);
    assertThat(
            Parallel.<String, Integer, RuntimeException>join(
                CommonPoolTest::here, Parallel::workerIndex))
        .satisfies(both -> {
          assertThat(both.first()).startsWith("blitz-parallel");
          assertThat(both.second()).isNotNegative();
        });
    var ran = new AtomicInteger();
    Parallel.<RuntimeException>join(ran::incrementAndGet, ran::incrementAndGet);
    assertThat(ran).hasValue(2);
  }

  @Test
  void join_ofThreeAndFour() {
    var three =
        Parallel.<Integer, Integer, Integer, RuntimeException>join(() -> 1, () -> 2, () -> 3);
    assertThat(List.of(three.first(), three.second(), three.third())).containsExactly(1, 2, 3);
    var four =
        Parallel.<Integer, Integer, Integer, Integer, RuntimeException>join(
            () -> 1, () -> 2, () -> 3, () -> 4);
    assertThat(List.of(four.first(), four.second(), four.third(), four.fourth()))
        .containsExactly(1, 2, 3, 4);
  }

  @Test
  void join_ofNumbers() {
    assertThat(Parallel.<RuntimeException>joinInt(() -> 1, () -> 2, Integer::sum)).isEqualTo(3);
    assertThat(Parallel.<RuntimeException>joinLong(() -> 1L << 40, () -> 2L, Long::sum))
        .isEqualTo((1L << 40) + 2);
    assertThat(Parallel.<RuntimeException>joinDouble(() -> 0.5, () -> 0.25, Double::sum))
        .isEqualTo(0.75);
  }

  @Test
  void tryJoin_ofAList() throws Exception {
    List<Work<Integer, IOException>> all = List.of(() -> 1, () -> 2, () -> 3);
    assertThat(Parallel.<Integer, IOException>tryJoin(all)).containsExactly(1, 2, 3);
    List<Work<Integer, IOException>> failing =
        List.of(
            () -> 1,
            () -> {
              throw new IOException("no");
            });
    assertThatThrownBy(() -> Parallel.<Integer, IOException>tryJoin(failing))
        .isInstanceOf(IOException.class);
  }

  @Test
  void scope_waitsForItsJobs() throws Exception {
    var ran = new AtomicInteger();
    Parallel.scope(scope -> {
      for (int i = 0; i < 100; i++) {
        scope.spawn(ran::incrementAndGet);
      }
    });
    assertThat(ran).hasValue(100);
  }

  @Test
  void broadcast_runsOnEachWorkerOnce() {
    List<Integer> indexes = Parallel.broadcast(i -> Parallel.workerIndex());
    assertThat(indexes).hasSize(Pool.common().workers());
    for (int i = 0; i < indexes.size(); i++) {
      assertThat(indexes.get(i)).isEqualTo(i);
    }
  }

  @Test
  void loops() throws Exception {
    var seen = new AtomicIntegerArray(1_000);
    Parallel.<RuntimeException>parallelFor(0, 1_000, seen::incrementAndGet);
    Parallel.<RuntimeException>parallelFor(
        0, 1_000, LoopOptions.DEFAULT.withGrain(64), seen::incrementAndGet);
    Parallel.<RuntimeException>parallelForRanges(
        0,
        1_000,
        LoopOptions.DEFAULT.withGrain(10),
        (from, to) -> {
          for (int i = from; i < to; i++) {
            seen.incrementAndGet(i);
          }
        });
    for (int i = 0; i < 1_000; i++) {
      assertThat(seen.get(i)).as("index " + i).isEqualTo(3);
    }
  }

  @Test
  void parallelForUntil_stops() {
    var looked = new LongAdder();
    assertThat(
            Parallel.parallelForUntil(
                0,
                1_000,
                i -> {
                  looked.increment();
                  return i == 500;
                }))
        .isTrue();
    assertThat(looked.sum()).isPositive();
    assertThat(Parallel.parallelForUntil(0, 1_000, LoopOptions.DEFAULT.withGrain(7), i -> false))
        .isFalse();
  }

  @Test
  void parallelReduce_combinesInOrder() {
    String text =
        Parallel.<String, RuntimeException>parallelReduce(
            0, 10, "", (from, to) -> from == to ? "" : digits(from, to), String::concat);
    assertThat(text).isEqualTo("0123456789");
    assertThat(
            Parallel.<Integer, RuntimeException>parallelReduce(
                5, 5, LoopOptions.DEFAULT, -1, (from, to) -> to - from, Integer::sum))
        .as("of nothing")
        .isEqualTo(-1);
  }

  private static String digits(int from, int to) {
    var text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(i);
    }
    return text.toString();
  }

  @Test
  void spawn_runsLater_andTellsOfFailures() throws Exception {
    var name = new CompletableFuture<String>();
    Parallel.spawn(() -> name.complete(here()), name::completeExceptionally);
    assertThat(name.get(40, TimeUnit.SECONDS)).startsWith("blitz-parallel");
    var failure = new CompletableFuture<Throwable>();
    Parallel.spawn(
        () -> {
          throw new IOException("no");
        },
        failure::complete);
    assertThat(failure.get(40, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
  }

  @Test
  void recursiveJobs_areInvokedThere() {
    assertThat(new IntFib().invoke(15)).isEqualTo(610);
    assertThat(new LongFib().invoke(15)).isEqualTo(610);
    assertThat(new ToLongFib().invoke("fifteen letters")).isEqualTo(610);
    assertThat(new BoxedFib().invoke(15)).isEqualTo(610);
  }

  private static final class IntFib extends RecursiveIntJob {
    @Override
    protected int compute(int n) {
      assertThat(Parallel.workerIndex()).isNotNegative();
      return n < 2 ? n : join(n - 1, n - 2);
    }

    @Override
    protected int combine(int left, int right) {
      return left + right;
    }
  }

  private static final class LongFib extends RecursiveLongJob {
    @Override
    protected long compute(long n) {
      return n < 2 ? n : join(n - 1, n - 2);
    }

    @Override
    protected long combine(long left, long right) {
      return left + right;
    }
  }

  private static final class ToLongFib extends RecursiveToLongJob<String> {
    @Override
    protected long compute(String s) {
      int n = s.length();
      return n < 2 ? n : join(s.substring(1), s.substring(2));
    }

    @Override
    protected long combine(long left, long right) {
      return left + right;
    }
  }

  private static final class BoxedFib extends RecursiveJob<Integer, Integer> {
    @Override
    protected Integer compute(Integer n) {
      return n < 2 ? n : join(n - 1, n - 2);
    }

    @Override
    protected Integer combine(Integer left, Integer right) {
      return left + right;
    }
  }
}
