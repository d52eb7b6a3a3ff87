package dev.blitz.benchmarks.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.benchmarks.harness.Fixture;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every contender does the same work: what each counts is the same, twice in a row. */
final class SyncContendersTest {
  private static final SyncSizes SMALL = new SyncSizes(100, 4, 50, 4, 2, 30, 8, 25);

  private final BlitzSync blitz = new BlitzSync(SMALL);
  private final JdkLocks jdk = new JdkLocks(SMALL);

  @Test
  void uncontended_everyContender_makesAllPairs() throws Exception {
    assertEachCounts(
        SMALL.pairs(),
        blitz::mutex,
        jdk::mutex,
        () -> () -> KotlinSync.mutex(SMALL.pairs()),
        blitz::rwLockRead,
        jdk::rwLockRead,
        blitz::rwLockWrite,
        jdk::rwLockWrite,
        blitz::semaphore,
        jdk::semaphore,
        () -> () -> KotlinSync.semaphore(SMALL.pairs(), SyncSizes.PERMITS),
        blitz::onceGet,
        jdk::onceGet,
        blitz::onceSet,
        jdk::onceSet,
        blitz::notifyOne,
        jdk::notifyOne,
        blitz::barrier,
        jdk::barrier);
  }

  @Test
  void contended_everyContender_countsUnderItsLock() throws Exception {
    assertEachCounts(
        SMALL.lockings(),
        blitz::mutexContended,
        blitz::mutexBarging,
        () -> jdk.mutexContended(true),
        () -> jdk.mutexContended(false),
        () -> () -> KotlinSync.mutexContended(SMALL.lockers(), SMALL.locks()));
    assertEachCounts(
        (long) SMALL.writers() * SMALL.accesses(),
        blitz::rwLockContended,
        () -> jdk.rwLockContended(true),
        () -> jdk.rwLockContended(false));
    assertEachCounts(
        SyncSizes.FEW_PERMITS,
        blitz::semaphoreContended,
        blitz::semaphoreBarging,
        () -> jdk.semaphoreContended(true),
        () -> jdk.semaphoreContended(false),
        () ->
            () ->
                KotlinSync.semaphoreContended(
                    SMALL.acquirers(), SMALL.acquires(), SyncSizes.FEW_PERMITS));
  }

  @Test
  void group_hasARowPerWorkload() {
    assertThat(SyncGroup.group().workloads()).hasSize(13);
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
