package dev.blitz.io.task;

import static dev.blitz.io.task.SpawnOptions.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.Blitz;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.current.Bindings;
import dev.blitz.io.internal.task.Inheritance;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Memory;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@Strict
class TaskLocalTest {
  private static final TaskLocal<String> USER = TaskLocal.of("user");
  private static final TaskLocal<Integer> DEPTH = TaskLocal.withInitial("depth", 0);

  @AfterEach
  void nothingStaysBoundOnThisThread() {
    assertThat(Bindings.current()).isNull();
  }

  private static Future<String> user() {
    return Futures.lazy(USER::get);
  }

  /** A yield before, so that the second look is another poll. */
  private static Future<String> userTwice() {
    return Futures.lazy(USER::get)
        .andThen(before -> Task.yieldNow().map(d -> before + "," + USER.get()));
  }

  @Test
  void get_unbound_saysWhatToDo_orYieldsTheInitialValue() {
    assertThatThrownBy(USER::get)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("'user' is not bound");
    assertThat(USER.find()).isEmpty();
    assertThat(USER.isBound()).isFalse();
    assertThat(DEPTH.get()).isZero();
    assertThat(DEPTH.find()).contains(0);
    assertThat(DEPTH.isBound()).isFalse();
    assertThatThrownBy(() -> Blitz.run(user())).hasMessageContaining("'user' is not bound");
  }

  @Test
  void bind_isInForceInEveryPoll_andOverWithTheFuture() throws Exception {
    var seen =
        Blitz.run(
            USER.bind("ann", userTwice())
                .andThen(text -> Task.yieldNow().map(d -> text + "," + USER.find())));
    assertThat(seen).isEqualTo("ann,ann,Optional.empty");
  }

  @Test
  void bind_nests_andTheInnerOneHidesTheOuter() throws Exception {
    Future<List<String>> nested =
        USER.bind(
            "outer",
            DEPTH.bind(
                1,
                USER.bind("inner", userTwice())
                    .andThen(inner -> userTwice().map(outer -> List.of(inner, outer)))));
    assertThat(Blitz.run(nested)).containsExactly("inner,inner", "outer,outer");
  }

  @Test
  void bind_isRestoredWhenTheFutureThrows() throws Exception {
    var seen =
        Blitz.run(
            USER.bind(
                "outer",
                USER.<String>bind(
                        "inner",
                        Task.yieldNow()
                            .andThen(d -> Futures.failed(new IllegalStateException(USER.get()))))
                    .recover(e -> e.getMessage() + "," + USER.get())));
    assertThat(seen).isEqualTo("inner,outer");
  }

  @Test
  void bind_isInForceInDrop_andRestoredAfterIt() throws Exception {
    for (int polls = 0; polls < 3; polls++) {
      var seen = new AtomicReference<String>();
      Future<Object> bound =
          USER.bind("ann", Futures.pending().whenDone(() -> seen.set(USER.get())));
      for (int i = 0; i < polls; i++) {
        assertThat(bound.poll(Context.of(() -> {}))).isNull();
        assertThat(USER.isBound()).isFalse();
      }
      bound.drop();
      assertThat(seen).hasValue("ann");
      assertThat(USER.isBound()).isFalse();
    }
  }

  @Test
  void bind_aDropThatThrows_isRestoredToo() {
    Future<Object> bound =
        USER.bind(
            "ann",
            new UncheckedFuture<>() {
              @Override
              @SuppressWarnings("NullAway") // null means pending
              public Object poll(Context cx) {
                return null;
              }

              @Override
              public void drop() {
                throw new IllegalStateException("on purpose");
              }
            });
    assertThatThrownBy(bound::drop).hasMessage("on purpose");
    assertThat(USER.isBound()).isFalse();
  }

