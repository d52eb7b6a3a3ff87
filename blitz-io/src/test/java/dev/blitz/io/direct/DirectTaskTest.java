package dev.blitz.io.direct;

import static dev.blitz.io.task.SpawnOptions.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.Blitz;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskFailedException;
import dev.blitz.io.task.TaskLocal;
import dev.blitz.io.task.TaskScope;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lambdas as tasks: what they return, throw, know and start. */
@Strict
@SuppressWarnings("ThreadPriorityCheck") // the yield of a virtual thread means what it says
class DirectTaskTest {
  private final List<Throwable> uncaught = new ArrayList<>();
  private final BlitzRuntime runtime =
      BlitzRuntime.builder()
          .workers(2)
          .name("direct")
          .uncaughtHandler((what, failure) -> uncaught.add(failure))
          .build();

  @AfterEach
  void close() {
    assertThat(runtime.close(Duration.ofSeconds(10)).clean()).isTrue();
    assertThat(runtime.stats().live()).isZero();
    assertThat(runtime.dump()).isEmpty();
  }

  private static int slowSquare(int n) {
    Task.sleep(Duration.ofMillis(2)).await();
    return n * n;
  }

  @Test
  void run_twoTasks_addUp() throws Exception {
    var printed = new AtomicInteger();
    Blitz.run(() -> {
      var a = Task.spawn(() -> slowSquare(6));
      var b = Task.spawn(() -> slowSquare(7));
      printed.set(a.await() + b.await());
    });
    assertThat(printed).hasValue(85);
    int sum = Blitz.run(() -> Task.spawn(() -> slowSquare(2)).await() + 1);
    assertThat(sum).isEqualTo(5);
  }

  @Test
  void theHandleOfAnEndedTask_keepsNeitherItsThreadNorItsTaskLocals() throws Exception {
    TaskLocal<byte[]> local = TaskLocal.of("large");
    List<JoinHandle<WeakReference<Thread>>> handles = new ArrayList<>();
    var bound = new AtomicReference<WeakReference<byte[]>>();
    for (boolean fails : new boolean[] {false, true}) {
      var thread = new AtomicReference<WeakReference<Thread>>();
      JoinHandle<WeakReference<Thread>> handle =
          runtime.spawn(() -> {
            Task.yieldNow().await();
            thread.set(new WeakReference<>(Thread.currentThread()));
            byte[] value = new byte[1 << 16];
            bound.set(new WeakReference<>(value));
            local.call(value, () -> Task.yieldNow().await());
            if (fails) {
              throw new IllegalStateException("as it should");
            }
            return thread.get();
          });
      Await.until(handle::isDone, "the end");
      handles.add(handle);
      Await.untilCollected(
          () -> thread.get().get() == null && bound.get().get() == null,
          "the thread to be collected while its handle is kept");
    }
    assertThat(handles.getFirst().await().get()).isNull();
    assertThatThrownBy(handles.getLast()::await).hasMessageContaining("as it should");
  }

  @Test
  void voidLambda_yieldsDone() {
    var seen = new AtomicInteger();
    JoinHandle<Done> task =
        runtime.spawn(() -> {
          for (int i = 0; i < 10; i++) {
            seen.incrementAndGet();
          }
        });
    assertThat(task.await()).isEqualTo(Done.DONE);
    assertThat(seen).hasValue(10);
    assertThat(task.get()).isEqualTo(Done.DONE);
  }

  @Test
  void spawn_ofEveryKind_withAndWithoutName() {
    Future<Integer> future = Futures.ready(1);
    JoinHandle<Integer> a = runtime.spawn(future);
    JoinHandle<Integer> b = runtime.spawn(named("b"), future);
    JoinHandle<Integer> c = runtime.spawn(() -> 3);
    JoinHandle<String> d = runtime.spawn(named("d"), Task::name);
    JoinHandle<Done> e = runtime.spawn(named("e"), () -> {});
    assertThat(a.await() + b.await() + c.await()).isEqualTo(5);
    assertThat(d.await()).isEqualTo("d");
    assertThat(e.await()).isEqualTo(Done.DONE);
    assertThat(e.name()).isEqualTo("e");
  }

  @Test
  void taskFailure_arrivesWithBothStacks() {
    JoinHandle<Integer> task = runtime.spawn(() -> failingUserMethod());
    assertThatThrownBy(task::await)
        .isInstanceOf(TaskFailedException.class)
        .cause()
        .isInstanceOf(IOException.class)
        .satisfies(cause ->
            assertThat(cause.getStackTrace()[0].getMethodName()).isEqualTo("failingUserMethod"));
    assertThatThrownBy(() ->
            Blitz.run(() -> {
              throw new IOException("direct");
            }))
        .isInstanceOf(IOException.class)
        .hasMessage("direct");
  }

  private static int failingUserMethod() throws IOException {
    throw new IOException("no");
  }

  @Test
  void failureThatNobodyJoins_reachesTheUncaughtHandler() {
    var task =
        runtime.spawn(() -> {
          throw new IOException("alone");
        });
    task.detach();
    Await.until(() -> !uncaught.isEmpty(), "the handler to be told");
    assertThat(uncaught).singleElement().isInstanceOf(IOException.class);
  }

  @Test
  void null_isNoResult_namingThePlace() {
    JoinHandle<Object> task = runtime.spawn(named("nil"), () -> null);
    assertThatThrownBy(task::await)
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("DirectTaskTest")
        .hasMessageContaining("'nil'");
  }

