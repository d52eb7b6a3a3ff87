package dev.blitz.io.internal.task;

import static dev.blitz.io.internal.task.TaskState.CANCELLED;
import static dev.blitz.io.internal.task.TaskState.COMPLETE;
import static dev.blitz.io.internal.task.TaskState.DETACHED;
import static dev.blitz.io.internal.task.TaskState.DIRECT;
import static dev.blitz.io.internal.task.TaskState.IDLE;
import static dev.blitz.io.internal.task.TaskState.INTERRUPTING;
import static dev.blitz.io.internal.task.TaskState.JOIN_INTEREST;
import static dev.blitz.io.internal.task.TaskState.LIFECYCLE;
import static dev.blitz.io.internal.task.TaskState.NOTIFIED;
import static dev.blitz.io.internal.task.TaskState.RUNNING;
import static dev.blitz.io.internal.task.TaskState.SCHEDULED;
import static dev.blitz.io.internal.task.TaskState.SHIELD;
import static dev.blitz.io.internal.task.TaskState.SHIELD_MAX;
import static dev.blitz.io.internal.task.TaskState.SHIELD_ONE;
import static dev.blitz.io.internal.task.TaskState.SHIELD_SHIFT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.internal.task.TaskState.Action;
import dev.blitz.io.internal.task.TaskState.CancelRequest;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each transition from each word: what it answers, what it makes of the word, what it refuses. */
@Strict
@OnceIsEnough
class TaskStateTest {

  private static final class Word extends TaskState {
    Word(int initial) {
      super(initial);
    }
  }

  /** A transition's answer and the word it leaves; no answer when it is refused. */
  private record Step(Object answer, int next) {
    static final Step ILLEGAL = new Step("illegal", -1);
  }

  /** Every lifecycle with every set of flags and the shield depths at the ends. */
  static IntStream words() {
    return IntStream.of(IDLE, SCHEDULED, RUNNING, COMPLETE)
        .flatMap(l -> IntStream.range(0, 16).map(f -> l | f << 2))
        .flatMap(w -> IntStream.of(0, 1, 2, 254, 255).map(d -> w | d << SHIELD_SHIFT));
  }

  private static boolean has(int word, int flag) {
    return (word & flag) != 0;
  }

  private static boolean droppable(int word) {
    return has(word, CANCELLED) && !has(word, SHIELD);
  }

  private static int lifecycle(int word, int to) {
    return (word & ~LIFECYCLE) | to;
  }

  private static void check(int word, Step expected, Function<TaskState, Object> transition) {
    var state = new Word(word);
    if (expected == Step.ILLEGAL) {
      assertThatThrownBy(() -> transition.apply(state))
          .as(TaskState.describe(word))
          .isInstanceOf(IllegalStateException.class);
      assertThat(state.word()).as("a refused transition changes nothing").isEqualTo(word);
    } else {
      assertThat(transition.apply(state)).as(TaskState.describe(word)).isEqualTo(expected.answer());
      assertThat(TaskState.describe(state.word()))
          .as("after " + TaskState.describe(word))
          .isEqualTo(TaskState.describe(expected.next()));
      assertThat(state.word()).isEqualTo(expected.next());
    }
  }

  @Test
  void wake_schedulesIdle_notesOthers_ignoresComplete() {
    words()
        .forEach(w -> {
          Step expected =
              switch (w & LIFECYCLE) {
                case IDLE -> new Step(Action.ENQUEUE, lifecycle(w, SCHEDULED));
                case SCHEDULED, RUNNING -> new Step(Action.NONE, w | NOTIFIED);
                default -> new Step(Action.NONE, w);
              };
          check(w, expected, TaskState::wakeTransition);
        });
  }

  @Test
  void toRunning_onlyFromScheduled_forgetsTheNotification() {
    words()
        .forEach(w -> {
          Step expected =
              (w & LIFECYCLE) == SCHEDULED
                  ? new Step(
                      droppable(w) ? Action.DROP : Action.POLL, lifecycle(w, RUNNING) & ~NOTIFIED)
                  : Step.ILLEGAL;
          check(w, expected, TaskState::toRunning);
        });
  }

