package dev.blitz.io.task;

import static dev.blitz.io.task.SpawnOptions.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.task.Inheritance;
import dev.blitz.io.policy.SpawnHook;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@Strict
class SpawnHookTest {

  /** A logging context, as libraries have it. */
  private static final ThreadLocal<@Nullable String> MDC = new ThreadLocal<>();

  /** Carries {@link #MDC}, and counts. */
  private static final class MdcHook implements SpawnHook {
    final AtomicInteger captured = new AtomicInteger();
    final AtomicInteger restored = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();

    @Override
    public @Nullable Object capture() {
      captured.incrementAndGet();
      return MDC.get();
    }

    @Override
    public Scope restore(Object context) {
      restored.incrementAndGet();
      Thread thread = Thread.currentThread();
      String before = MDC.get();
      MDC.set((String) context);
      return () -> {
        closed.incrementAndGet();
        assertThat(Thread.currentThread()).isSameAs(thread);
        assertThat(MDC.get()).isEqualTo(context);
        MDC.set(before);
      };
    }
  }

  private final MdcHook hook = new MdcHook();
  private final List<String> uncaught = Collections.synchronizedList(new ArrayList<>());

  private BlitzRuntime runtime(SpawnHook with, int workers) {
    return BlitzRuntime.builder()
        .workers(workers)
        .spawnHook(with)
        .uncaughtHandler((what, t) -> uncaught.add(String.valueOf(t.getMessage())))
        .build();
  }

  @AfterEach
  void nothingStaysOnThisThread() {
    assertThat(MDC.get()).isNull();
    assertThat(hook.closed).hasValue(hook.restored.get());
  }

  private static <T> T with(String context, java.util.function.Supplier<T> body) {
    MDC.set(context);
    try {
      return body.get();
    } finally {
      MDC.remove();
    }
  }

  private static Future<String> looksTwice() {
    return Futures.lazy(() -> String.valueOf(MDC.get()))
        .andThen(before -> Task.yieldNow().map(d -> before + "," + MDC.get()));
  }

  @Test
  void task_runsInTheContextOfItsSpawner_inEveryPoll() {
    try (var rt = runtime(hook, 1)) {
      var task = with("ann", () -> rt.spawn(looksTwice()));
      var named = with("bob", () -> rt.spawn(named("named"), looksTwice()));
      assertThat(task.await()).isEqualTo("ann,ann");
      assertThat(named.await()).isEqualTo("bob,bob");
      assertThat(hook.captured).hasValue(2);
      assertThat(hook.restored).hasValue(4);
      assertThat(rt.spawn(looksTwice()).await()).as("nothing captured").isEqualTo("null,null");
      assertThat(hook.captured).hasValue(3);
      assertThat(hook.restored).as("so nothing restored").hasValue(4);
    }
  }

  @Test
  void childrenOfATask_inheritThroughIt() {
    try (var rt = runtime(hook, 2)) {
      var task =
          with(
              "ann",
              () ->
                  rt.spawn(
                      Task.yieldNow()
                          .map(d -> Task.<String>spawn(looksTwice()))
                          .andThen(child -> child)));
      assertThat(task.await()).isEqualTo("ann,ann");
    }
  }

  @Test
  void blockingTask_runsInTheContextToo() {
    try (var rt = runtime(hook, 1)) {
      assertThat(with("ann", () -> rt.spawnBlocking(() -> String.valueOf(MDC.get()))).await())
          .isEqualTo("ann");
      JoinHandle<Integer> failed =
          with(
              "bob",
              () ->
                  rt.spawnBlocking(() -> {
                    throw new IOException(MDC.get());
                  }));
      assertThatThrownBy(failed::await).hasRootCauseMessage("bob");
      assertThat(rt.spawnBlocking(() -> String.valueOf(MDC.get())).await()).isEqualTo("null");
    }
  }

