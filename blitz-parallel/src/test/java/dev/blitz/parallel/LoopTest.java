package dev.blitz.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.Strict;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Strict
class LoopTest {
  @ParameterizedTest
  @CsvSource({"1,0", "1,1", "2,2", "2,1000", "4,100000", "8,99999"})
  void parallelFor_visitsEveryIndexOnce(int workers, int length) {
    try (var pool = Pool.of(workers)) {
      var visits = new AtomicIntegerArray(length);
      pool.parallelFor(0, length, LoopOptions.DEFAULT, visits::incrementAndGet);
      for (int i = 0; i < length; i++) {
        assertThat(visits.get(i)).as("index %d", i).isEqualTo(1);
      }
    }
  }

  @Test
  void parallelFor_overTheWholeIntRange_doesNotOverflow() {
    try (var pool = Pool.of(2)) {
      var count = new AtomicLong();
      pool.run(() ->
          Parallel.parallelForRanges(
              Integer.MIN_VALUE,
              Integer.MAX_VALUE,
              LoopOptions.DEFAULT,
              (from, to) -> count.addAndGet((long) to - from)));
      assertThat(count).hasValue((1L << 32) - 1);
    }
  }

  @Test
  void parallelFor_whenAWorkerIsFree_isShared() {
    try (var pool = Pool.of(2)) {
      var bothIn = new CountDownLatch(2);
      // Each index waits for another worker: only a second worker can end this.
      pool.parallelFor(
          0,
          2,
          LoopOptions.DEFAULT,
          i -> {
            bothIn.countDown();
            JoinTest.await(bothIn);
          });
      assertThat(pool.stats().stolen()).isPositive();
    }
  }

  /** What a call did to the pool beyond the call itself is forks that were shared and run. */
  private static long sharedForks(Pool pool) {
    PoolStats stats = pool.stats();
    return stats.executed() - stats.injected();
  }

  @Test
  void parallelReduce_thatNobodyHelpsWith_isCutOnlyAFewTimes() {
    long[] data = new long[1000];
    java.util.Arrays.setAll(data, i -> i);
    int calls = 200;
    try (var pool = Pool.of(2)) {
      for (int i = 0; i < calls; i++) {
        long sum =
            pool.parallelReduce(
                0,
                data.length,
                LoopOptions.DEFAULT,
                0L,
                (from, to) -> {
                  long part = 0;
                  for (int k = from; k < to; k++) {
                    part += data[k];
                  }
                  return part;
                },
                Long::sum);
        assertThat(sum).isEqualTo(499_500);
      }
      assertThat(sharedForks(pool)).isLessThanOrEqualTo(8L * calls);
    }
  }

