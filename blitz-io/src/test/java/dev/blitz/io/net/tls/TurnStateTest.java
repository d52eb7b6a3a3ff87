package dev.blitz.io.net.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.net.tls.TurnState.Close;
import dev.blitz.io.net.tls.TurnState.Release;
import dev.blitz.io.net.tls.TurnState.Take;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Each transition of the table. */
@Strict
@OnceIsEnough
class TurnStateTest {
  private final TurnState turn = new TurnState();

  @Test
  void aFreeTurn_isTaken_andGivenBack() {
    assertThat(turn.takeForReader()).isEqualTo(Take.TAKEN);
    assertThat(turn).hasToString("held");
    assertThat(turn.release()).isEqualTo(Release.NOBODY);
    assertThat(turn.takeForWriter()).isEqualTo(Take.TAKEN);
    assertThat(turn.release()).isEqualTo(Release.NOBODY);
    assertThat(turn).hasToString("free");
  }

  @Test
  void whoFindsItTaken_isNamedByTheRelease_once() {
    turn.takeForReader();
    assertThat(turn.takeForWriter()).isEqualTo(Take.BUSY);
    assertThat(turn.takeForWriter()).isEqualTo(Take.BUSY);
    assertThat(turn).hasToString("held, the writer wants it");
    assertThat(turn.release()).isEqualTo(Release.WRITER);
    turn.takeForWriter();
    assertThat(turn.takeForReader()).isEqualTo(Take.BUSY);
    assertThat(turn.release()).isEqualTo(Release.READER);
    turn.takeForWriter();
    turn.takeForReader();
    turn.takeForWriter();
    assertThat(turn.release()).isEqualTo(Release.BOTH);
    turn.takeForReader();
    assertThat(turn.release()).isEqualTo(Release.NOBODY);
  }

  @Test
  void closing_aFreeTurn_isTheCallers() {
    assertThat(turn.close()).isEqualTo(Close.CLOSE_NOW);
    assertThat(turn.isClosed()).isTrue();
    assertThat(turn.takeForReader()).isEqualTo(Take.CLOSED);
    assertThat(turn.close()).isEqualTo(Close.CLOSED_BEFORE);
    assertThat(turn.release()).isEqualTo(Release.NOBODY);
    assertThat(turn.takeForWriter()).isEqualTo(Take.CLOSED);
    assertThat(turn).hasToString("free, closed");
  }

  @Test
  void closing_aTakenTurn_isTheHolders() {
    turn.takeForReader();
    turn.takeForWriter();
    assertThat(turn.close()).isEqualTo(Close.HOLDER_CLOSES);
    assertThat(turn).hasToString("held, the writer wants it, closed, to be closed by the holder");
    assertThat(turn.close()).isEqualTo(Close.CLOSED_BEFORE);
    assertThat(turn.release()).isEqualTo(Release.CLOSE_FIRST);
    assertThat(turn.takeForWriter()).isEqualTo(Take.CLOSED);
    assertThat(turn.release()).isEqualTo(Release.WRITER);
  }

  @Test
  void aRelease_ofWhatNobodyHas_isAMistake() {
    assertThatThrownBy(turn::release).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void twoSides_neverHaveItBoth_andEachIsTold() throws Exception {
    var inside = new AtomicInteger();
    var owed = new AtomicInteger[] {new AtomicInteger(), new AtomicInteger()};
    Race.run(
        2,
        side -> {
          for (int i = 0; i < 20_000; i++) {
            Take taken = side == 0 ? turn.takeForReader() : turn.takeForWriter();
            if (taken == Take.BUSY) {
              while (owed[side].get() == 0) {
                Thread.onSpinWait(); // ends only if the other's release names us
              }
              owed[side].decrementAndGet();
              continue;
            }
            assertThat(inside.incrementAndGet()).isOne();
            inside.decrementAndGet();
            Release next = turn.release();
            if (next != Release.NOBODY) {
              owed[1 - side].incrementAndGet();
            }
          }
        });
  }

  @Test
  void aCloseThatFailed_isTheNextClosersWork_once() {
    var turn = new TurnState();
    assertThat(turn.close()).isEqualTo(Close.CLOSE_NOW);
    turn.closeFailed();
    assertThat(turn.close()).isEqualTo(Close.CLOSED_BEFORE); // somebody is still at it
    assertThat(turn).hasToString("held, closed, to be closed again");
    assertThat(turn.release()).isEqualTo(Release.NOBODY);
    assertThat(turn.takeForReader()).isEqualTo(Take.CLOSED);
    assertThat(turn.close()).isEqualTo(Close.CLOSE_NOW);
    assertThat(turn.release()).isEqualTo(Release.NOBODY);
    assertThat(turn.close()).isEqualTo(Close.CLOSED_BEFORE);
  }
}
