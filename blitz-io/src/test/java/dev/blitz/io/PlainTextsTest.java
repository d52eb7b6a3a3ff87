package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Deadline;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.sync.Mutex;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskFailedException;
import dev.blitz.io.task.TaskScope;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What people read when something is not as they thought: numbers, names and reasons. */
@Strict
class PlainTextsTest {
  private final List<String> uncaught = Collections.synchronizedList(new ArrayList<>());
  private final BlitzRuntime rt =
      BlitzRuntime.builder()
          .workers(2)
          .uncaughtHandler((what, t) -> uncaught.add(what + ": " + t))
          .build();

  @AfterEach
  void close() {
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  @Test
  void ids_countFromOne_inTheOrderInWhichTheyAreAskedFor() throws Exception {
    JoinHandle<Long> unasked = rt.spawn(Futures.pending());
    assertThat(rt.spawn(Futures.lazy(Task::id)).await()).isEqualTo(1);
    assertThat(rt.run(() -> Task.id())).isEqualTo(2);
    assertThat(rt.spawnBlocking(() -> Task.id()).await()).isEqualTo(3);
    assertThat(unasked.id()).isEqualTo(4);
    assertThat(unasked.id()).as("stays").isEqualTo(4);
    assertThat(unasked.name()).isEqualTo("task-4");
  }

  @Test
  void aLockedMutex_namesItsHolder() throws Exception {
    Mutex mutex = Mutex.checked("m");
    String inTask =
        rt.run(() -> {
          try (var _ = mutex.lock().await()) {
            return mutex.toString();
          }
        });
    assertThat(inTask).contains("locked by task 1 'main'").doesNotContain("end of");
    var inThread = new AtomicReference<>("");
    Thread.ofVirtual()
        .start(() -> {
          try (var _ = mutex.lock().await()) {
            inThread.set(mutex.toString());
          }
        })
        .join();
    assertThat(inThread.get()).containsPattern("locked by thread #\\d+");
  }

  @Test
  void aThreadWithoutAName_isCalledByItsNumber() throws Exception {
    var message = new AtomicReference<>("");
    Thread.ofVirtual()
        .start(() -> {
          try {
            Deadline.after(Duration.ZERO);
          } catch (IllegalStateException e) {
            message.set(e.getMessage());
          }
        })
        .join();
    assertThat(message.get()).containsPattern("and thread #\\d+ belongs to none");
  }

  @Test
  void anAddressThatIsNotLookedUpYet_isWrittenAsItWasGiven() {
    assertThat(TcpStream.connect("127.0.0.1", 80)).hasToString("a connection to 127.0.0.1:80");
  }

  @Test
  void nestedFailures_tellTheReasonOnce_withoutOurFrames() {
    TaskFailedException top = null;
    try {
      rt.spawn(() -> Task.spawn(() -> Task.spawn(PlainTextsTest::fail).await()).await()).await();
    } catch (TaskFailedException e) {
      top = e;
    }
    assertThat(top).isNotNull();
    assertThat(top.getMessage()).matches("task \\d+ failed because another task did");
    assertThat(top.getCause().getCause().getMessage())
        .matches("task \\d+ failed: java.io.IOException: deep inside");
    assertThat(top).hasRootCauseMessage("deep inside");
    assertThat(Arrays.stream(top.getStackTrace()).map(StackTraceElement::getClassName))
        .noneMatch(name -> name.startsWith("dev.blitz.io.internal"))
        .noneMatch(name -> name.startsWith("dev.blitz.io.future"));
    assertThat(top.getStackTrace()[0].getMethodName())
        .isEqualTo("nestedFailures_tellTheReasonOnce_withoutOurFrames");
  }

  private static int fail() throws IOException {
    throw new IOException("deep inside");
  }

  // --- Why a sibling was cancelled ---

  @Test
  void aSibling_tellsWhyItWasCancelled() throws Exception {
    List<JoinHandle<?>> siblings = new ArrayList<>();
    rt.run(() -> {
      try (var scope = TaskScope.open()) {
        siblings.add(scope.spawn(() -> Futures.pending().await())); // direct
        siblings.add(scope.spawn(Futures.pending())); // stackless
        siblings.add(scope.spawnBlocking(() -> new java.util.concurrent.CountDownLatch(1).await()));
        scope.spawn(PlainTextsTest::fail);
        assertThatThrownBy(scope::join).hasRootCauseMessage("deep inside");
      }
    });
    for (JoinHandle<?> sibling : siblings) {
      assertThatThrownBy(sibling::await)
          .isInstanceOf(CancelledException.class)
          .hasMessageContaining("was cancelled, since task ")
          .hasRootCauseMessage("deep inside");
      assertThat(((Outcome.Cancelled<?>) sibling.outcome()).what()).contains("deep inside");
    }
  }

  @Test
  void oneThatWasCancelledForItself_hasNoReason() throws Exception {
    rt.run(() -> {
      try (var scope = TaskScope.open()) {
        var child = scope.spawn(Futures.pending());
        child.cancel();
        assertThatThrownBy(child::await)
            .isInstanceOf(CancelledException.class)
            .hasMessageMatching("task \\d+ was cancelled")
            .hasNoCause();
      }
    });
  }

  // --- A lambda that returns null and means nothing by it ---

  @Test
  void aResultOfNull_failsNoTaskWhoseResultNobodyUses() throws Exception {
    Map<String, String> map = Collections.synchronizedMap(new HashMap<>());
    rt.run(() -> {
      try (var scope = TaskScope.open()) {
        scope.spawn(() -> map.put("direct", "1"));
        scope.spawnBlocking(() -> map.put("blocking", "2"));
        scope.join();
      }
    });
    assertThat(map).hasSize(2);
    rt.spawn(() -> map.put("detached", "3")).detach();
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
    assertThat(uncaught).isEmpty();
  }

  @Test
  void whoAsksForAResultOfNull_isToldThatThereIsNone() {
    Map<String, String> map = new HashMap<>();
    for (JoinHandle<String> task :
        List.of(rt.spawn(() -> map.get("x")), rt.spawnBlocking(() -> map.get("x")))) {
      assertThatThrownBy(task::await)
          .isInstanceOf(NullPointerException.class)
          .hasMessageContaining("PlainTextsTest")
          .hasMessageContaining("returned null, so there is no result");
      assertThat(task.outcome()).isInstanceOf(Outcome.Failure.class);
    }
  }

  @Test
  void aNullOfAChild_namesTheClassOfItsLambda() throws Exception {
    Map<String, String> map = new HashMap<>();
    rt.run(() -> {
      try (TaskScope scope = TaskScope.open()) {
        JoinHandle<String> child = scope.spawn(() -> map.get("x"));
        scope.join();
        assertThatThrownBy(child::get)
            .hasMessageContaining("the lambda in " + getClass().getName());
      }
      assertThatThrownBy(() -> TaskScope.map(List.of(1), 1, i -> map.get("x")))
          .hasMessageContaining("the lambda in " + getClass().getName());
    });
  }

  @Test
  void aFunctionThatReturnsNoFuture_isToldWhatToReturn() {
    Future<Integer> one = Futures.ready(1);
    assertThatThrownBy(() -> rt.run(one.andThen(i -> noFuture())))
        .hasMessageContaining("the andThen function in " + getClass().getName())
        .hasMessageEndingWith("return Futures.done() for no result");
    assertThatThrownBy(() -> rt.run(Futures.loop(() -> noFuture())))
        .hasMessageEndingWith("return Futures.more() or Futures.stop()");
  }

  @SuppressWarnings("NullAway") // that is the mistake
  private static <T> Future<T> noFuture() {
    return null;
  }

  @Test
  void aLazyFuture_namesTheClassOfItsLambda() throws Exception {
    Future<Integer> lazy = Futures.lazy(() -> 1);
    assertThat(rt.run(lazy)).isEqualTo(1);
    assertThatThrownBy(() -> rt.run(lazy))
        .hasMessage(
            "a lazy function in "
                + getClass().getName()
                + " was already awaited or dropped; make a new one");
  }

  @Test
  void whoClosesItsOwnRuntime_isToldWhoMay() {
    assertThatThrownBy(() -> rt.run(() -> rt.close()))
        .hasMessageContaining("return from it, and close the runtime where it was made");
  }

  @Test
  void aScopeThatHasEnded_saysWhereToSpawn() throws Exception {
    rt.run(() -> {
      TaskScope ended = TaskScope.open();
      ended.close();
      assertThatThrownBy(() -> ended.spawn(() -> 1))
          .hasMessageContaining(
              "it was closed or drained; spawn before that, or open another scope");
    });
  }
}
