package dev.blitz.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** Loops that are over before anybody could help run on the thread that calls them. */
@Strict
@LeakChecked(ignoreThreads = "blitz-parallel-\\d+")
class SmallLoopTest {
  private static final int CALLS = 2000;

  /** Some are measured, and on a busy machine some of those look dear. */
  private static final long FEW = CALLS / 4;

  /** All calls must be of one lambda: what is learnt is learnt about its class. */
  private static void warm(Runnable call) {
    for (int i = 0; i < CALLS; i++) {
      call.run();
    }
  }

  @Test
  void parallelFor_whenSmall_doesNotTouchThePool() {
    long[] data = new long[1000];
    Runnable call = () -> Parallel.parallelFor(0, data.length, i -> data[i] = i);
    warm(call);
    long before = Pool.common().stats().injected();
    warm(call);
    assertThat(Pool.common().stats().injected() - before)
        .as("calls that went to the pool, of %d", CALLS)
        .isLessThan(FEW);
    assertThat(data[999]).isEqualTo(999);
  }

  @Test
  void parallelReduce_whenSmall_doesNotTouchThePool() {
    long[] data = new long[1000];
    java.util.Arrays.setAll(data, i -> i);
    var sum = new AtomicLong();
    Runnable call =
        () ->
            sum.set(
                Parallel.parallelReduce(
                    0,
                    data.length,
                    0L,
                    (from, to) -> {
                      long part = 0;
                      for (int i = from; i < to; i++) {
                        part += data[i];
                      }
                      return part;
                    },
                    Long::sum));
    warm(call);
    long before = Pool.common().stats().injected();
    warm(call);
    assertThat(Pool.common().stats().injected() - before).isLessThan(FEW);
    assertThat(sum).hasValue(499_500);
  }

  @Test
  void pipeline_whenSmall_doesNotTouchThePool() {
    long[] data = new long[1000];
    java.util.Arrays.setAll(data, i -> i);
    var sum = new AtomicLong();
    Runnable call =
        () -> sum.set(Parallel.iter(data).map(x -> x * 2).filter(x -> x % 3 == 0).sum());
    warm(call);
    long before = Pool.common().stats().injected();
    warm(call);
    assertThat(Pool.common().stats().injected() - before).isLessThan(FEW);
    assertThat(sum).hasValue(333_666);
  }

  @Test
  void parallelFor_whenSmallOnAWorker_sharesNothing() {
    long[] data = new long[1000];
    try (var pool = Pool.of(2)) {
      pool.run(() -> {
        Runnable call = () -> Parallel.parallelFor(0, data.length, i -> data[i] = i);
        warm(call);
        PoolStats before = pool.stats();
        warm(call);
        assertThat(pool.stats().executed() - before.executed()).isLessThan(FEW);
      });
    }
  }

  private static Set<Thread> threadsOfSmallLoops(IntAction<RuntimeException> body) {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    warm(() ->
        Parallel.parallelFor(
            0,
            10,
            i -> {
              threads.add(Thread.currentThread());
              body.run(i);
            }));
    return threads;
  }

  @Test
  void parallelFor_whoseBodyAsksForItsWorker_alwaysRunsOnWorkers() {
    Set<Thread> threads =
        threadsOfSmallLoops(
            i -> assertThat(Parallel.workerIndex()).isBetween(0, Pool.common().workers() - 1));
    assertThat(threads).doesNotContain(Thread.currentThread());
  }

  @Test
  void workerLocal_ofTheCommonPool_worksInSmallLoops() {
    var local = new WorkerLocal<>(Pool.common(), AtomicInteger::new);
    var ask = new AtomicInteger();
    // Asks only late, when the loop has long been found to be small.
    warm(() ->
        Parallel.parallelFor(
            0,
            10,
            i -> {
              if (ask.incrementAndGet() > 5 * CALLS) {
                local.get().incrementAndGet();
              }
            }));
    assertThat(local.values().stream().mapToInt(AtomicInteger::get).sum()).isEqualTo(5 * CALLS);
  }

