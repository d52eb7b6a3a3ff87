package dev.blitz.benchmarks.timers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.benchmarks.harness.Fixture;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every contender does the same work: what each counts is the same, twice in a row. */
final class TimerContendersTest {
  private static final TimerSizes SMALL = new TimerSizes(300, 20, 500, 10, 7, 40);

  private final BlitzTimers blitz = new BlitzTimers(SMALL);
  private final NettyTimers netty = new NettyTimers(SMALL);
  private final PoolTimers pool = new PoolTimers(SMALL);
  private final GuardedTasks guarded = new GuardedTasks(SMALL);
  private final VirtualClock virtual = new VirtualClock(SMALL);

  @Test
  void cancelHeavy_everyContender_cancelsEachTimer() throws Exception {
    assertEachCounts(300, blitz::cancelHeavy, netty::cancelHeavy, pool::cancelHeavy);
  }

  @Test
  void cancelAll_everyContender_endsEachTimer() throws Exception {
    assertEachCounts(500, blitz::cancelAll, netty::cancelAll, pool::cancelAll);
  }

  @Test
  void guardedTasks_everyContender_waitsEachTime() throws Exception {
    assertEachCounts(70, guarded::blitz, guarded::netty, guarded::pool);
  }

  @Test
  void virtualClock_bothContenders_expireEachTimer() throws Exception {
    assertEachCounts(500, virtual::wheel, virtual::heap);
  }

  @Test
  void lateness_everyContender_endsEachSleepAndNoneEarly() throws Exception {
    List<SleepLateness.Sleeper> sleepers =
        List.of(Sleeps::tasks, Sleeps::virtualThreads, NettyTimers::lateness, PoolTimers::lateness);
    for (var sleeper : sleepers) {
      assertThat(SleepLateness.micros(SMALL, 100, sleeper)).isPositive();
    }
  }

  @Test
  void expireCpu_everyContender_endsAndUsesTime() throws Exception {
    assertThat(blitz.expireCpu()).isPositive();
    assertThat(netty.expireCpu()).isPositive();
    assertThat(pool.expireCpu()).isPositive();
  }

  private static void assertEachCounts(long expected, Fixture.Factory... contenders)
      throws Exception {
    for (var contender : List.of(contenders)) {
      var fixture = contender.setUp();
      try {
        assertThat(fixture.run()).isEqualTo(expected);
        assertThat(fixture.run()).isEqualTo(expected);
      } finally {
        fixture.tearDown();
      }
    }
  }
}
