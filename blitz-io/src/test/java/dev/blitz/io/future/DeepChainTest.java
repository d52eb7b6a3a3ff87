package dev.blitz.io.future;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskFailedException;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Futures around futures around futures: a poll goes down as many frames as there are. */
@Strict
class DeepChainTest {
  /** Far beyond what a stack holds. */
  private static final int TOO_DEEP = 100_000;

  /** What the documentation promises. */
  private static final int DEEP_ENOUGH = 1_000;

  enum Link {
    MAP,
    AND_THEN,
    RECOVER,
    WHEN_DONE;

    private Future<Integer> around(Future<Integer> f) {
      return switch (this) {
        case MAP -> f.map(n -> n + 1);
        case AND_THEN -> f.andThen(n -> Futures.ready(n + 1));
        case RECOVER -> f.recover(e -> 0).map(n -> n + 1);
        case WHEN_DONE -> f.whenDone(() -> {}).map(n -> n + 1);
      };
    }

    Future<Integer> chain(Future<Integer> first, int links) {
      var chain = first;
      for (int i = 0; i < links; i++) {
        chain = around(chain);
      }
      return chain;
    }
  }

  @ParameterizedTest
  @EnumSource(Link.class)
  void aChainOfAThousand_runs(Link link) throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      assertThat(rt.run(link.chain(Task.yieldNow().map(d -> 0), DEEP_ENOUGH)))
          .isEqualTo(DEEP_ENOUGH);
    }
  }

  /** It fails, says of what, and nothing else suffers. */
  @ParameterizedTest
  @EnumSource(Link.class)
  void aChainThatIsTooDeep_failsItsTaskOnly(Link link) throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      for (int i = 0; i < 3; i++) {
        JoinHandle<Integer> deep = rt.spawn(link.chain(Task.yieldNow().map(d -> 0), TOO_DEEP));
        JoinHandle<Integer> beside = rt.spawn(Task.yieldNow().map(d -> 7));
        assertThatThrownBy(deep::await)
            .isInstanceOf(TaskFailedException.class)
            .hasCauseInstanceOf(StackOverflowError.class);
        assertThat(beside.await()).isEqualTo(7);
      }
      Await.until(() -> rt.stats().live() == 0, "the end of all tasks"); // after their outcomes
    }
  }

  /** What a loop is for: any number of steps in the same space. */
  @Test
  void aLoop_hasNoLimit() throws Exception {
    var n = new int[1];
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      rt.run(
          Futures.loop(() ->
              Task.yieldNow()
                  .map(d -> ++n[0] == TOO_DEEP ? Futures.Step.STOP : Futures.Step.MORE)));
    }
    assertThat(n[0]).isEqualTo(TOO_DEEP);
  }
}