  @Test
  void parallelFor_ofAPool_runsOnItsWorkersHoweverSmall() {
    try (var pool = Pool.of(2)) {
      warm(() ->
          pool.parallelFor(
              0,
              10,
              LoopOptions.DEFAULT,
              i -> {
                if (!Thread.currentThread().getName().startsWith("blitz-pool")) {
                  throw new AssertionError("on " + Thread.currentThread());
                }
              }));
    }
  }

  @Test
  void parallelFor_whenSmall_throwsWhatTheBodyThrows() {
    var fail = new AtomicInteger();
    for (int round = 0; round < CALLS; round++) {
      fail.set(round % 10);
      assertThatThrownBy(() ->
              Parallel.parallelFor(
                  0,
                  10,
                  i -> {
                    if (i == fail.get()) {
                      throw new IOException("at " + i);
                    }
                  }))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void parallelFor_whenSmall_looksAtTheToken() {
    var token = CancelToken.create();
    var visits = new AtomicInteger();
    Runnable call =
        () ->
            Parallel.parallelFor(
                0, 10, LoopOptions.DEFAULT.withToken(token), i -> visits.incrementAndGet());
    warm(call);
    token.cancel();
    assertThatThrownBy(call::run).isInstanceOf(CancellationException.class);
    assertThat(visits).hasValue(10 * CALLS);
  }

  /** A class of bodies that has always been cheap, and a loop of it that is dear and cancelled. */
  private static int visitsAfterCancel(BiConsumer<LoopOptions, IntConsumer> loop) {
    var token = CancelToken.create();
    var options = LoopOptions.DEFAULT.withToken(token);
    var dear = new AtomicBoolean();
    var visits = new AtomicInteger();
    IntConsumer body =
        i -> {
          if (dear.get()) {
            visits.incrementAndGet();
            token.cancel();
            LockSupport.parkNanos(1000);
          }
        };
    warm(() -> loop.accept(options, body));
    dear.set(true);
    assertThatThrownBy(() -> loop.accept(options, body)).isInstanceOf(CancellationException.class);
    return visits.get();
  }

  @Test
  void parallelFor_thatGotDear_hearsTheTokenSoon() {
    assertThat(
            visitsAfterCancel(
                (options, body) -> Parallel.parallelFor(0, 1000, options, i -> body.accept(i))))
        .isLessThan(100);
  }

  @Test
  void parallelReduce_thatGotDear_hearsTheTokenSoon() {
    assertThat(
            visitsAfterCancel((options, body) ->
                Parallel.parallelReduce(
                    0,
                    1000,
                    options,
                    0,
                    (from, to) -> {
                      for (int i = from; i < to; i++) {
                        body.accept(i);
                      }
                      return to - from;
                    },
                    Integer::sum)))
        .isLessThan(100);
  }

  @Test
  void pipeline_thatGotDear_hearsTheTokenSoon() {
    assertThat(
            visitsAfterCancel((options, body) ->
                Parallel.range(0, 1000).with(options).forEach(i -> body.accept(i))))
        .isLessThan(100);
  }

  /** Two indices that wait for each other end only if two threads run them. */
  @Test
  void parallelFor_firstCall_isSharedAtOnce() {
    var bothIn = new CountDownLatch(2);
    Parallel.parallelFor(
        0,
        2,
        i -> {
          bothIn.countDown();
          JoinTest.await(bothIn);
        });
    assertThat(bothIn.getCount()).isZero();
  }

  @Test
  void parallelFor_whoseIndicesGotDear_isHandedOver() {
    var pause = new AtomicLong();
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    IntAction<RuntimeException> body =
        i -> {
          if (pause.get() > 0) {
            LockSupport.parkNanos(pause.get());
            threads.add(Thread.currentThread());
          }
        };
    warm(() -> Parallel.parallelFor(0, 1000, body));
    pause.set(Duration.ofMillis(1).toNanos());
    // Above what runs without a clock, below what goes to the pool by the old guess.
    Parallel.parallelFor(0, 2500, body);
    assertThat(threads).as("the caller and those it handed over to").hasSizeGreaterThan(1);
  }
}
