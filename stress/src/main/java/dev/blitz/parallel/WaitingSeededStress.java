package dev.blitz.parallel;

import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Whoever waits, for what, and what it may run meanwhile: joins under a monitor that many calls
 * share, polls for one's own forks, calls from outside beside jobs that respawn themselves for
 * ever, pools closed by workers of others while their jobs call back, and computations that need
 * each other to begin. What waits for the wrong thing never returns.
 */
public final class WaitingSeededStress implements SeededStress {
  private static final int MAX_WORKERS = 6;
  private static final int MAX_CALLERS = 5;
  private static final int CALLS = 40;
  private static final int MAX_DEPTH = 7;

  /** For the service loader. */
  public WaitingSeededStress() {}

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, WaitingSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    int workers = random.nextInt(1, MAX_WORKERS + 1);
    try (var pool = Pool.builder().workers(workers).seed(random.nextLong()).build()) {
      meet(pool, workers);
      var monitor = new Monitor();
      var stopped = new AtomicBoolean();
      int respawning = random.nextInt(workers + 1);
      for (int i = 0; i < respawning; i++) {
        respawn(pool, stopped);
      }
      try {
        callers(random, pool, monitor);
      } finally {
        stopped.set(true);
      }
    }
  }

  /** All begin before any ends: each must be visible while the others run. */
  @SuppressWarnings("ThreadPriorityCheck") // lets the others run where processors are few
  private static void meet(Pool pool, int workers) {
    var begun = new AtomicInteger();
    List<Work<Integer, RuntimeException>> all = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      int index = i;
      all.add(() -> {
        begun.incrementAndGet();
        while (begun.get() < workers) {
          Thread.yield();
        }
        return index;
      });
    }
    List<Integer> results = pool.call(() -> Parallel.tryJoin(all));
    for (int i = 0; i < workers; i++) {
      check(results.get(i) == i, "tryJoin mixes up its results");
    }
  }

  private static void respawn(Pool pool, AtomicBoolean stopped) {
    pool.spawn(() -> {
      if (!stopped.get()) {
        respawn(pool, stopped);
      }
    });
  }

  private static void callers(SplittableRandom random, Pool pool, Monitor monitor)
      throws InterruptedException {
    List<FutureTask<@Nullable Void>> running = new ArrayList<>();
    int callers = random.nextInt(1, MAX_CALLERS + 1);
    for (int i = 0; i < callers; i++) {
      SplittableRandom own = random.split();
      var task =
          new FutureTask<@Nullable Void>(() -> {
            for (int call = 0; call < CALLS; call++) {
              call(own, pool, monitor);
            }
            return null;
          });
      running.add(task);
      Thread.ofPlatform().start(task);
    }
    for (FutureTask<@Nullable Void> task : running) {
      try {
        task.get();
      } catch (ExecutionException e) {
        throw new AssertionError("a caller failed: " + e.getCause(), e.getCause());
      }
    }
  }

  private static void call(SplittableRandom random, Pool pool, Monitor monitor) {
    int depth = random.nextInt(1, MAX_DEPTH + 1);
    switch (random.nextInt(4)) {
      case 0 -> check(pool.call(() -> monitor.sum(depth)) == 1 << depth, "a wrong sum");
      case 1 -> pool.run(() -> poll(depth));
      case 2 -> pool.run(() -> closeWhileCalledBack(pool));
      default -> check(pool.call(() -> sum(depth)) == 1 << depth, "a wrong sum");
    }
  }

  private static int sum(int depth) {
    return depth == 0
        ? 1
        : Parallel.joinInt(() -> sum(depth - 1), () -> sum(depth - 1), Integer::sum);
  }

  /** At the end of a spine of forks waits for the last one, by polling. */
  private static void poll(int depth) {
    if (depth > 0) {
      Parallel.join(() -> poll(depth - 1), () -> {});
      return;
    }
    var done = new AtomicBoolean();
    Parallel.join(
        () -> {
          while (!done.get()) {
            Parallel.yieldNow();
          }
        },
        () -> done.set(true));
  }

  private static void closeWhileCalledBack(Pool pool) {
    var answer = new AtomicInteger();
    try (var other = Pool.of(1)) {
      other.spawn(() -> answer.set(pool.call(() -> sum(3))));
    }
    check(answer.get() == 8, "closed before its job had ended");
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  /** Held across a join: no other call may get in on the same thread meanwhile. */
  private static final class Monitor {
    private boolean held;

    synchronized int sum(int depth) {
      check(!held, "a stranger entered a monitor that is held across a join");
      held = true;
      try {
        return WaitingSeededStress.sum(depth);
      } finally {
        held = false;
      }
    }
  }
}