  @Test
  void dropByCancel_seesTheBindingsOfTheTask() {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      var seen = new CompletableFuture<String>();
      Future<Object> waits = Futures.pending().whenDone(() -> seen.complete(USER.get()));
      var task = rt.spawn(USER.bind("ann", waits));
      Await.until(() -> rt.dump().size() == 1, "the task to wait");
      task.cancel();
      assertThat(seen.join()).isEqualTo("ann");
    }
  }

  @Test
  void dropOfATaskThatNeverRan_seesWhatItInherited() throws Exception {
    var seen = new CompletableFuture<Optional<String>>();
    var rt = BlitzRuntime.builder().workers(1).build();
    USER.call("ann", () -> rt.spawn(Futures.pending().whenDone(() -> seen.complete(USER.find()))));
    rt.close();
    assertThat(seen.join()).contains("ann");
  }

  @Test
  void call_bindsOnTheCallingThread() throws Exception {
    String seen = USER.call("ann", () -> USER.get() + USER.call("bob", USER::get) + USER.get());
    assertThat(seen).isEqualTo("annbobann");
    assertThatThrownBy(() ->
            USER.call(
                "ann",
                () -> {
                  throw new IOException("body");
                }))
        .hasMessage("body");
    assertThat(USER.isBound()).isFalse();
  }

  @Test
  void await_ofABoundFuture_worksOnAnyThread() throws Exception {
    assertThat(USER.bind("ann", userTwice()).await()).isEqualTo("ann,ann");
  }

  // --- Inheritance ---

  @Test
  void spawn_inheritsWhatIsInForce() throws Exception {
    Future<List<String>> program =
        USER.bind(
            "ann",
            Futures.lazy(
                    () -> {
                      JoinHandle<String> plain = Task.spawn(userTwice());
                      JoinHandle<String> named = Task.spawn(named("named"), userTwice());
                      JoinHandle<String> blocking = Task.spawnBlocking(USER::get);
                      JoinHandle<String> grandchild =
                          Task.spawn(Task.yieldNow().andThen(d -> Task.spawn(userTwice())));
                      return Task.joinAll(List.of(plain, named, blocking, grandchild));
                    })
                .andThen(all -> all));
    assertThat(Blitz.run(program)).containsExactly("ann,ann", "ann,ann", "ann", "ann,ann");
  }

  @Test
  void spawn_takesASnapshot() throws Exception {
    Future<String> program =
        USER.bind(
            "before",
            Futures.lazy(() -> Task.<String>spawn(Task.yieldNow().andThen(d -> userTwice())))
                .andThen(child -> USER.bind("after", Task.yieldNow().andThen(d -> child))));
    assertThat(Blitz.run(program)).isEqualTo("before,before");
  }

  @Test
  void childsBinding_doesNotReachItsSpawner() throws Exception {
    Future<String> program =
        USER.bind(
            "parent",
            Futures.lazy(() -> Task.spawn(USER.bind("child", userTwice())))
                .andThen(child -> child)
                .map(seen -> seen + "," + USER.get()));
    assertThat(Blitz.run(program)).isEqualTo("child,child,parent");
  }

  @Test
  void blockingTask_bindsAndSpawnsInItsTurn() throws Exception {
    Future<String> program =
        USER.bind(
            "ann",
            Futures.lazy(() ->
                    Task.spawnBlocking(() ->
                        USER.get()
                            + USER.call("bob", () -> Task.spawn(userTwice()).await())
                            + USER.get()))
                .andThen(handle -> handle));
    assertThat(Blitz.run(program)).isEqualTo("annbob,bobann");
  }

  @Test
  void spawn_fromAnOrdinaryThread_andAcrossRuntimes_inheritsToo() throws Exception {
    try (var one = BlitzRuntime.builder().workers(1).build();
        var two = BlitzRuntime.builder().workers(1).build()) {
      Future<String> acrossRuntimes =
          Futures.lazy(() -> two.spawn(userTwice())).andThen(handle -> handle);
      JoinHandle<String> task = USER.call("ann", () -> one.spawn(acrossRuntimes));
      assertThat(task.await()).isEqualTo("ann,ann");
    }
  }

  @Test
  void scopesAndExecutors_inherit() throws Exception {
    Future<String> program =
        USER.bind(
            "ann",
            TaskScope.within(scope -> scope.spawn(userTwice()))
                .andThen(seen -> {
                  var done = new CompletableFuture<String>();
                  BlitzRuntime.current().executor().execute(() -> done.complete(seen + USER.get()));
                  return Futures.from(done);
                }));
    assertThat(Blitz.run(program)).isEqualTo("ann,annann");
  }

  @Test
  void taskSpawnedWhereNothingIsBound_isLeftAsItIs() {
    Future<Integer> future = Futures.ready(1);
    assertThat((Object) Inheritance.of(future, null)).isSameAs(future);
    Runnable inherit = () -> Inheritance.of(future, null);
    inherit.run();
    assertThat(Memory.allocatedByEach(inherit)).isZero();
  }

  // --- Isolation ---

  @Test
  void tasksOnOneWorker_neverSeeEachOthersBindings() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      List<JoinHandle<Done>> tasks = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        String mine = "user-" + i;
        tasks.add(rt.spawn(USER.bind(mine, looks(mine, 20))));
        tasks.add(rt.spawn(looks(null, 20)));
      }
      for (var task : tasks) {
        assertThat(task.await()).isEqualTo(Done.DONE);
      }
    }
  }

  @Test
  void tasksOnManyWorkers_keepTheirBindings() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(4).build()) {
      Race.run(
          4,
          racer -> {
            List<JoinHandle<Done>> tasks = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
              String mine = racer + "-" + i;
              tasks.add(USER.call(mine, () -> rt.spawn(looks(mine, 10))));
              tasks.add(rt.spawn(looks(null, 10)));
            }
            for (var task : tasks) {
              task.await();
            }
          });
    }
  }

  private static Future<Done> looks(@org.jspecify.annotations.Nullable String expected, int times) {
    var left = new int[] {times};
    return Futures.loop(() ->
        Task.yieldNow()
            .map(d -> {
              assertThat(USER.find()).isEqualTo(Optional.ofNullable(expected));
              return --left[0] > 0 ? Futures.Step.MORE : Futures.Step.STOP;
            }));
  }

  @Test
  @SuppressWarnings("NullAway") // what a careless user does
  void nulls_areRefused() {
    assertThatThrownBy(() -> TaskLocal.of(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> TaskLocal.withInitial("x", null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> USER.bind(null, Futures.done()))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> USER.bind("ann", null)).isInstanceOf(NullPointerException.class);
    assertThat(USER).hasToString("TaskLocal[user]");
    assertThat(USER.name()).isEqualTo("user");
  }
}