  @Test
  void aLambdaThatReturnsAFuture_isRefused_andTheFutureDropped() {
    var dropped = new AtomicBoolean();
    Future<Integer> forgotten = Futures.<Integer>pending().whenDone(() -> dropped.set(true));
    JoinHandle<Future<Integer>> task = runtime.spawn(() -> forgotten);
    assertThatThrownBy(task::await)
        .isInstanceOf(TaskFailedException.class)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("DirectTaskTest")
        .hasMessageContaining("returned a future");
    assertThat(dropped).isTrue();
  }

  @Test
  void inside_knowsRuntimeAndTask() throws Exception {
    runtime.run(() -> {
      assertThat(BlitzRuntime.current()).isSameAs(runtime);
      assertThat(Task.name()).isEqualTo("main");
      assertThat(Thread.currentThread().isVirtual()).isTrue();
      assertThat(Thread.currentThread().getName()).isEqualTo("main");
      long outer = Task.id();
      assertThat(Task.spawn(Task::id).await()).isNotEqualTo(outer);
    });
  }

  @Test
  void taskLocals_areInherited_andKeptAcrossAwaits() throws Exception {
    TaskLocal<String> user = TaskLocal.of("user");
    String seen =
        user.call(
            "ada",
            () ->
                runtime.run(() -> {
                  String before = user.get();
                  Task.sleep(Duration.ofMillis(1)).await();
                  String inner =
                      user.call(
                          "bob",
                          () -> {
                            Task.yieldNow().await();
                            return Task.spawn(user::get).await() + user.get();
                          });
                  return before + user.get() + inner;
                }));
    assertThat(seen).isEqualTo("adaadabobbob");
    assertThat(user.find()).isEmpty();
    assertThat(runtime.run(() -> user.find().isPresent())).isFalse();
  }

  @Test
  void run_closesOnlyFromOutside() {
    assertThatThrownBy(() -> runtime.run(() -> runtime.close(Duration.ZERO)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("own thread");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void manyTasks_allEnd(int workers) throws Exception {
    try (var rt = BlitzRuntime.builder().workers(workers).build()) {
      int sum =
          rt.run(() -> {
            List<JoinHandle<Integer>> tasks = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
              int n = i;
              tasks.add(
                  Task.spawn(() -> {
                    Task.yieldNow().await();
                    Thread.yield();
                    return n;
                  }));
            }
            int total = 0;
            for (var t : tasks) {
              total += t.await();
            }
            return total;
          });
      assertThat(sum).isEqualTo(1_999_000);
      Await.until(() -> rt.stats().live() == 0, "all tasks to be counted");
    }
  }

  // --- Scopes ---

  private record Page(String user, String posts) {}

  private static Page load(Duration limit, Duration slow) throws Exception {
    try (var scope = TaskScope.open()) {
      var user = scope.spawn(() -> "ada");
      var posts =
          scope.spawn(
              named("posts"),
              () -> {
                Task.sleep(slow).await();
                return "none";
              });
      scope.join(limit);
      return new Page(user.get(), posts.get());
    }
  }

  @Test
  void scope_joins() throws Exception {
    assertThat(runtime.run(() -> load(Duration.ofSeconds(20), Duration.ofMillis(1))))
        .isEqualTo(new Page("ada", "none"));
  }

  @Test
  void scope_timeOut_cancelsAndWaits() {
    assertThatThrownBy(() -> runtime.run(() -> load(Duration.ofMillis(5), Duration.ofHours(1))))
        .isInstanceOf(TimedOutException.class)
        .hasMessageContaining("PT0.005S");
    Await.until(() -> runtime.stats().live() == 0, "all tasks to be counted");
  }

  @Test
  void scope_timeOut_worksOutsideTasksToo() {
    try (var scope = TaskScope.open(runtime)) {
      var slow = scope.spawn(() -> Task.sleep(Duration.ofHours(1)).await());
      assertThatThrownBy(() -> scope.join(Duration.ofMillis(5)))
          .isInstanceOf(TimedOutException.class);
      assertThat(slow.isDone()).isTrue();
    }
  }

  @Test
  void scope_firstFailure_interruptsTheSiblings() {
    var interrupted = new AtomicBoolean();
    assertThatThrownBy(() ->
            runtime.run(() -> {
              try (var scope = TaskScope.open()) {
                scope.spawn(() -> {
                  try {
                    Thread.sleep(Duration.ofHours(1));
                  } catch (InterruptedException e) {
                    interrupted.set(true);
                    throw e;
                  }
                });
                scope.spawn(() -> {
                  Task.yieldNow().await();
                  throw new IOException("first");
                });
                scope.join();
              }
            }))
        .isInstanceOf(TaskFailedException.class)
        .hasRootCauseMessage("first");
    assertThat(interrupted).isTrue();
  }

  @Test
  void scope_closedByItsOwnChild_isRefused() {
    assertThatThrownBy(() ->
            runtime.run(() -> {
              try (var scope = TaskScope.open()) {
                scope.spawn(scope::close);
                scope.join();
              }
            }))
        .hasRootCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void scope_ofACancelledTask_stillWaitsForItsChildren() {
    var childEnded = new AtomicBoolean();
    var started = new java.util.concurrent.CountDownLatch(1);
    var parent =
        runtime.spawn(() -> {
          try (var scope = TaskScope.open()) {
            scope.spawn(() -> {
              try {
                started.countDown();
                Task.sleep(Duration.ofHours(1)).await();
              } finally {
                Task.shielded(() -> Task.sleep(Duration.ofMillis(20)).await());
                childEnded.set(true);
              }
            });
            scope.join();
          }
        });
    Await.until(() -> started.getCount() == 0, "the child to begin");
    parent.cancel();
    assertThatThrownBy(parent::await)
        .isInstanceOf(java.util.concurrent.CancellationException.class);
    assertThat(childEnded).isTrue();
  }
}
