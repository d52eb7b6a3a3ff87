package dev.blitz.io.future;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.task.CancelToken;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The explorer finds what it is for. */
@Strict
@OnceIsEnough
class DropExplorerTest {

  /** A gate with one place to wait, and a mistake of choice. */
  private static final class Gate {
    enum Mistake {
      NONE,
      FORGETS_DROP,
      KEEPS_FIRST_WAKER,
      NEVER_WAKES
    }

    final Mistake mistake;
    boolean open;
    @Nullable Waker waiting;

    Gate(Mistake mistake) {
      this.mistake = mistake;
    }

    void open() {
      open = true;
      Waker toWake = waiting;
      waiting = null;
      if (toWake != null && mistake != Mistake.NEVER_WAKES) {
        toWake.wake();
      }
    }

    Future<Done> passed() {
      return new Future<>() {
        @Override
        public @Nullable Done poll(Context cx) {
          if (!cx.proceed()) {
            return null;
          }
          if (open) {
            return Done.DONE;
          }
          if (waiting == null || mistake != Mistake.KEEPS_FIRST_WAKER) {
            waiting = cx.waker();
          }
          return null;
        }

        @Override
        public void drop() {
          if (mistake != Mistake.FORGETS_DROP) {
            waiting = null;
          }
        }

        @Override
        public String toString() {
          return "the gate";
        }
      };
    }
  }

  private static int explore(Gate.Mistake mistake) {
    return DropExplorer.explore(() -> {
      var gate = new Gate(mistake);
      return DropExplorer.scenario(gate.passed())
          .step("nothing", () -> {})
          .step("open", gate::open)
          .check(end -> assertThat(gate.open || gate.waiting == null).isTrue());
    });
  }

  @Test
  void explore_passesWhatIsRight_atEveryPoint() {
    assertThat(explore(Gate.Mistake.NONE)).isGreaterThan(50);
  }

  @Test
  void explore_findsAWaiterThatIsLeftBehind() {
    assertThatThrownBy(() ->
            DropExplorer.explore(() -> {
              var gate = new Gate(Gate.Mistake.FORGETS_DROP);
              return DropExplorer.scenario(gate.passed())
                  .neverEnds()
                  .check(end -> assertThat(gate.waiting).isNull());
            }))
        .hasMessageContaining("the gate, SAME_WAKER: poll drop check");
  }

  @Test
  void explore_findsAWakerThatIsNotReplaced() {
    assertThatThrownBy(() -> explore(Gate.Mistake.KEEPS_FIRST_WAKER))
        .hasMessageContaining("NEW_WAKER")
        .hasMessageContaining("nobody woke it");
  }

  @Test
  void explore_findsALostWakeUp() {
    assertThatThrownBy(() -> explore(Gate.Mistake.NEVER_WAKES))
        .hasMessageContaining("nobody woke it");
  }

  @Test
  void explore_coversFailures_andTokens() {
    var failures = new AtomicInteger();
    DropExplorer.explore(() -> {
      var token = CancelToken.create();
      return DropExplorer.scenario(token.guard(Futures.pending()))
          .step("cancel", token::cancel)
          .check(end -> {
            if (end.failure() instanceof CancelledException) {
              failures.incrementAndGet();
            }
            assertThat(end.value()).isNull();
          });
    });
    assertThat(failures).hasPositiveValue();
  }
}
