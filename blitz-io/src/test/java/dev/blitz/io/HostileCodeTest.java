package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Waker;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What user code can do to a runtime at a bad moment, and closes that run out of time. */
@Strict
class HostileCodeTest {

  @Test
  void aClockThatThrowsWhileAWorkerGoesToSleep_leavesTheRuntimeAlive() throws Exception {
    var armed = new AtomicBoolean();
    var told = new CountDownLatch(1);
    TimeSource clock =
        () -> {
          boolean parking =
              armed.get()
                  && StackWalker.getInstance()
                      .walk(f -> f.anyMatch(s -> s.getMethodName().equals("sleepUntilNeeded")));
          if (parking && armed.compareAndSet(true, false)) {
            throw new IllegalStateException("the clock is broken");
          }
          return System.nanoTime();
        };
    try (var rt =
        BlitzRuntime.builder()
            .workers(1)
            .clock(clock)
            .uncaughtHandler((what, t) -> told.countDown())
            .build()) {
      // A far timer makes the worker read the clock while it is announced as parked.
      rt.spawn(dev.blitz.io.task.Task.sleep(Duration.ofHours(1))).detach();
      Await.until(() -> rt.stats().timers() == 1, "the timer");
      armed.set(true);
      for (int i = 0; i < 100; i++) {
        assertThat(rt.spawn(Futures.ready(i)).await()).isEqualTo(i);
      }
      told.await();
      for (int i = 0; i < 100; i++) {
        assertThat(rt.spawn(Futures.ready(i)).await()).isEqualTo(i);
      }
      Await.until(() -> rt.stats().searching() == 0, "nobody searching");
    }
  }

  @Test
  void aHandlerThatBlocks_doesNotStopTheOtherWorkers() throws Exception {
    var inHandler = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    try (var rt =
        BlitzRuntime.builder()
            .workers(2)
            .uncaughtHandler((what, t) -> {
              inHandler.countDown();
              try {
                release.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            })
            .build()) {
      var gate = new CompletableFuture<Done>();
      rt.spawn(Futures.from(gate)).detach(); // before it fails: so a worker tells the handler
      gate.completeExceptionally(new Exception("told to a handler that blocks"));
      inHandler.await();
      assertThat(rt.spawn(Futures.ready(1)).await()).isEqualTo(1);
      release.countDown();
    }
  }

  @Test
  void closePastItsDeadline_endsWhatWaitsBehindAStuckPoll() throws Exception {
    var inPoll = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var rt = BlitzRuntime.builder().workers(1).build();
    List<JoinHandle<?>> behind = new ArrayList<>();
    var stuck =
        rt.spawn(
            Futures.lazy(() -> {
              for (int i = 0; i < 10; i++) {
                behind.add(rt.spawn(Futures.pending())); // its LIFO slot and ring
              }
              inPoll.countDown();
              goOn.await();
              return Done.DONE;
            }));
    inPoll.await();
    assertThat(rt.close(Duration.ofMillis(50)).clean()).isFalse();
    assertThat(behind).allMatch(JoinHandle::isDone);
    goOn.countDown();
    assertThat(stuck.await()).isEqualTo(Done.DONE);
    Await.until(
        () -> Thread.getAllStackTraces().keySet().stream().noneMatch(this::isWorker),
        "the worker's end");
  }

  private boolean isWorker(Thread t) {
    return t.getName().startsWith("blitz-rt") && t.getName().contains("worker");
  }

  @Test
  void aToStringThatThrowsAnError_doesNotAbortTheClose() {
    var rt = BlitzRuntime.builder().workers(1).build();
    var rude =
        new Future<Done>() {
          @Override
          public Done poll(Context cx) {
            return null;
          }

          @Override
          public String toString() {
            throw new AssertionError("rude");
          }
        };
    var task = rt.spawn(dev.blitz.io.task.Task.shielded(rude));
    Await.until(() -> rt.dump().size() == 1, "the task is idle");
    assertThat(rt.close(Duration.ofMillis(20)).clean()).isFalse();
    assertThat(task.isDone()).isTrue();
  }

  /** A scope must hear of its child's end however many others wait for that child. */
  @Test
  void theEndOfAScopesChild_isNeverLostToOtherWaiters() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(2).build()) {
      for (int round = 0; round < 2_000; round++) {
        var scope = TaskScope.open(rt);
        JoinHandle<Done> child = scope.spawn(Task.yieldNow());
        Race.run(
            _ -> assertThat(scope.joined().await()).isEqualTo(Done.DONE),
            _ -> {
              while (!child.isDone()) {
                Waker fresh = () -> {};
                child.poll(Context.of(fresh));
              }
            });
        scope.close();
      }
    }
  }
}
