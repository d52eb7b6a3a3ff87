package dev.blitz.io.task;

import static dev.blitz.io.task.ScopePolicy.limit;
import static dev.blitz.io.task.ScopePolicy.supervise;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.policy.Backoff;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A place in a scope is given back, whatever becomes of the child it was for. */
@Strict
class ScopePlacesTest {
  private static final Context NOBODY = Context.of(() -> {});
  private static final Backoff AGAIN = Backoff.fixed(Duration.ofMillis(1));

  private final BlitzRuntime rt = BlitzRuntime.builder().workers(2).build();

  @AfterEach
  void nothingIsLeft() {
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
    assertThat(rt.stats().live()).isZero();
  }

  @Test
  void spawnWhenRoom_ofAFutureThatCannotBeRestarted_takesNoPlace() {
    TaskScope scope = TaskScope.open(rt, supervise((what, t) -> {}, AGAIN).and(limit(1)));
    assertThatThrownBy(() -> scope.spawnWhenRoom(Futures.ready(Done.DONE)).poll(NOBODY))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(scope.running()).isZero();
    scope.join();
    scope.close();
  }

  @Test
  void spawnWhenRoom_atTheEndOfTheStack_losesNoPlace() throws Exception {
    TaskScope scope = TaskScope.open(rt, limit(1_000_000));
    for (int shift = 0; shift < 6; shift++) {
      int deeper = shift;
      var deep = new Thread(null, () -> shiftAndSpawn(deeper, scope), "deep", 256 << 10);
      deep.start();
      deep.join();
    }
    Await.until(() -> scope.running() == 0, "all places free");
    scope.join();
    scope.close();
  }

  private static void shiftAndSpawn(int shift, TaskScope scope) {
    if (shift > 0) {
      shiftAndSpawn(shift - 1, scope);
    } else {
      spawnOnTheWayBack(scope, new AtomicInteger());
    }
  }

  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private static void spawnOnTheWayBack(TaskScope scope, AtomicInteger spawned) {
    try {
      spawnOnTheWayBack(scope, spawned);
    } catch (StackOverflowError e) {
      // What it is about.
    }
    if (spawned.get() < 30) {
      var place = scope.spawnWhenRoom(Futures.ready(Done.DONE));
      if (place.await() != null) {
        spawned.incrementAndGet();
      }
    }
  }

  @Test
  void restarts_ofABlockingChild_endWithItsCancellation() throws Exception {
    var begun = new CountDownLatch(1);
    var calls = new AtomicInteger();
    TaskScope scope = TaskScope.open(rt, supervise((what, t) -> {}, AGAIN));
    scope.spawnBlocking(() -> {
      calls.incrementAndGet();
      begun.countDown();
      return wrapTheInterrupt();
    });
    begun.await();
    scope.cancel();
    scope.close();
    assertThat(calls).hasValue(1);
  }

  static Done wrapTheInterrupt() throws IOException {
    try {
      new CountDownLatch(1).await();
      return Done.DONE;
    } catch (InterruptedException e) {
      throw new IOException("read failed", e);
    }
  }

  @Test
  void join_endsAfterTheHandlerWasTold() throws Exception {
    var inHandler = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var spawned = new CountDownLatch(1); // else the handler may be called by the spawn itself
    TaskScope scope =
        TaskScope.open(
            rt,
            supervise((what, t) -> {
              inHandler.countDown();
              try {
                goOn.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            }));
    scope.spawn(() -> {
      spawned.await();
      throw new IOException("refused");
    });
    spawned.countDown();
    inHandler.await();
    assertThat(scope.running()).isEqualTo(1);
    goOn.countDown();
    scope.join();
    assertThat(scope.running()).isZero();
    scope.close();
  }

  @Test
  void aSpawnAfterSeveralFailures_throwsThemAll() throws Exception {
    TaskScope scope = TaskScope.open(rt, ScopePolicy.failAfter(2));
    for (int i = 0; i < 2; i++) {
      int number = i;
      var child =
          scope.spawn(() -> {
            throw new IOException("failure " + number);
          });
      Await.until(child::isDone, "its end");
      Await.until(() -> scope.running() == 0, "its place");
    }
    assertThatThrownBy(() -> scope.spawn(() -> Done.DONE))
        .isInstanceOf(CancelledException.class)
        .cause()
        .hasMessageContaining("failure 0")
        .satisfies(first -> assertThat(first.getSuppressed()[0]).hasMessageContaining("failure 1"));
    assertThatThrownBy(scope::join).isInstanceOf(TaskFailedException.class);
    scope.close();
  }

  @Test
  void joinSet_addAtTheEndOfTheStack_countsOrThrows() throws Exception {
    JoinHandle<Done> ended = rt.spawn(Futures.ready(Done.DONE));
    ended.await();
    for (int shift = 0; shift < 6; shift++) {
      JoinSet<Done> set = JoinSet.create();
      int deeper = shift;
      var deep = new Thread(null, () -> shiftAndAdd(deeper, set, ended), "deep", 256 << 10);
      deep.start();
      deep.join();
      while (set.next().await().isPresent()) {
        // Each that was counted comes out, or this hangs.
      }
      assertThat(set.size()).isZero();
    }
  }

  private static void shiftAndAdd(int shift, JoinSet<Done> set, JoinHandle<Done> task) {
    if (shift > 0) {
      shiftAndAdd(shift - 1, set, task);
    } else {
      addOnTheWayBack(set, task, new AtomicInteger());
    }
  }

  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private static void addOnTheWayBack(
      JoinSet<Done> set, JoinHandle<Done> task, AtomicInteger added) {
    try {
      addOnTheWayBack(set, task, added);
    } catch (StackOverflowError e) {
      // What it is about.
    }
    if (added.get() < 30) {
      set.add(task);
      added.incrementAndGet();
    }
  }
}
