package dev.blitz.io.direct;

import static dev.blitz.io.task.SpawnOptions.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.observe.CloseReport;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Closing a runtime from threads of every kind, several times, at once, nested. */
@Strict
class CloseFromAnywhereTest {

  private static BlitzRuntime runtime(int workers) {
    return BlitzRuntime.builder().workers(workers).build();
  }

  private static <T> T inTime(CompletableFuture<T> end) throws Exception {
    return end.get(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static CompletableFuture<CloseReport> closing(BlitzRuntime rt, Duration deadline) {
    var end = new CompletableFuture<CloseReport>();
    Thread.ofPlatform().daemon().start(() -> end.complete(rt.close(deadline)));
    return end;
  }

  private static void waiting(BlitzRuntime rt) {
    rt.spawn(() -> Task.sleep(Duration.ofHours(1)).await()).detach();
    rt.spawn(Task.sleep(Duration.ofHours(1))).detach();
  }

  @Test
  void byAVirtualThreadThatItsOnlyWorkerCarries() throws Exception {
    var rt = runtime(1);
    waiting(rt);
    var end = new CompletableFuture<CloseReport>();
    Thread closer =
        rt.run(
            () -> Thread.startVirtualThread(() -> end.complete(rt.close(Duration.ofSeconds(20)))));
    assertThat(inTime(end).clean()).isTrue();
    closer.join();
  }

  @Test
  void byManyVirtualThreadsThatItsOwnWorkersCarry() throws Exception {
    var rt = runtime(2);
    waiting(rt);
    List<CompletableFuture<CloseReport>> ends = new ArrayList<>();
    rt.run(() -> {
      for (int i = 0; i < 20; i++) {
        var end = new CompletableFuture<CloseReport>();
        ends.add(end);
        Thread.startVirtualThread(() -> end.complete(rt.close(Duration.ofSeconds(20))));
      }
    });
    for (var end : ends) {
      assertThat(inTime(end).clean()).isTrue();
    }
  }

  @Test
  void byBothStylesOfAnotherRuntimeWithOneWorker_atOnce() throws Exception {
    try (var other = runtime(1)) {
      for (int round = 0; round < 20; round++) {
        var rt = runtime(1);
        waiting(rt);
        JoinHandle<CloseReport> direct = other.spawn(() -> rt.close(Duration.ofSeconds(20)));
        JoinHandle<CloseReport> inPoll =
            other.spawn(Futures.lazy(() -> rt.close(Duration.ofSeconds(20))));
        assertThat(inTime(direct.toCompletableFuture()).clean()).isTrue();
        assertThat(inTime(inPoll.toCompletableFuture()).clean()).isTrue();
      }
    }
  }

  @Test
  void byItsOwnThreads_isRefused() throws Exception {
    try (var rt = runtime(1)) {
      assertThatThrownBy(() -> rt.run(() -> rt.close(Duration.ZERO)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("own thread");
      assertThatThrownBy(() -> rt.run(Futures.lazy(() -> rt.close(Duration.ZERO))))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(
              () -> rt.spawnBlocking(() -> rt.close(Duration.ZERO)).toCompletableFuture().get())
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void byForeignPlatformThreads_atOnce_twice_andInTheirPools() throws Exception {
    var rt = runtime(2);
    waiting(rt);
    List<CompletableFuture<CloseReport>> ends = new ArrayList<>();
    try (var pool = new ForkJoinPool(3)) {
      for (int i = 0; i < 6; i++) {
        ends.add(
            CompletableFuture.supplyAsync(
                () -> {
                  rt.close();
                  return rt.close(Duration.ZERO);
                },
                pool));
      }
      for (var end : ends) {
        assertThat(inTime(end).clean()).isTrue();
      }
    }
  }

  /** Each task closes the other's runtime: one is given up, then both end. */
  @Test
  void byEachOthersTasks() throws Exception {
    var a = runtime(1);
    var b = runtime(1);
    var both = new CountDownLatch(2);
    var ends = new CountDownLatch(2);
    a.spawn(() -> closeOther(b, both, ends)).detach();
    b.spawn(() -> closeOther(a, both, ends)).detach();
    assertThat(ends.await(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    assertThat(a.stats().live()).isZero();
    a.close();
    b.close();
  }

  private static void closeOther(BlitzRuntime other, CountDownLatch both, CountDownLatch ends) {
    both.countDown();
    while (both.getCount() > 0) { // not by a wait: the other's close interrupts it
      Thread.onSpinWait();
    }
    other.close(Duration.ofMillis(200));
    ends.countDown();
  }

  @Test
  void withDifferentDeadlines_eachReturnsByItsOwn() throws Exception {
    var rt = runtime(1);
    var begun = new CountDownLatch(1);
    var go = new CompletableFuture<Integer>();
    JoinHandle<Integer> stubborn =
        rt.spawn(
            named("stubborn"),
            () ->
                Task.shielded(() -> {
                  begun.countDown();
                  return Futures.from(go).await();
                }));
    begun.await();
    var patient = closing(rt, Timeouts.LONG);
    while (!isClosing(rt)) {
      Thread.onSpinWait();
    }
    CloseReport impatient = rt.close(Duration.ofMillis(50));
    assertThat(impatient.clean()).isFalse();
    assertThat(impatient.tasks()).anyMatch(line -> line.contains("stubborn"));
    assertThat(stubborn.isDone()).isFalse(); // the patient one still waits for it
    assertThat(patient.isDone()).isFalse();
    go.complete(1);
    assertThat(inTime(patient).clean()).isTrue();
    assertThat(stubborn.await()).isEqualTo(1);
    assertThat(rt.close(Duration.ZERO).clean()).isTrue();
  }

  @Test
  void aMorePatientClose_prolongsTheOther() throws Exception {
    var rt = runtime(1);
    var begun = new CountDownLatch(1);
    var go = new CompletableFuture<Integer>();
    JoinHandle<Integer> stubborn =
        rt.spawn(() ->
            Task.shielded(() -> {
              begun.countDown();
              return Futures.from(go).await();
            }));
    begun.await();
    var impatient = closing(rt, Timeouts.scaled(Duration.ofMillis(500)));
    while (!isClosing(rt)) {
      Thread.onSpinWait();
    }
    var patient = closing(rt, Timeouts.LONG);
    assertThat(inTime(impatient).clean()).isFalse();
    assertThat(stubborn.isDone()).isFalse();
    go.complete(1);
    assertThat(inTime(patient).clean()).isTrue();
  }

  private static boolean isClosing(BlitzRuntime rt) {
    try {
      rt.spawn(() -> {}).detach();
      return false;
    } catch (java.util.concurrent.RejectedExecutionException e) {
      return true;
    }
  }

  /** Told by the close itself of a failure that nobody joined, the handler closes again. */
  @Test
  void byTheUncaughtHandler_isRefused_andDoesNotRecurse() throws Exception {
    var calls = new AtomicInteger();
    var refused = new AtomicInteger();
    var it = new CompletableFuture<BlitzRuntime>();
    var rt =
        BlitzRuntime.builder()
            .workers(1)
            .uncaughtHandler((what, t) -> {
              calls.incrementAndGet();
              try {
                it.join().close();
              } catch (IllegalStateException e) {
                refused.incrementAndGet();
              }
            })
            .build();
    it.complete(rt);
    List<JoinHandle<Done>> kept = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      JoinHandle<Done> failing =
          rt.spawn(() -> {
            throw new java.io.IOException("nobody joins");
          });
      kept.add(failing);
    }
    dev.blitz.testkit.Await.until(() -> kept.stream().allMatch(JoinHandle::isDone), "their ends");
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
    assertThat(calls).hasValue(50);
    assertThat(refused).hasValue(50);
  }

  /** The handler waits for a close that waits for the handler: the deadline ends both. */
  @Test
  void inTheUncaughtHandler_throughAnotherThread_ends() throws Exception {
    var it = new CompletableFuture<BlitzRuntime>();
    var reports = new java.util.concurrent.ConcurrentLinkedQueue<CloseReport>();
    var rt =
        BlitzRuntime.builder()
            .workers(1)
            .uncaughtHandler((what, t) -> {
              Thread other =
                  Thread.ofVirtual()
                      .start(() -> reports.add(it.join().close(Duration.ofMillis(20))));
              try {
                other.join();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            })
            .build();
    it.complete(rt);
    JoinHandle<Done> failing =
        rt.spawn(() -> {
          throw new java.io.IOException("nobody joins");
        });
    dev.blitz.testkit.Await.until(failing::isDone, "its end");
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
    assertThat(reports).hasSize(1);
  }

  @Test
  void interrupted_closesAllTheSame_andStaysInterrupted() {
    var rt = runtime(1);
    waiting(rt);
    Thread.currentThread().interrupt();
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
    assertThat(Thread.interrupted()).isTrue();
  }
}
