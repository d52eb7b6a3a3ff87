package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a close gives up is ended all the same, however much hangs together. */
@Strict
class ClosePastDeadlineTest {
  private static final int DEEP = 20_000;

  /** Some of the chain may fail by the end of the one before, which nobody joins. */
  private static BlitzRuntime runtime() {
    return BlitzRuntime.builder().workers(2).uncaughtHandler((what, t) -> {}).build();
  }

  private static long unresolved(List<? extends JoinHandle<?>> handles) {
    return handles.stream().filter(h -> !h.isDone()).count();
  }

  /** Counts down when it is polled first: then it is shielded, before that a close just ends it. */
  private static <T> Future<T> noted(Future<T> inner, CountDownLatch polled) {
    return new Future<T>() {
      private boolean seen;

      @Override
      public @Nullable T poll(Context cx) throws Exception {
        if (!seen) {
          seen = true;
          polled.countDown();
        }
        return inner.poll(cx);
      }

      @Override
      public void drop() {
        inner.drop();
      }
    };
  }

  /** The end of each ends the one that waits for it. */
  @Test
  void aDeepChainOfShieldedJoins_isResolved() throws Exception {
    var rt = runtime();
    var polled = new CountDownLatch(DEEP);
    List<JoinHandle<Integer>> chain = new ArrayList<>();
    Future<Integer> innermost = Futures.pending();
    chain.add(rt.spawn(Task.shielded(noted(innermost, polled))));
    for (int i = 1; i < DEEP; i++) {
      chain.add(rt.spawn(Task.shielded(noted(chain.getLast(), polled))));
    }
    polled.await();
    assertThat(rt.close(Duration.ofMillis(200)).clean()).isFalse();
    assertThat(unresolved(chain)).isZero();
    assertThat(rt.stats().live()).isZero();
  }

  /** The drop of each cancels the one that it waits for. */
  @Test
  void aDeepChainOfCancelsInDrops_isResolved() throws Exception {
    var rt = runtime();
    var polled = new CountDownLatch(DEEP);
    List<JoinHandle<Integer>> chain = new ArrayList<>();
    JoinHandle<Integer> before = rt.spawn(Task.shielded(noted(Futures.pending(), polled)));
    chain.add(before);
    for (int i = 1; i < DEEP; i++) {
      JoinHandle<Integer> inner = before;
      before = rt.spawn(Task.shielded(noted(inner.whenDone(inner::cancel), polled)));
      chain.add(before);
    }
    polled.await();
    assertThat(rt.close(Duration.ofMillis(200)).clean()).isFalse();
    assertThat(unresolved(chain)).isZero();
  }

  @Test
  void aDeepChainOfDirectTasks_isResolved() throws Exception {
    var rt = runtime();
    var shielded = new CountDownLatch(DEEP / 10);
    List<JoinHandle<Integer>> chain = new ArrayList<>();
    chain.add(rt.spawn(() -> shielded(shielded, Futures.<Integer>pending()::await)));
    for (int i = 1; i < DEEP / 10; i++) {
      JoinHandle<Integer> inner = chain.getLast();
      chain.add(rt.spawn(() -> shielded(shielded, inner::await)));
    }
    shielded.await();
    assertThat(rt.close(Duration.ofMillis(500)).clean()).isFalse();
    // On the JDK's carriers one that has just been told ends by itself, beside the close.
    Await.until(() -> unresolved(chain) == 0, "the last of them to end");
  }

  private static <T> T shielded(CountDownLatch entered, ThrowingSupplier<T> body) throws Exception {
    return Task.shielded(() -> {
      entered.countDown();
      return body.get();
    });
  }
}
