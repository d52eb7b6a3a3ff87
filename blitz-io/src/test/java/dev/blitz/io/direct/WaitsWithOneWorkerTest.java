package dev.blitz.io.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Every way to wait for something of the runtime, from every kind of thread, with one worker that
 * all of it needs: whoever waits must not keep the worker.
 */
@Strict
class WaitsWithOneWorkerTest {
  private static final int COMMANDS = 4;

  private final BlitzRuntime runtime = BlitzRuntime.builder().workers(1).name("lone").build();

  @AfterEach
  void close() {
    assertThat(runtime.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  /** A wait that can only end if the worker is free meanwhile. */
  @FunctionalInterface
  private interface Wait {
    void run() throws Exception;
  }

  /** Waits on what is the JDK's: fit for any thread, also inside a poll. */
  private Map<String, Wait> waits() {
    Map<String, Wait> waits = new LinkedHashMap<>();
    waits.put(
        "executor().close()",
        () -> {
          var ran = new AtomicInteger();
          try (ExecutorService executor = runtime.executor()) {
            for (int i = 0; i < COMMANDS; i++) {
              executor.execute(ran::incrementAndGet);
            }
          }
          assertThat(ran).hasValue(COMMANDS);
        });
    waits.put(
        "executor().awaitTermination()",
        () -> {
          ExecutorService executor = runtime.executor();
          executor.execute(() -> {});
          executor.shutdown();
          assertThat(executor.awaitTermination(1, TimeUnit.DAYS)).isTrue();
        });
    waits.put(
        "executor().awaitTermination() in vain",
        () -> {
          ExecutorService executor = runtime.executor();
          assertThat(executor.awaitTermination(1, TimeUnit.MILLISECONDS)).isFalse();
        });
    waits.put(
        "executor().invokeAll()",
        () -> {
          int sum = 0;
          for (var f : runtime.executor().invokeAll(calls())) {
            sum += f.get();
          }
          assertThat(sum).isEqualTo(6);
        });
    waits.put(
        "executor().invokeAll(limit)",
        () ->
            assertThat(runtime.executor().invokeAll(calls(), 1, TimeUnit.DAYS)).hasSize(COMMANDS));
    waits.put(
        "executor().invokeAny()",
        () -> assertThat(runtime.executor().invokeAny(calls())).isBetween(0, 3));
    waits.put(
        "executor().invokeAny(limit)",
        () -> assertThat(runtime.executor().invokeAny(calls(), 1, TimeUnit.DAYS)).isBetween(0, 3));
    waits.put(
        "submit().get()", () -> assertThat(runtime.executor().submit(() -> 5).get()).isEqualTo(5));
    waits.put(
        "submit().get(limit)",
        () -> assertThat(runtime.executor().submit(() -> 5).get(1, TimeUnit.DAYS)).isEqualTo(5));
    waits.put(
        "schedule().get()",
        () ->
            assertThat(
                    runtime.scheduledExecutor().schedule(() -> 5, 1, TimeUnit.MILLISECONDS).get())
                .isEqualTo(5));
    waits.put(
        "scheduledExecutor().close()",
        () -> {
          Future<Integer> delayed;
          try (var executor = runtime.scheduledExecutor()) {
            delayed = executor.schedule(() -> 5, 1, TimeUnit.MILLISECONDS);
          }
          assertThat(delayed.resultNow()).isEqualTo(5);
        });
    waits.put(
        "toCompletableFuture().join()",
        () -> assertThat(runtime.spawn(() -> 5).toCompletableFuture().join()).isEqualTo(5));
    waits.put(
        "toCompletableFuture().get()",
        () -> assertThat(runtime.spawn(() -> 5).toCompletableFuture().get()).isEqualTo(5));
    waits.put(
        "toCompletableFuture().get(limit)",
        () ->
            assertThat(runtime.spawn(() -> 5).toCompletableFuture().get(1, TimeUnit.DAYS))
                .isEqualTo(5));
    waits.put(
        "Task.blockInPlace()",
        () -> {
          var go = new CompletableFuture<Integer>();
          runtime.spawn(() -> go.complete(5)).detach();
          assertThat(Task.<Integer>blockInPlace(go::join)).isEqualTo(5);
        });
    return waits;
  }

  /** Waits that a poll refuses. */
  private Map<String, Wait> waitsOutsidePolls() {
    Map<String, Wait> waits = waits();
    waits.put(
        "spawn(direct).await()", () -> assertThat(runtime.spawn(() -> 5).await()).isEqualTo(5));
    waits.put(
        "spawn(future).await()",
        () -> assertThat(runtime.spawn(Futures.lazy(() -> 5)).await()).isEqualTo(5));
    waits.put(
        "spawnBlocking().await()",
        () -> assertThat(runtime.spawnBlocking(() -> 5).await()).isEqualTo(5));
    waits.put("run()", () -> assertThat(runtime.run(() -> 5)).isEqualTo(5));
    waits.put("sleep in a task", () -> runtime.spawn(Task.sleep(Duration.ofMillis(1))).await());
    return waits;
  }

  private static List<Callable<Integer>> calls() {
    return IntStream.range(0, COMMANDS).mapToObj(i -> (Callable<Integer>) () -> i).toList();
  }

  private static void runAll(Map<String, Wait> waits, Queue<String> done) throws Exception {
    for (var e : waits.entrySet()) {
      e.getValue().run();
      done.add(e.getKey());
    }
  }

  /** Names the first wait that did not end. */
  private static void check(CompletableFuture<?> end, Map<String, Wait> waits, Queue<String> done)
      throws Exception {
    try {
      end.get(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS);
    } catch (dev.blitz.io.future.TimedOutException e) {
      List<String> left = new ArrayList<>(waits.keySet());
      left.removeAll(done);
      throw new AssertionError("does not end: " + left.getFirst(), e);
    }
    assertThat(done).containsExactlyElementsOf(waits.keySet());
  }

  @Test
  void inADirectTask_allEnd() throws Exception {
    Map<String, Wait> waits = waitsOutsidePolls();
    var done = new ConcurrentLinkedQueue<String>();
    check(runtime.spawn(() -> runAll(waits, done)).toCompletableFuture(), waits, done);
  }

  @Test
  void inAPoll_allEnd() throws Exception {
    Map<String, Wait> waits = waits();
    var done = new ConcurrentLinkedQueue<String>();
    var inPoll =
        runtime.spawn(
            Futures.lazy(() -> {
              runAll(waits, done);
              return 1;
            }));
    check(inPoll.toCompletableFuture(), waits, done);
  }

  @Test
  void inTheBlockingPool_allEnd() throws Exception {
    Map<String, Wait> waits = waitsOutsidePolls();
    var done = new ConcurrentLinkedQueue<String>();
    var blocking =
        runtime.spawnBlocking(() -> {
          runAll(waits, done);
          return 1;
        });
    check(blocking.toCompletableFuture(), waits, done);
  }

  @Test
  void inAThreadThatATaskHasStarted_allEnd() throws Exception {
    Map<String, Wait> waits = waitsOutsidePolls();
    var done = new ConcurrentLinkedQueue<String>();
    var end = new CompletableFuture<Integer>();
    runtime.run(() -> {
      Thread.startVirtualThread(() -> {
        try {
          runAll(waits, done);
          end.complete(1);
        } catch (Throwable t) {
          end.completeExceptionally(t);
        }
      });
    });
    check(end, waits, done);
  }

  /**
   * The JVM itself tells of each virtual thread that waits on its carrier. What pins it must not be
   * ours, except where that is the point: inside blockInPlace, and in the queue of a pinned lock.
   */
  @Test
  void noneOfThemWaitsPinned() throws Exception {
    Map<String, Wait> waits = waitsOutsidePolls();
    var done = new ConcurrentLinkedQueue<String>();
    Queue<String> pinned =
        pinnedWaitsDuring(() ->
            check(runtime.spawn(() -> runAll(waits, done)).toCompletableFuture(), waits, done));
    assertThat(pinned).isEmpty();
  }

  /** The canary of the test above: a wait of the kind that it must find. */
  @Test
  void aPinnedWait_isSeen() throws Exception {
    assumeTrue(runtime.carriers().own(), "nothing of ours pins");
    Queue<String> pinned =
        pinnedWaitsDuring(() ->
            runtime.run(() -> {
              CarrierAccess.pin();
              try {
                LockSupport.parkNanos(1_000_000);
              } finally {
                CarrierAccess.unpin();
              }
            }));
    assertThat(pinned).hasSize(1);
  }

  private static Queue<String> pinnedWaitsDuring(Wait action) throws Exception {
    Queue<String> pinned = new ConcurrentLinkedQueue<>();
    try (var events = new RecordingStream()) {
      events.enable("jdk.VirtualThreadPinned").withoutThreshold().withStackTrace();
      events.onEvent(
          "jdk.VirtualThreadPinned",
          e -> {
            if (isOurs(e)) {
              pinned.add(describe(e));
            }
          });
      events.startAsync();
      action.run();
      events.stop();
    }
    return pinned;
  }

  private static boolean isOurs(RecordedEvent e) {
    String stack = describe(e);
    return stack.contains("dev.blitz.io")
        && !stack.contains("Direct.blockInPlace")
        && !stack.contains("PinnedLock.lock");
  }

  private static String describe(RecordedEvent e) {
    return e.getStackTrace().getFrames().stream()
        .map(WaitsWithOneWorkerTest::describe)
        .collect(
            Collectors.joining("\n  at ", "waits pinned for " + e.getDuration() + "\n  at ", ""));
  }

  private static String describe(RecordedFrame f) {
    return f.getMethod().getType().getName() + "." + f.getMethod().getName();
  }
}
