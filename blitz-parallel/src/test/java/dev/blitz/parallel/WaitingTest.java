package dev.blitz.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a worker that waits for something may take meanwhile: only what that something needs. */
@Strict
class WaitingTest {
  private static final int ROUNDS = 20;
  private static final int YIELDS = 2_000;

  /** A moment in which a worker that may take the queued call surely does. */
  @SuppressWarnings("ThreadPriorityCheck") // only gives others a chance
  private static void giveOthersAChance(AtomicBoolean taken) {
    for (int i = 0; i < YIELDS && !taken.get(); i++) {
      Thread.yield();
    }
  }

  private static void awaitParked(Thread thread) {
    Await.until(
        () -> thread.getState() == Thread.State.WAITING || !thread.isAlive(), thread + " to wait");
  }

  private static long sleeping(Pool pool) {
    PoolStats stats = pool.stats();
    return stats.slept() - stats.woken();
  }

  private interface Wait {
    /** Waits, as a worker, for a job that another worker runs. */
    void until(Runnable job);
  }

  /** The waiter holds a monitor, which is reentrant: a stranger that it ran would get in. */
  private static void strangerStaysOut(Wait wait) throws InterruptedException {
    var monitor = new Object();
    for (int round = 0; round < ROUNDS; round++) {
      try (var pool = Pool.of(2)) {
        var inside = new AtomicBoolean();
        var entered = new AtomicBoolean();
        var ran = new AtomicBoolean();
        var stolen = new CountDownLatch(1);
        var queued = new CountDownLatch(1);
        var holder =
            Thread.ofPlatform()
                .unstarted(() ->
                    pool.run(() -> {
                      Thread waiter = Thread.currentThread();
                      synchronized (monitor) {
                        inside.set(true);
                        wait.until(() -> {
                          if (Thread.currentThread() == waiter) {
                            return;
                          }
                          awaitParked(waiter);
                          stolen.countDown();
                          JoinTest.await(queued);
                          giveOthersAChance(ran);
                        });
                        inside.set(false);
                      }
                    }));
        holder.start();
        JoinTest.await(stolen);
        var stranger =
            Thread.ofPlatform()
                .start(() ->
                    pool.run(() -> {
                      synchronized (monitor) {
                        entered.compareAndSet(false, inside.get());
                      }
                      ran.set(true);
                    }));
        awaitParked(stranger);
        queued.countDown();
        holder.join();
        stranger.join();
        assertThat(entered).as("a stranger was in the monitor, round %d", round).isFalse();
      }
    }
  }

  @Test
  void join_whileItWaits_takesNoStranger() throws Exception {
    strangerStaysOut(job -> {
      var begun = new CountDownLatch(1);
      Parallel.join(
          () -> JoinTest.await(begun),
          () -> {
            begun.countDown();
            job.run();
          });
    });
  }

  @Test
  void scope_whileItWaits_takesNoStranger() throws Exception {
    strangerStaysOut(job ->
        Parallel.scope(s -> {
          var begun = new CountDownLatch(1);
          s.spawn(() -> {
            begun.countDown();
            job.run();
          });
          JoinTest.await(begun);
        }));
  }

  @Test
  void broadcast_whileItWaits_takesNoStranger() throws Exception {
    strangerStaysOut(job ->
        Parallel.broadcast(index -> {
          job.run();
          return index;
        }));
  }