  @Test
  void failureAndDrop_happenInTheContext_andUndoIt() {
    try (var rt = runtime(hook, 1)) {
      JoinHandle<Integer> failed =
          with(
              "ann",
              () ->
                  rt.spawn(
                      (Future<Integer>)
                          cx -> {
                            throw new IOException(MDC.get());
                          }));
      assertThatThrownBy(failed::await).hasRootCauseMessage("ann");
      var inDrop = new CompletableFuture<String>();
      var dropped =
          with("bob", () -> rt.spawn(Futures.pending().whenDone(() -> inDrop.complete(MDC.get()))));
      Await.until(() -> rt.dump().size() == 1, "the task to wait");
      dropped.cancel();
      assertThat(inDrop.join()).isEqualTo("bob");
      assertThat(rt.spawn(looksTwice()).await()).isEqualTo("null,null");
    }
  }

  @Test
  void restore_seesTheTaskLocalsOfTheTask() throws Exception {
    TaskLocal<String> local = TaskLocal.of("seen by the hook");
    var seen = new CompletableFuture<String>();
    SpawnHook looking =
        new SpawnHook() {
          @Override
          public Object capture() {
            return "anything";
          }

          @Override
          public Scope restore(Object captured) {
            seen.complete(local.get());
            return () -> {};
          }
        };
    try (var rt = runtime(looking, 1)) {
      local.call("bound", () -> rt.spawn(Futures.done())).await();
    }
    assertThat(seen.join()).isEqualTo("bound");
  }

  // --- Hooks that throw ---

  private static SpawnHook broken(boolean capture, boolean restore, boolean close) {
    return new SpawnHook() {
      @Override
      public Object capture() {
        failIf(capture, "capture");
        return "context";
      }

      @Override
      public Scope restore(Object captured) {
        failIf(restore, "restore");
        return () -> failIf(close, "close");
      }

      private void failIf(boolean fails, String where) {
        if (fails) {
          throw new IllegalStateException(where);
        }
      }
    };
  }

  @Test
  void captureThatThrows_failsTheSpawn() {
    try (var rt = runtime(broken(true, false, false), 1)) {
      assertThatThrownBy(() -> rt.spawn(Futures.done())).hasMessage("capture");
      assertThatThrownBy(() -> rt.spawnBlocking(() -> 1)).hasMessage("capture");
      assertThat(rt.stats().live()).isZero();
    }
  }

  @Test
  void restoreThatThrows_failsTheTask_andDropsItsFuture() {
    try (var rt = runtime(broken(false, true, false), 1)) {
      var dropped = new AtomicBoolean();
      var task = rt.spawn(Futures.pending().whenDone(() -> dropped.set(true)));
      assertThatThrownBy(task::await).hasRootCauseMessage("restore");
      assertThat(dropped).isTrue();
      var blocking = rt.spawnBlocking(() -> 1);
      assertThatThrownBy(blocking::await).hasRootCauseMessage("restore");
    }
  }

  @Test
  void closeThatThrows_isReported_andTheResultStands() {
    try (var rt = runtime(broken(false, false, true), 1)) {
      assertThat(rt.spawn(Futures.ready(1)).await()).isEqualTo(1);
      assertThat(rt.spawnBlocking(() -> 2).await()).isEqualTo(2);
    }
    assertThat(uncaught).containsExactly("close", "close");
  }

  // --- Cost and isolation ---

  @Test
  void withoutHookOrContext_theFutureIsLeftAsItIs() {
    Future<Done> future = Futures.done();
    assertThat((Object) Inheritance.of(future, null)).isSameAs(future);
    assertThat((Object) Inheritance.of(future, hook)).as("null captured").isSameAs(future);
  }

  @Test
  void manyTasks_neverMixTheirContexts() throws Exception {
    try (var rt = runtime(hook, 4)) {
      Race.run(
          4,
          racer -> {
            List<JoinHandle<String>> tasks = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
              String mine = racer + "-" + i;
              tasks.add(with(mine, () -> rt.spawn(looksTwice())));
            }
            for (int i = 0; i < 500; i++) {
              String mine = racer + "-" + i;
              assertThat(tasks.get(i).await()).isEqualTo(mine + "," + mine);
            }
          });
    }
  }

  @Test
  @SuppressWarnings("NullAway") // what a careless user does
  void null_isRefused() {
    assertThatThrownBy(() -> BlitzRuntime.builder().spawnHook(null))
        .isInstanceOf(NullPointerException.class);
  }
}
