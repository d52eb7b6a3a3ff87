package dev.blitz.benchmarks.sync;

import dev.blitz.benchmarks.harness.Contender;
import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.Workload;
import dev.blitz.benchmarks.scheduler.TokioPeer;

/** Question: what do locks, permits, notifications and cells cost, free and contended? */
public final class SyncGroup {
  private static final double TOKIO = 1.0;

  /** Of peers that serve who came first, as ours do. */
  private static final double FAIR = 1.0;

  private static final SyncSizes SIZES = SyncSizes.FULL;
  private static final BlitzSync BLITZ = new BlitzSync(SIZES);
  private static final JdkLocks JDK = new JdkLocks(SIZES);

  private SyncGroup() {}

  /**
   * The group.
   *
   * @return its definition
   */
  public static Group group() {
    return Group.of(
            "sync",
            "What do locks, permits, notifications and cells cost? Free ones on one thread, contended"
                + " ones on four workers.",
            mutex(),
            rwLockRead(),
            rwLockWrite(),
            semaphore(),
            onceGet(),
            onceSet(),
            notifyOne(),
            barrier(),
            mutexContended(),
            rwLockContended(),
            semaphoreContended(),
            mutexBarging(),
            semaphoreBarging())
        .jvm(
            "-Djdk.virtualThreadScheduler.parallelism=" + SyncSizes.WORKERS,
            "-Dkotlinx.coroutines.scheduler.core.pool.size=" + SyncSizes.WORKERS);
  }

  private static Workload mutex() {
    return row("mutex, try and unlock", "mutex", SIZES.pairs())
        .blitz(BLITZ::mutex)
        .peer(Contender.timed("ReentrantLock", JDK::mutex))
        .peer(kotlin(() -> () -> KotlinSync.mutex(SIZES.pairs())))
        .zeroBytes()
        .build();
  }

  private static Workload rwLockRead() {
    return row("rwlock, try read and unlock", "rwlock-read", SIZES.pairs())
        .blitz(BLITZ::rwLockRead)
        .peer(Contender.timed("ReentrantReadWriteLock", JDK::rwLockRead))
        .zeroBytes()
        .build();
  }

  private static Workload rwLockWrite() {
    return row("rwlock, try write and unlock", "rwlock-write", SIZES.pairs())
        .blitz(BLITZ::rwLockWrite)
        .peer(Contender.timed("ReentrantReadWriteLock", JDK::rwLockWrite))
        .zeroBytes()
        .build();
  }

  private static Workload semaphore() {
    return row("semaphore of 10, try and release", "semaphore", SIZES.pairs())
        .blitz(BLITZ::semaphore)
        .peer(Contender.timed("j.u.c.Semaphore", JDK::semaphore))
        .peer(kotlin(() -> () -> KotlinSync.semaphore(SIZES.pairs(), SyncSizes.PERMITS)))
        .zeroBytes()
        .build();
  }

  private static Workload onceGet() {
    return row("once-cell, get", "once-get", SIZES.pairs())
        .blitz(BLITZ::onceGet)
        .peer(Contender.timed("AtomicReference", JDK::onceGet))
        .zeroBytes()
        .reportOnly()
        .build();
  }

  private static Workload onceSet() {
    return row("once-cell, new and set", "once-set", SIZES.pairs())
        .blitz(BLITZ::onceSet)
        .peer(Contender.timed("AtomicReference", JDK::onceSet))
        .build();
  }

  private static Workload notifyOne() {
    return row("notify, new, notify and consume", "notify", SIZES.pairs())
        .blitz(BLITZ::notifyOne)
        .peer(Contender.timed("j.u.c.Semaphore", JDK::notifyOne))
        .build();
  }

  private static Workload barrier() {
    return row("barrier of one", "barrier", SIZES.pairs())
        .blitz(BLITZ::barrier)
        .peer(Contender.timed("CyclicBarrier", JDK::barrier))
        .build();
  }

  private static Workload mutexContended() {
    return row("mutex, 4 tasks x 2,500", "mutex-contended", SIZES.lockings())
        .blitz(BLITZ::mutexContended)
        .peer(fair("ReentrantLock", () -> JDK.mutexContended(true)), FAIR)
        .peer(kotlin(() -> () -> KotlinSync.mutexContended(SIZES.lockers(), SIZES.locks())), FAIR)
        .build();
  }

  private static Workload rwLockContended() {
    return row("rwlock, 4 readers + 2 writers x 1,666", "rwlock-contended", SIZES.readWrites())
        .blitz(BLITZ::rwLockContended)
        .peer(fair("ReentrantReadWriteLock", () -> JDK.rwLockContended(true)), FAIR)
        .peer(unfair("ReentrantReadWriteLock", () -> JDK.rwLockContended(false)))
        .build();
  }

  private static Workload semaphoreContended() {
    return row("semaphore of 2, 8 tasks x 1,250", "semaphore-contended", SIZES.acquirings())
        .blitz(BLITZ::semaphoreContended)
        .peer(fair("j.u.c.Semaphore", () -> JDK.semaphoreContended(true)), FAIR)
        .peer(
            kotlin(() ->
                () ->
                    KotlinSync.semaphoreContended(
                        SIZES.acquirers(), SIZES.acquires(), SyncSizes.FEW_PERMITS)))
        .build();
  }

  private static Workload mutexBarging() {
    return Workload.named("barging mutex, 4 tasks x 2,500")
        .operations(SIZES.lockings())
        .blitz(BLITZ::mutexBarging)
        .peer(unfair("ReentrantLock", () -> JDK.mutexContended(false)))
        .build();
  }

  private static Workload semaphoreBarging() {
    return Workload.named("barging semaphore of 2, 8 tasks x 1,250")
        .operations(SIZES.acquirings())
        .blitz(BLITZ::semaphoreBarging)
        .peer(unfair("j.u.c.Semaphore", () -> JDK.semaphoreContended(false)))
        .build();
  }

  private static Contender fair(String name, Fixture.Factory factory) {
    return Contender.timed("fair " + name + ", virtual threads", factory);
  }

  /** Not of the same promise as ours: whoever comes may overtake, however often. */
  private static Contender unfair(String name, Fixture.Factory factory) {
    return Contender.timed(name + ", virtual threads", factory);
  }

  private static Workload.Builder row(String name, String tokioKey, int operations) {
    return Workload.named(name).operations(operations).peer(TokioPeer.of(tokioKey), TOKIO);
  }

  private static Contender kotlin(Fixture.Factory factory) {
    return Contender.timed("Kotlin coroutines", factory);
  }
}
