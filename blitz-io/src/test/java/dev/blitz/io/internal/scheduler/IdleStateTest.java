package dev.blitz.io.internal.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TestSeed;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Strict
@OnceIsEnough
class IdleStateTest {
  private static final int NO_SITTER = -1;

  private static IdleState allParked(int workers) {
    var idle = new IdleState(workers);
    for (int i = 0; i < workers; i++) {
      idle.announceParked(i);
    }
    return idle;
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "3, 2", "4, 2", "7, 4", "64, 32"})
  void atMostHalf_roundedUp_search(int workers, int limit) {
    var idle = new IdleState(workers);
    for (int i = 0; i < limit; i++) {
      assertThat(idle.tryStartSearching()).as("searcher " + i).isTrue();
    }
    assertThat(idle.tryStartSearching()).isFalse();
    assertThat(idle.searching()).isEqualTo(limit);
    for (int i = limit; i > 0; i--) {
      assertThat(idle.stopSearching()).as("the last of " + i).isEqualTo(i == 1);
    }
    assertThat(idle.tryStartSearching()).isTrue();
  }

  @Test
  void announceAndUnparkSelf_setAndClearOneBit() {
    var idle = new IdleState(64);
    idle.announceParked(0);
    idle.announceParked(63);
    assertThat(idle.isParked(63)).isTrue();
    assertThat(idle.isParked(62)).isFalse();
    assertThat(idle.parkedCount()).isEqualTo(2);
    assertThat(idle.unparkSelf(63)).isTrue();
    assertThat(idle.unparkSelf(63)).as("nobody's bit to clear: it was claimed").isFalse();
    assertThat(idle.parkedCount()).isEqualTo(1);
    assertThat(idle.allParked()).isFalse();
    assertThat(idle).hasToString("0 searching, parked 1");
  }

  @Test
  void allParked_countsEveryWorker() {
    var idle = allParked(64);
    assertThat(idle.allParked()).isTrue();
    assertThat(idle.parkedCount()).isEqualTo(64);
    assertThat(idle.unparkSelf(31)).isTrue();
    assertThat(idle.allParked()).isFalse();
  }

  @Test
  void claim_raisesTheCountForTheOneItPicks_andPicksNobodyWhileOneSearches() {
    var idle = allParked(4);
    int claimed = idle.claim(NO_SITTER);
    assertThat(claimed).isZero();
    assertThat(idle.isParked(claimed)).isFalse();
    assertThat(idle.searching()).isEqualTo(1);
    assertThat(idle.claim(NO_SITTER)).isEqualTo(IdleState.NOBODY);
    assertThat(idle.unparkSelf(claimed)).as("the claimed worker learns that it was").isFalse();
    assertThat(idle.stopSearching()).isTrue();
    assertThat(idle.claim(NO_SITTER)).isEqualTo(1);
  }

  @Test
  void claim_whenAllAreAwake_changesNothing() {
    var idle = new IdleState(2);
    assertThat(idle.claim(NO_SITTER)).isEqualTo(IdleState.NOBODY);
    assertThat(idle.searching()).isZero();
  }

  @Test
  void claim_takesTheSitterLast() {
    var idle = allParked(3);
    assertThat(idle.claim(0)).isEqualTo(1);
    assertThat(idle.stopSearching()).isTrue();
    assertThat(idle.claim(0)).isEqualTo(2);
    assertThat(idle.stopSearching()).isTrue();
    assertThat(idle.claim(0)).as("nobody else is left").isZero();
  }

  @Test
  void claimAnother_picksOneMoreWhoeverSearches_andLowersInVain() {
    var idle = allParked(2);
    assertThat(idle.claim(NO_SITTER)).isZero();
    assertThat(idle.claimAnother(NO_SITTER)).isEqualTo(1);
    assertThat(idle.searching()).isEqualTo(2);
    assertThat(idle.claimAnother(NO_SITTER)).as("others search").isEqualTo(IdleState.NOBODY);
    assertThat(idle.searching()).isEqualTo(2);
    idle.stopSearching();
    idle.stopSearching();
    assertThat(idle.claimAnother(NO_SITTER))
        .as("raised for nobody: the caller must look again")
        .isEqualTo(IdleState.IN_VAIN);
    assertThat(idle.searching()).isZero();
  }

  @Test
  void aParkTimeoutRacingAClaim_countsRight() throws Exception {
    for (int round = 0; round < 300; round++) {
      var idle = allParked(1);
      var selfUnparked = new AtomicBoolean();
      var claimed = new AtomicInteger();
      Race.run(
          worker -> selfUnparked.set(idle.unparkSelf(0)),
          producer -> claimed.set(idle.claim(NO_SITTER)));
      assertThat(selfUnparked.get()).isEqualTo(claimed.get() != 0);
      assertThat(idle.searching()).isEqualTo(claimed.get() == 0 ? 1 : 0);
      assertThat(idle.parkedCount()).isZero();
    }
  }

  /**
   * The protocol with one worker that also wakes by itself, and producers: when all is quiet no
   * work waits while the worker is parked unclaimed.
   */
  @Test
  void noPostIsLost_whenTheWorkerWakesByItselfMeanwhile(TestSeed seed) throws Exception {
    for (int round = 0; round < 150; round++) {
      var model = new OneWorkerModel();
      var random = seed.derive(round).random();
      int wakes = 1 + random.nextInt(20);
      Race.run(
          3,
          index -> {
            if (index == 0) {
              for (int i = 0; i < wakes; i++) {
                model.wakeByItselfAndParkAgain();
              }
            } else {
              for (int i = 0; i < 30; i++) {
                model.post();
              }
            }
          });
      assertThat(model.stranded()).as("round " + round).isFalse();
    }
  }

  private static final class OneWorkerModel {
    private final IdleState idle = allParked(1);
    private final AtomicInteger work = new AtomicInteger();

    void post() {
      work.incrementAndGet();
      notifyOne();
    }

    private void notifyOne() {
      for (; ; ) {
        int index = idle.claim(NO_SITTER);
        if (index != IdleState.IN_VAIN || work.get() == 0) {
          return;
        }
      }
    }

    void wakeByItselfAndParkAgain() {
      boolean searching = !idle.unparkSelf(0);
      work.set(0);
      idle.announceParked(0);
      if (searching) {
        idle.stopSearching();
      }
      if (work.get() > 0) {
        notifyOne();
      }
    }

    boolean stranded() {
      return work.get() > 0 && idle.isParked(0);
    }
  }
}