  @Test
  void toIdle_onlyFromRunning_dropsThenReschedulesThenSleeps() {
    words()
        .forEach(w -> {
          Step expected;
          if ((w & LIFECYCLE) != RUNNING) {
            expected = Step.ILLEGAL;
          } else if (droppable(w)) {
            expected = new Step(Action.DROP, w);
          } else if (has(w, NOTIFIED)) {
            expected = new Step(Action.ENQUEUE, w);
          } else {
            expected = new Step(Action.NONE, lifecycle(w, IDLE));
          }
          check(w, expected, TaskState::toIdle);
        });
  }

  @Test
  void complete_onlyFromRunning_returnsTheWordBefore() {
    words()
        .forEach(w -> {
          Step expected =
              (w & LIFECYCLE) == RUNNING ? new Step(w, lifecycle(w, COMPLETE)) : Step.ILLEGAL;
          check(w, expected, TaskState::complete);
        });
  }

  @Test
  void cancel_isGrantedOnce_andSchedulesTheIdleUnlessShielded() {
    words()
        .forEach(w -> {
          Step expected;
          if ((w & LIFECYCLE) == COMPLETE || has(w, CANCELLED)) {
            expected = new Step(CancelRequest.REFUSED, w);
          } else if ((w & LIFECYCLE) == IDLE && !has(w, SHIELD)) {
            expected = new Step(CancelRequest.ENQUEUE, lifecycle(w, SCHEDULED) | CANCELLED);
          } else {
            expected = new Step(CancelRequest.NOTED, w | CANCELLED);
          }
          check(w, expected, TaskState::cancelTransition);
        });
  }

  @Test
  void enterShield_onlyWhileRunning_upTo255() {
    words()
        .forEach(w -> {
          boolean legal = (w & LIFECYCLE) == RUNNING && (w & SHIELD) != SHIELD;
          check(
              w,
              legal ? new Step("entered", w + SHIELD_ONE) : Step.ILLEGAL,
              state -> {
                state.enterShield();
                return "entered";
              });
        });
  }

  @Test
  void exitShield_onlyWhileRunningAndShielded() {
    words()
        .forEach(w -> {
          boolean legal = (w & LIFECYCLE) == RUNNING && has(w, SHIELD);
          check(
              w,
              legal ? new Step("left", w - SHIELD_ONE) : Step.ILLEGAL,
              state -> {
                state.exitShield();
                return "left";
              });
        });
  }

  @Test
  void endShield_inEveryLifecycle_schedulesTheIdleThatIsUncovered() {
    words()
        .forEach(w -> {
          int next = w - SHIELD_ONE;
          Step expected;
          if ((w & LIFECYCLE) == COMPLETE) {
            expected = new Step(CancelRequest.REFUSED, w);
          } else if (!has(w, SHIELD)) {
            expected = Step.ILLEGAL;
          } else if (droppable(next) && (w & LIFECYCLE) == IDLE) {
            expected = new Step(CancelRequest.ENQUEUE, lifecycle(next, SCHEDULED));
          } else {
            expected = new Step(CancelRequest.NOTED, next);
          }
          check(w, expected, TaskState::endShield);
        });
  }

  @Test
  void addJoinInterest_isRefusedByTheComplete() {
    words()
        .forEach(w -> {
          Step expected =
              (w & LIFECYCLE) == COMPLETE ? new Step(false, w) : new Step(true, w | JOIN_INTEREST);
          check(w, expected, TaskState::addJoinInterest);
        });
  }

  @Test
  void detach_mayComeAtAnyTime_andTellsWhetherItIsLate() {
    words()
        .forEach(w -> {
          check(
              w, new Step((w & LIFECYCLE) == COMPLETE, w | DETACHED), TaskState::detachTransition);
        });
  }

  @Test
  void queries_readTheWord() {
    words()
        .forEach(w -> {
          var state = new Word(w);
          assertThat(state.isComplete()).isEqualTo((w & LIFECYCLE) == COMPLETE);
          assertThat(state.isCancelRequested()).isEqualTo(has(w, CANCELLED));
          assertThat(state.word()).isEqualTo(w);
        });
  }

