package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A failure whose handle was thrown away is told while the runtime runs, busy or idle, once. */
@Strict
@OnceIsEnough
class UnjoinedFailureTest {
  private final AtomicInteger told = new AtomicInteger();
  private final AtomicBoolean stop = new AtomicBoolean();
  private final BlitzRuntime rt =
      BlitzRuntime.builder()
          .workers(1)
          .uncaughtHandler((what, t) -> told.incrementAndGet())
          .build();

  @AfterEach
  void close() {
    stop.set(true);
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  private void awaitTold(int count) {
    Await.untilCollected(
        () -> told.get() >= count, "the handler to be told of " + count + " failures, not " + told);
  }

  @Test
  void onABusyWorker_isToldSoon() {
    rt.spawn(new Busy());
    for (int i = 0; i < 1_000; i++) {
      rt.spawn(Futures.failed(new Exception("nobody asks")));
    }
    awaitTold(1_000);
    assertThat(rt.stats().workers().getFirst().parked()).as("the worker has not slept").isZero();
  }

  /** Always has something to do. */
  private final class Busy implements Future<Done> {
    @Override
    public @Nullable Done poll(Context cx) {
      if (stop.get()) {
        return Done.DONE;
      }
      cx.waker().wake();
      return null;
    }
  }

  @Test
  void ofAnIdleRuntime_isToldWithoutAnotherTask() {
    rt.spawn(Futures.failed(new Exception("nobody asks")));
    Await.until(() -> rt.stats().parked() == 1 && rt.stats().live() == 0, "the worker to sleep");
    awaitTold(1);
  }

  @Test
  void ofABlockingCall_isToldWhereNoWorkerRuns() {
    rt.spawnBlocking(() -> {
      throw new Exception("nobody asks");
    });
    awaitTold(1);
  }

  @Test
  void manyFailuresOfABusyRuntime_areToldAsFastAsTheyCome() throws Exception {
    int count = 100_000;
    var most = new AtomicInteger();
    rt.run(
        Futures.lazy(
                () -> {
                  var failures = new AtomicInteger();
                  return Futures.loop(() -> {
                    Task.spawn(Futures.failed(new Exception("nobody asks")));
                    int made = failures.incrementAndGet();
                    if (made % 10_000 == 0) {
                      System.gc();
                      most.accumulateAndGet(made - told.get(), Math::max);
                    }
                    return made == count
                        ? Futures.stop()
                        : Task.yieldNow().map(d -> Futures.Step.MORE);
                  });
                })
            .andThen(loop -> loop));
    assertThat(most.get()).as("failures made and not told").isLessThan(count / 2);
    awaitTold(count);
    assertThat(told).hasValue(count);
  }

  @Test
  void aHandlerThatSpawns_isNoTrouble() {
    var ran = new CountDownLatch(1);
    try (var spawning =
        BlitzRuntime.builder()
            .workers(1)
            .uncaughtHandler((what, t) ->
                Task.spawn(
                        Futures.lazy(() -> {
                          ran.countDown();
                          return Done.DONE;
                        }))
                    .detach())
            .build()) {
      spawning.spawn(Futures.failed(new Exception("nobody asks")));
      Await.untilCollected(() -> ran.getCount() == 0, "the task of the handler to run");
    }
  }
}