  @Test
  void parallelForRanges_withGrain_handsOutNoSmallerPieces() {
    try (var pool = Pool.of(4)) {
      var small = new AtomicInteger();
      var sum = new AtomicLong();
      pool.run(() ->
          Parallel.parallelForRanges(
              0,
              100_000,
              LoopOptions.DEFAULT.withGrain(1000),
              (from, to) -> {
                sum.addAndGet(to - from);
                if (to - from < 500) {
                  small.incrementAndGet();
                }
              }));
      assertThat(sum).hasValue(100_000);
      // A piece is at least a grain; only its last block may be shorter.
      assertThat(small.get()).isLessThan(100);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void parallelReduce_keepsOrder(int workers) {
    try (var pool = Pool.of(workers)) {
      String text =
          pool.parallelReduce(
              0,
              2000,
              LoopOptions.DEFAULT,
              "",
              (from, to) -> {
                var part = new StringBuilder();
                for (int i = from; i < to; i++) {
                  part.append(i).append(',');
                }
                return part.toString();
              },
              String::concat);
      var expected = new StringBuilder();
      for (int i = 0; i < 2000; i++) {
        expected.append(i).append(',');
      }
      assertThat(text).isEqualTo(expected.toString());
    }
  }

  @Test
  void parallelReduce_ofNothing_isEmpty() {
    try (var pool = Pool.of(2)) {
      assertThat(
              pool.parallelReduce(
                  5, 5, LoopOptions.DEFAULT, "empty", (from, to) -> "x", String::concat))
          .isEqualTo("empty");
      assertThat(
              pool.parallelReduce(
                  5, -5, LoopOptions.DEFAULT, "empty", (from, to) -> "x", String::concat))
          .isEqualTo("empty");
    }
  }

  @Test
  void parallelFor_whenTheBodyFails_stopsSoonAndThrows() {
    try (var pool = Pool.of(2)) {
      var visited = new AtomicLong();
      assertThatThrownBy(() ->
              pool.parallelFor(
                  0,
                  Integer.MAX_VALUE,
                  LoopOptions.DEFAULT,
                  i -> {
                    visited.incrementAndGet();
                    if (i == 100) {
                      throw new java.io.IOException("at 100");
                    }
                  }))
          .isInstanceOf(java.io.IOException.class);
      assertThat(visited.get()).isLessThan(Integer.MAX_VALUE);
    }
  }

  @Test
  void parallelFor_whenTheTokenIsCancelled_stops() {
    try (var pool = Pool.of(2)) {
      var token = CancelToken.create();
      var visited = new AtomicLong();
      assertThatThrownBy(() ->
              pool.parallelFor(
                  0,
                  Integer.MAX_VALUE,
                  LoopOptions.DEFAULT.withToken(token),
                  i -> {
                    if (visited.incrementAndGet() == 1000) {
                      token.cancel();
                    }
                  }))
          .isInstanceOf(CancellationException.class);
      assertThat(visited.get()).isLessThan(Integer.MAX_VALUE);
    }
  }

  @Test
  void parallelForUntil_endsEarly() {
    try (var pool = Pool.of(2)) {
      var visited = new AtomicLong();
      boolean found =
          pool.call(() ->
              Parallel.parallelForUntil(
                  0,
                  100_000_000,
                  i -> {
                    visited.incrementAndGet();
                    return i == 0;
                  }));
      assertThat(found).isTrue();
      assertThat(visited.get()).isLessThan(1_000_000);
      assertThat(pool.call(() -> Parallel.parallelForUntil(0, 1000, i -> false))).isFalse();
    }
  }

  @Test
  void parallelForUntil_whenTheTokenIsCancelled_stops() {
    try (var pool = Pool.of(2)) {
      var token = CancelToken.create();
      assertThatThrownBy(() ->
              pool.call(() ->
                  Parallel.parallelForUntil(
                      0,
                      Integer.MAX_VALUE,
                      LoopOptions.DEFAULT.withToken(token),
                      i -> {
                        token.cancel();
                        return false;
                      })))
          .isInstanceOf(CancellationException.class);
    }
  }

  /** Cheap indices let blocks grow; then each takes long, and the first of them cancels. */
  @Test
  void parallelFor_whenIndicesGetDear_isCancelledSoon() {
    int cheap = 1_000_000;
    try (var pool = Pool.of(1)) {
      var token = CancelToken.create();
      var dear = new AtomicInteger();
      for (int round = 0; round < 20; round++) { // compiled by now: blocks as large as they get
        pool.parallelFor(0, cheap, LoopOptions.DEFAULT, i -> dear.setPlain(dear.getPlain() & i));
      }
      dear.set(0);
      assertThatThrownBy(() ->
              pool.parallelFor(
                  0,
                  2 * cheap,
                  LoopOptions.DEFAULT.withToken(token),
                  i -> {
                    if (i >= cheap) {
                      token.cancel();
                      dear.incrementAndGet();
                    }
                  }))
          .isInstanceOf(CancellationException.class);
      // A millisecond each would be half a second; a block of cheap ones is a minute.
      assertThat(dear.get()).isBetween(1, 512);
    }
  }

  @Test
  void parallelForRanges_whenIndicesGetDear_isCancelledAfterOneBoundedBlock() {
    try (var pool = Pool.of(1)) {
      var token = CancelToken.create();
      var largest = new AtomicInteger();
      pool.run(() ->
          Parallel.parallelForRanges(
              0,
              10_000_000,
              LoopOptions.DEFAULT,
              (from, to) -> largest.accumulateAndGet(to - from, Math::max)));
      assertThat(largest.get()).isLessThanOrEqualTo(1 << 13);
      assertThat(token.isCancelled()).isFalse();
    }
  }

  @Test
  void stopWhen_isAskedBesidesTheToken() {
    var token = CancelToken.create();
    var stop = new AtomicInteger();
    var options = LoopOptions.DEFAULT.withToken(token).stopWhen(() -> stop.get() > 0).withGrain(2);
    try (var pool = Pool.of(2)) {
      pool.parallelFor(0, 10, options, i -> {});
      stop.set(1);
      assertThatThrownBy(() -> pool.parallelFor(0, 10, options, i -> {}))
          .isInstanceOf(CancellationException.class);
      stop.set(0);
      token.cancel();
      assertThatThrownBy(() -> pool.parallelFor(0, 10, options, i -> {}))
          .isInstanceOf(CancellationException.class);
    }
  }

  @Test
  void stopWhen_thatThrows_failsTheLoopAndStopsItsPieces() {
    try (var pool = Pool.of(2)) {
      var asked = new AtomicInteger();
      var options =
          LoopOptions.DEFAULT.stopWhen(() -> {
            if (asked.incrementAndGet() == 10) {
              throw new IllegalStateException("tenth");
            }
            return false;
          });
      assertThatThrownBy(() -> pool.parallelFor(0, Integer.MAX_VALUE, options, i -> {}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("tenth");
    }
  }

  @Test
  void parallelReduce_whenTheCombinerFails_stopsItsPieces() {
    try (var pool = Pool.of(2)) {
      assertThatThrownBy(() ->
              pool.parallelReduce(
                  0,
                  Integer.MAX_VALUE,
                  LoopOptions.DEFAULT,
                  0,
                  (from, to) -> 1,
                  (left, right) -> {
                    throw new IllegalStateException("combiner");
                  }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("combiner");
    }
  }

  /** As a task is cancelled that sits in a loop: its thread is interrupted. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void interrupt_ofACallerThatWaits_endsTheLoop(boolean virtual) throws Exception {
    try (var pool = Pool.of(2)) {
      var running = new CountDownLatch(1);
      var outcome = new java.util.concurrent.CompletableFuture<Throwable>();
      var flagKept = new java.util.concurrent.atomic.AtomicBoolean();
      Runnable caller =
          () -> {
            try {
              pool.parallelFor(
                  0,
                  Integer.MAX_VALUE,
                  LoopOptions.DEFAULT,
                  i -> {
                    running.countDown();
                    Thread.onSpinWait();
                  });
              outcome.complete(new AssertionError("ran to its end"));
            } catch (CancellationException e) {
              flagKept.set(Thread.currentThread().isInterrupted());
              outcome.complete(e);
            }
          };
      Thread thread =
          virtual ? Thread.ofVirtual().start(caller) : Thread.ofPlatform().start(caller);
      running.await();
      thread.interrupt();
      thread.join();
      assertThat(outcome.get()).isInstanceOf(CancellationException.class);
      assertThat(flagKept).isTrue();
    }
  }

  @Test
  void interrupt_beforeALoop_keepsItFromStarting() {
    try (var pool = Pool.of(2)) {
      var visits = new AtomicInteger();
      Thread.currentThread().interrupt();
      assertThatThrownBy(
              () -> pool.parallelFor(0, 10, LoopOptions.DEFAULT, i -> visits.incrementAndGet()))
          .isInstanceOf(CancellationException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(visits).hasValue(0);
    }
  }

  @Test
  void interrupt_ofAWorker_endsItsLoop() {
    try (var pool = Pool.of(1)) {
      assertThatThrownBy(() ->
              pool.run(() ->
                  Parallel.parallelFor(
                      0,
                      Integer.MAX_VALUE,
                      i -> {
                        if (i == 5000) {
                          Thread.currentThread().interrupt();
                        }
                      })))
          .isInstanceOf(CancellationException.class);
    }
  }

  /** Frames of hidden classes are left out of stack traces, but not here. */
  private static boolean isCalledByACopy() {
    return StackWalker.getInstance(
            Set.of(
                StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_HIDDEN_FRAMES))
        .walk(frames ->
            frames
                .map(StackWalker.StackFrame::getDeclaringClass)
                .filter(type -> type.getPackageName().equals("dev.blitz.parallel.internal"))
                .findFirst()
                .orElseThrow()
                .isHidden());
  }

  @Test
  void parallelFor_afterManyElements_hasALoopForItsLambdaAlone() {
    var ask = new java.util.concurrent.atomic.AtomicBoolean();
    var copied = new AtomicInteger();
    IntAction<RuntimeException> body =
        i -> {
          if (ask.getPlain() && isCalledByACopy()) {
            copied.incrementAndGet();
          }
        };
    try (var pool = Pool.of(2)) {
      ask.setPlain(true);
      pool.parallelFor(0, 3, LoopOptions.DEFAULT, body);
      assertThat(copied).as("few have passed").hasValue(0);
      ask.setPlain(false);
      pool.parallelFor(0, 3_000_000, LoopOptions.DEFAULT, body);
      ask.setPlain(true);
      pool.parallelFor(0, 3, LoopOptions.DEFAULT, body);
      assertThat(copied).as("many have passed").hasValue(3);
    }
  }

  /** What passes through a join decides how well everybody's joins are compiled: loops do not. */
  @Test
  void parallelFor_thatIsCut_forksByItself() {
    try (var pool = Pool.of(2)) {
      Set<String> callers = java.util.concurrent.ConcurrentHashMap.newKeySet();
      pool.parallelFor(
          0,
          100,
          LoopOptions.DEFAULT,
          i ->
              StackWalker.getInstance()
                  .forEach(frame -> callers.add(frame.getClassName().replaceAll(".*\\.", ""))));
      assertThat(sharedForks(pool)).as("pieces that others could see").isPositive();
      assertThat(callers).contains("RangeLoop").doesNotContain("Fork");
    }
  }

  @Test
  void parallelForLong_visitsEveryIndexOnce() {
    long base = 1L << 40;
    try (var pool = Pool.of(4)) {
      var visits = new AtomicIntegerArray(100_000);
      pool.run(() ->
          Parallel.parallelForLong(
              base,
              base + visits.length(),
              LoopOptions.DEFAULT,
              i -> visits.incrementAndGet((int) (i - base))));
      for (int i = 0; i < visits.length(); i++) {
        assertThat(visits.get(i)).as("index %d", i).isEqualTo(1);
      }
    }
  }

  @Test
  void parallelReduceLong_overMoreThanAnIntRange_isWhole() {
    long length = 1L << 33;
    try (var pool = Pool.of(2)) {
      long count =
          pool.call(() ->
              Parallel.parallelReduceLong(
                  -length,
                  length,
                  LoopOptions.DEFAULT.chunked(2 * length, 2),
                  0L,
                  (from, to) -> to - from,
                  Long::sum));
      assertThat(count).isEqualTo(2 * length);
      assertThatThrownBy(() ->
              Parallel.parallelForLong(
                  Long.MIN_VALUE, Long.MAX_VALUE, LoopOptions.DEFAULT, i -> {}))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void chunked_ofNoWorkers_isRefused() {
    assertThatThrownBy(() -> LoopOptions.DEFAULT.chunked(100, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("workers");
    assertThat(LoopOptions.DEFAULT.chunked(Long.MAX_VALUE, 1).grain()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void options_refuseAGrainOfZero() {
    assertThatThrownBy(() -> LoopOptions.DEFAULT.withGrain(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(LoopOptions.DEFAULT.chunked(1_000_000, 4).grain()).isEqualTo(62_500);
    assertThat(LoopOptions.DEFAULT.chunked(10, 4).grain()).isEqualTo(64);
  }
}