  @Test
  void shield_countsTo255AndBack_withoutTouchingItsNeighbours() {
    var state = new Word(RUNNING | NOTIFIED | JOIN_INTEREST | DETACHED);
    int bare = state.word();
    for (int depth = 1; depth <= SHIELD_MAX; depth++) {
      state.enterShield();
      assertThat(state.word()).isEqualTo(bare + depth * SHIELD_ONE);
    }
    assertThatThrownBy(state::enterShield)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("255");
    for (int depth = SHIELD_MAX; depth > 0; depth--) {
      state.exitShield();
    }
    assertThat(state.word()).isEqualTo(bare);
    assertThatThrownBy(state::exitShield)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("leave a shield")
        .hasMessageContaining("running+notified+awaited+detached");
  }

  @Test
  void cancelUnderAShield_takesEffectWhenItEnds() {
    var state = new Word(RUNNING);
    state.enterShield();
    assertThat(state.cancelTransition()).isEqualTo(CancelRequest.NOTED);
    assertThat(state.toIdle()).isEqualTo(Action.NONE);
    assertThat(state.wakeTransition()).isEqualTo(Action.ENQUEUE);
    assertThat(state.toRunning()).isEqualTo(Action.POLL);
    state.exitShield();
    assertThat(state.toIdle()).isEqualTo(Action.DROP);
    assertThat(state.complete() & CANCELLED).isEqualTo(CANCELLED);
  }

  static Stream<String> illegalMessages() {
    return Stream.of("run", "suspend", "complete", "enter a shield", "leave a shield");
  }

