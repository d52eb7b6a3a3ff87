package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

  /** The end of each ends the one that waits for it. */
  @Test
  void aDeepChainOfShieldedJoins_isResolved() {
    var rt = runtime();
    List<JoinHandle<Integer>> chain = new ArrayList<>();
    Future<Integer> innermost = Futures.pending();
    chain.add(rt.spawn(Task.shielded(innermost)));
    for (int i = 1; i < DEEP; i++) {
      chain.add(rt.spawn(Task.shielded(chain.getLast())));
    }
    assertThat(rt.close(Duration.ofMillis(200)).clean()).isFalse();
    assertThat(unresolved(chain)).isZero();
    assertThat(rt.stats().live()).isZero();
  }

  /** The drop of each cancels the one that it waits for. */
  @Test
  void aDeepChainOfCancelsInDrops_isResolved() {
    var rt = runtime();
    List<JoinHandle<Integer>> chain = new ArrayList<>();
    JoinHandle<Integer> before = rt.spawn(Task.shielded(Futures.<Integer>pending()));
    chain.add(before);
    for (int i = 1; i < DEEP; i++) {
      JoinHandle<Integer> inner = before;
      before = rt.spawn(Task.shielded(inner.whenDone(inner::cancel)));
      chain.add(before);
    }
    assertThat(rt.close(Duration.ofMillis(200)).clean()).isFalse();
    assertThat(unresolved(chain)).isZero();
  }

  @Test
  void aDeepChainOfDirectTasks_isResolved() {
    var rt = runtime();
    List<JoinHandle<Integer>> chain = new ArrayList<>();
    chain.add(rt.spawn(() -> Task.shielded(() -> Futures.<Integer>pending().await())));
    for (int i = 1; i < DEEP / 10; i++) {
      JoinHandle<Integer> inner = chain.getLast();
      chain.add(rt.spawn(() -> Task.shielded(inner::await)));
    }
    assertThat(rt.close(Duration.ofMillis(500)).clean()).isFalse();
    assertThat(unresolved(chain)).isZero();
  }
}
