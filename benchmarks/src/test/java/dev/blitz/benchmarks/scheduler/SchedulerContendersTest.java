package dev.blitz.benchmarks.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.benchmarks.harness.Fixture;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every contender does the same work: what each counts is the same, twice in a row. */
final class SchedulerContendersTest {
  private static final SchedulerSizes SMALL =
      new SchedulerSizes(3, 200, 500, 20, 30, 100, 100, 50, 4, 600);

  private final BlitzTasks blitz = new BlitzTasks(SMALL);
  private final VirtualThreads virtual = new VirtualThreads(SMALL);
  private final KotlinCoroutines kotlin = new KotlinCoroutines(SMALL);
  private final ForkJoin forkJoin = new ForkJoin(SMALL);

  @Test
  void spawnJoin_everyContender_sumsAllResults() throws Exception {
    long batch = 0;
    for (int i = 0; i < SMALL.batch(); i++) {
      batch += i & SchedulerSizes.SMALL;
    }
    assertEachCounts(
        SMALL.batches() * batch,
        blitz::spawnJoin,
        virtual::spawnJoin,
        kotlin::spawnJoin,
        forkJoin::spawnJoin);
  }

  @Test
  void spawnFromTask_everyContender_waitsForAll() throws Exception {
    assertEachCounts(500, blitz::spawnFromTask, virtual::spawnFromTask, kotlin::spawnFromTask);
  }

  @Test
  void yields_everyContender_yieldsAllTimes() throws Exception {
    assertEachCounts(600, blitz::yields, virtual::yields, kotlin::yields);
  }

  @Test
  void pingPong_everyContender_makesAllRoundTrips() throws Exception {
    assertEachCounts(
        100,
        blitz::pingPong,
        virtual::pingPong,
        virtual::pingPongQueue,
        kotlin::pingPong,
        kotlin::pingPongChannel);
  }

  @Test
  void coldStart_bothContenders_tellTheirTime() throws Exception {
    assertThat(ColdStart.directMillis()).isPositive();
    assertThat(ColdStart.threadMillis()).isPositive();
  }

  @Test
  void chainedSpawn_everyContender_reachesTheEnd() throws Exception {
    assertEachCounts(
        100,
        blitz::chainedSpawn,
        virtual::chainedSpawn,
        kotlin::chainedSpawn,
        forkJoin::chainedSpawn);
  }

  @Test
  void fanOut_everyContender_wakesAllEachTime() throws Exception {
    assertEachCounts(200, blitz::fanOut, virtual::fanOut, kotlin::fanOut);
  }

  @Test
  void external_twoThreads_runsWhatBothSubmit() throws Exception {
    assertEachCounts(
        600,
        () -> blitz.external(2),
        () -> virtual.external(2),
        () -> kotlin.external(2),
        () -> forkJoin.external(2));
  }

  @Test
  void group_namesAndTargets_areConsistent() {
    assertThat(SchedulerGroup.group().workloads()).hasSize(11);
    assertThat(MemoryGroup.group().workloads()).hasSize(1);
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