  @ParameterizedTest
  @MethodSource("illegalMessages")
  void illegalTransitions_nameVerbAndState(String verb) {
    var state = new Word(COMPLETE | CANCELLED);
    assertThatThrownBy(
            () -> {
              switch (verb) {
                case "run" -> state.toRunning();
                case "suspend" -> state.toIdle();
                case "complete" -> state.complete();
                case "enter a shield" -> state.enterShield();
                default -> state.exitShield();
              }
            })
        .hasMessage("cannot " + verb + " a task that is complete+cancelled");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, idle",
    "1, 0, 0, scheduled",
    "2, 0, 0, running",
    "3, 0, 0, complete",
    "1, 4, 0, scheduled+notified",
    "2, 8, 0, running+cancelled",
    "0, 16, 0, idle+awaited",
    "3, 32, 0, complete+detached",
    "2, 60, 7, running+notified+cancelled+awaited+detached+shield 7",
    "0, 0, 255, idle+shield 255",
  })
  void describe_namesEveryPart(int lifecycle, int flags, int shield, String text) {
    assertThat(TaskState.describe(lifecycle | flags | shield << SHIELD_SHIFT)).isEqualTo(text);
  }

  @Test
  void concurrentWakesOfAnIdleTask_enqueueItOnce() throws Exception {
    for (int round = 0; round < 200; round++) {
      var state = new Word(IDLE);
      var enqueued = new AtomicInteger();
      Race.run(
          4,
          i -> {
            boolean mine =
                i % 2 == 0
                    ? state.wakeTransition() == Action.ENQUEUE
                    : state.cancelTransition() == CancelRequest.ENQUEUE;
            if (mine) {
              enqueued.incrementAndGet();
            }
          });
      assertThat(enqueued).hasValue(1);
      assertThat(state.word() & (LIFECYCLE | CANCELLED)).isEqualTo(SCHEDULED | CANCELLED);
    }
  }

  @Test
  void aWakeDuringThePoll_isNeverLost() throws Exception {
    for (int round = 0; round < 300; round++) {
      var state = new Word(RUNNING);
      var enqueued = new AtomicInteger();
      Race.run(
          waker -> {
            if (state.wakeTransition() == Action.ENQUEUE) {
              enqueued.incrementAndGet();
            }
          },
          worker -> {
            if (state.toIdle() == Action.ENQUEUE) {
              enqueued.incrementAndGet();
            }
          });
      assertThat(enqueued).hasValue(1);
      assertThat(state.word()).isIn(SCHEDULED, RUNNING | NOTIFIED);
    }
  }

  @Test
  void toHeld_leavesTheWord() {
    words()
        .filter(w -> (w & LIFECYCLE) == RUNNING)
        .forEach(w ->
            check(w, new Step(droppable(w) ? Action.DROP : Action.ENQUEUE, w), TaskState::toHeld));
  }

  @Test
  void resume_onlyOfAHeldTask_clearsTheNotification() {
    words()
        .forEach(w ->
            check(
                w,
                (w & LIFECYCLE) == RUNNING
                    ? new Step(droppable(w) ? Action.DROP : Action.POLL, w & ~NOTIFIED)
                    : Step.ILLEGAL,
                TaskState::resume));
  }

  @Test
  void aCancelOfAHeldTask_isSeenWhenItResumes() {
    var state = new Word(RUNNING);
    assertThat(state.toHeld()).isEqualTo(Action.ENQUEUE);
    assertThat(state.cancelTransition()).isEqualTo(CancelRequest.NOTED);
    assertThat(state.resume()).isEqualTo(Action.DROP);
  }

  // --- Direct tasks ---

  /** Words of a direct task whose thread has begun. */
  private static IntStream directWords() {
    return words().map(w -> w | DIRECT);
  }

  @Test
  void beginDirect_onlyWhileRunning_andNotOnceCancelled() {
    words()
        .forEach(w ->
            check(
                w,
                (w & LIFECYCLE) != RUNNING
                    ? Step.ILLEGAL
                    : droppable(w) ? new Step(false, w) : new Step(true, w | DIRECT),
                TaskState::beginDirect));
  }

  @Test
  void cancelOfADirectTask_interruptsUnlessShielded_andNeverEnqueues() {
    directWords()
        .forEach(w -> {
          Step expected =
              (w & LIFECYCLE) == COMPLETE || has(w, CANCELLED)
                  ? new Step(CancelRequest.REFUSED, w)
                  : has(w, SHIELD)
                      ? new Step(CancelRequest.NOTED, w | CANCELLED)
                      : new Step(CancelRequest.INTERRUPT, w | CANCELLED | INTERRUPTING);
          check(w, expected, TaskState::cancelTransition);
        });
  }

  @Test
  void aDirectTask_isNeverDropped() {
    directWords()
        .filter(w -> (w & LIFECYCLE) == RUNNING)
        .forEach(w -> assertThat(new Word(w).toIdle()).isNotEqualTo(Action.DROP));
    directWords()
        .filter(w -> (w & LIFECYCLE) == SCHEDULED)
        .forEach(w -> assertThat(new Word(w).toRunning()).isEqualTo(Action.POLL));
  }

  @Test
  void shieldOfADirectTask_worksInEveryLifecycle_andTellsWhatItUncovers() {
    directWords()
        .filter(w -> (w & SHIELD) != SHIELD)
        .forEach(w -> {
          var state = new Word(w);
          assertThat(state.enterShield()).isEqualTo(w);
          assertThat(state.isCancelledHere()).isFalse();
          assertThat(state.exitShield()).isEqualTo(droppable(w));
          assertThat(state.word()).isEqualTo(w);
        });
  }

  @Test
  void endShieldOfADirectTask_interruptsWhatItUncovers_alsoOfAnOrphan() {
    directWords()
        .forEach(w -> {
          int next = w - SHIELD_ONE;
          Step expected =
              !has(w, SHIELD)
                  ? Step.ILLEGAL
                  : droppable(next)
                      ? new Step(CancelRequest.INTERRUPT, next | INTERRUPTING)
                      : new Step(CancelRequest.NOTED, next);
          check(w, expected, TaskState::endShield);
        });
  }

  @Test
  void endInterrupting_clearsThatFlagOnly() {
    directWords()
        .forEach(w -> {
          var state = new Word(w | INTERRUPTING);
          state.endInterrupting();
          assertThat(state.word()).isEqualTo(w);
        });
    assertThat(TaskState.describe(RUNNING | DIRECT | INTERRUPTING | CANCELLED))
        .isEqualTo("running+cancelled+direct+interrupting");
  }

  @Test
  void noShieldIsEntered_betweenTheDecisionToInterruptAndTheInterrupt() throws Exception {
    for (int i = 0; i < 2_000; i++) {
      var state = new Word(RUNNING | DIRECT);
      var interrupted = new AtomicInteger();
      var seenInside = new AtomicInteger(-1);
      Race.run(
          racer -> {
            if (state.cancelTransition() == CancelRequest.INTERRUPT) {
              interrupted.set(1);
              state.endInterrupting();
            }
          },
          racer -> {
            int before = state.enterShield();
            int now = interrupted.get();
            seenInside.set(has(before, CANCELLED) ? now : 1 - now);
            state.exitShield();
          });
      assertThat(seenInside).as("cancelled before: interrupted; after: not").hasValue(1);
    }
  }
}