  /** The innocent caller got the "recursive update" of somebody else's entry. */
  @Test
  void computeIfAbsent_withAJoinInside_isNotEnteredByAStranger() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      var cache = new ConcurrentHashMap<String, Integer>();
      try (var pool = Pool.of(2)) {
        var failure = new AtomicReference<Throwable>();
        var stolen = new CountDownLatch(1);
        var queued = new CountDownLatch(1);
        var ran = new AtomicBoolean();
        var first =
            Thread.ofPlatform()
                .start(() ->
                    pool.run(() ->
                        cache.computeIfAbsent(
                            "key",
                            key -> {
                              var begun = new CountDownLatch(1);
                              Thread waiter = Thread.currentThread();
                              return Parallel.joinInt(
                                  () -> {
                                    JoinTest.await(begun);
                                    return 1;
                                  },
                                  () -> {
                                    begun.countDown();
                                    awaitParked(waiter);
                                    stolen.countDown();
                                    JoinTest.await(queued);
                                    giveOthersAChance(ran);
                                    return 1;
                                  },
                                  Integer::sum);
                            })));
        JoinTest.await(stolen);
        var second =
            Thread.ofPlatform()
                .start(() -> {
                  try {
                    pool.run(() -> cache.computeIfAbsent("key", key -> 3));
                  } catch (Throwable t) {
                    failure.set(t);
                  }
                  ran.set(true);
                });
        awaitParked(second);
        queued.countDown();
        first.join();
        second.join();
        assertThat(failure.get()).isNull();
        assertThat(cache).containsEntry("key", 2);
      }
    }
  }

  /** A sleeping joiner is woken for what its thief forks. */
  @Test
  void join_thatSleeps_isWokenForForksOfItsThief() {
    try (var pool = Pool.of(2)) {
      for (int round = 0; round < ROUNDS; round++) {
        var begun = new CountDownLatch(1);
        pool.run(() -> {
          Thread waiter = Thread.currentThread();
          Parallel.join(
              () -> JoinTest.await(begun),
              () -> {
                begun.countDown();
                awaitParked(waiter);
                var helped = new CountDownLatch(1);
                Parallel.join(() -> JoinTest.await(helped), helped::countDown);
              });
        });
      }
    }
  }

  /** A stolen job of a scope forks; the waiting scope helps with that. */
  @Test
  void scope_thatSleeps_isWokenForForksOfItsJobs() {
    try (var pool = Pool.of(2)) {
      for (int round = 0; round < ROUNDS; round++) {
        var begun = new CountDownLatch(1);
        pool.scope(s -> {
          Thread waiter = Thread.currentThread();
          s.spawn(() -> {
            begun.countDown();
            awaitParked(waiter);
            var helped = new CountDownLatch(1);
            Parallel.join(() -> JoinTest.await(helped), helped::countDown);
          });
          JoinTest.await(begun);
        });
      }
    }
  }

  /** The waiting owner is the only worker: it must take what a foreign thread adds. */
  @Test
  void scope_ofALoneWorker_runsWhatForeignThreadsSpawn() {
    try (var pool = Pool.of(1)) {
      for (int round = 0; round < ROUNDS; round++) {
        var ran = new AtomicInteger();
        pool.scope(s -> {
          Thread waiter = Thread.currentThread();
          var open = new CountDownLatch(1);
          s.spawn(() -> {
            // Keeps the scope open until the foreign thread has spawned.
            Thread.ofPlatform()
                .start(() -> {
                  s.spawn(() -> {
                    assertThat(Thread.currentThread()).isSameAs(waiter);
                    ran.incrementAndGet();
                  });
                  open.countDown();
                });
            JoinTest.await(open);
          });
        });
        assertThat(ran).hasValue(1);
      }
    }
  }

  /** A scope that was handed to a stranger: what that spawns is not hidden under its own jobs. */
  @Test
  void scope_handedToAStranger_ends() throws Exception {
    try (var pool = Pool.of(2)) {
      for (int round = 0; round < ROUNDS; round++) {
        var handed = new AtomicReference<Scope>();
        var given = new CountDownLatch(1);
        var spawned = new CountDownLatch(1);
        var ran = new AtomicInteger();
        var stranger =
            Thread.ofPlatform()
                .start(() ->
                    pool.run(() -> {
                      JoinTest.await(given);
                      pool.spawn(ran::incrementAndGet);
                      handed.get().spawn(ran::incrementAndGet);
                      pool.spawn(ran::incrementAndGet);
                      spawned.countDown();
                    }));
        pool.scope(s -> {
          handed.set(s);
          given.countDown();
          JoinTest.await(spawned);
        });
        stranger.join();
      }
    }
  }

  private static final ScopedValue<String> USER = ScopedValue.newInstance();

  /** As documented: a stolen half has the bindings of its thief, and sees what it binds itself. */
  @Test
  void scopedValue_ofTheForkingThread_isNotThatOfAStolenHalf() {
    try (var pool = Pool.of(2)) {
      for (int round = 0; round < ROUNDS; round++) {
        String seen =
            pool.call(() ->
                ScopedValue.where(USER, "caller")
                    .call(() -> {
                      var begun = new CountDownLatch(1);
                      String user = USER.get();
                      return Parallel.join(
                          () -> {
                            JoinTest.await(begun);
                            return USER.get();
                          },
                          () -> {
                            boolean bound = USER.isBound();
                            begun.countDown();
                            return bound + ScopedValue.where(USER, user).call(USER::get);
                          },
                          String::concat);
                    }));
        assertThat(seen).isEqualTo("callerfalsecaller");
      }
    }
  }

  /**
   * What the awaited fork spawns into an outer scope may cover what it spawns into an inner one.
   */
  @Test
  void jobsSpawnedByHelpers_areNotBuried() {
    try (var pool = Pool.of(2)) {
      for (int round = 0; round < 200; round++) {
        var ran = new AtomicInteger();
        pool.scope(outer ->
            Parallel.join(
                () -> {},
                () ->
                    Parallel.scope(inner -> {
                      for (int i = 0; i < 8; i++) {
                        inner.spawn(() -> {
                          outer.spawn(ran::incrementAndGet);
                          inner.spawn(ran::incrementAndGet);
                          outer.spawn(ran::incrementAndGet);
                        });
                      }
                    })));
        assertThat(ran).hasValue(24);
      }
    }
  }

  /**
   * Worker A waits for a fork, worker C for the scope around it; the fork, on worker B, spawns into
   * that scope and blocks. Only C may take the job, so it is C that must be woken.
   */
  @Test
  void spawn_intoAnOuterScope_wakesWhoWaitsForThatScope() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      try (var pool = Pool.of(3)) {
        pool.run(() -> {
          var ran = new CountDownLatch(1);
          Parallel.scope(scope -> {
            var stolen = new CountDownLatch(1);
            scope.spawn(() ->
                Parallel.join(
                    () -> JoinTest.await(stolen),
                    () -> {
                      stolen.countDown();
                      Await.until(() -> sleeping(pool) == 2, "A and C to sleep");
                      scope.spawn(ran::countDown);
                      JoinTest.await(ran);
                    }));
            // So this worker, C, takes neither the job nor its fork.
            JoinTest.await(stolen);
          });
        });
      }
    }
  }
}
