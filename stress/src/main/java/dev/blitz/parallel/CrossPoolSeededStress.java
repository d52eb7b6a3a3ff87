package dev.blitz.parallel;

import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of small pools on small stacks that call, spawn, scope, block, join and broadcast, in their
 * own pool or another's, at random depths; and recursions that do one of these at every level down
 * to the end of the stack. What was counted and never ended, a spare that went home with a job, and
 * a wait buried by a stranger, or a spare that stands in for itself, show as a round that never
 * ends.
 */
public final class CrossPoolSeededStress implements SeededStress {
  private static final int MAX_POOLS = 3;
  private static final int MAX_WORKERS = 3;
  private static final int MAX_CALLERS = 4;
  private static final int CALLS = 20;
  private static final int MAX_DEPTH = 4;
  private static final int MIN_STACK_KB = 256;
  private static final int MAX_STACK_KB = 600;

  /** For the service loader. */
  public CrossPoolSeededStress() {}

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, CrossPoolSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    List<Pool> pools = new ArrayList<>();
    int count = random.nextInt(1, MAX_POOLS + 1);
    for (int i = 0; i < count; i++) {
      pools.add(
          Pool.builder()
              .workers(random.nextInt(1, MAX_WORKERS + 1))
              .stackBytes(random.nextLong(MIN_STACK_KB, MAX_STACK_KB) << 10)
              .seed(random.nextLong())
              .build());
    }
    var mix = new Mix(pools);
    try {
      callers(random, mix);
    } finally {
      pools.forEach(Pool::close);
    }
    mix.check();
  }

  private static void callers(SplittableRandom random, Mix mix) throws InterruptedException {
    List<FutureTask<@Nullable Void>> running = new ArrayList<>();
    int callers = random.nextInt(1, MAX_CALLERS + 1);
    for (int i = 0; i < callers; i++) {
      SplittableRandom own = random.split();
      var task =
          new FutureTask<@Nullable Void>(() -> {
            for (int call = 0; call < CALLS; call++) {
              mix.call(own);
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

  /** What jobs do; a job is given its own random numbers. */
  private static final class Mix {
    private final List<Pool> pools;
    private final AtomicInteger spawned = new AtomicInteger();
    private final AtomicInteger ran = new AtomicInteger();

    Mix(List<Pool> pools) {
      this.pools = pools;
    }

    void call(SplittableRandom random) {
      SplittableRandom own = random.split();
      int pool = random.nextInt(pools.size());
      if (random.nextInt(4) == 0) {
        pools.get(pool).run(() -> Parallel.scope(s -> toTheEndOfTheStack(own, pool, s)));
      } else {
        pools.get(pool).run(() -> step(own, pool, random.nextInt(1, MAX_DEPTH + 1)));
      }
    }

    /** Something in this pool or another, and on from there. */
    private void step(SplittableRandom random, int here, int depth) {
      if (depth == 0) {
        return;
      }
      SplittableRandom own = random.split();
      Pool pool = pools.get(here);
      switch (random.nextInt(7)) {
        case 0 ->
            Parallel.join(() -> step(random, here, depth - 1), () -> step(own, here, depth - 1));
        case 1 -> {
          int there = own.nextInt(pools.size());
          pools.get(there).run(() -> step(own, there, depth - 1));
        }
        case 2 ->
            Parallel.scope(s -> {
              s.spawn(() -> {
                spawn(pool, () -> {});
                s.spawn(ran::incrementAndGet);
                step(own, here, depth - 1);
              });
              spawned.incrementAndGet();
              step(random, here, depth - 1);
            });
        case 3 ->
            Parallel.blocking(() -> {
              step(own, here, depth - 1);
              return 0;
            });
        case 4 -> spawn(pools.get(own.nextInt(here + 1)), () -> {});
        case 5 -> pools.get(own.nextInt(here + 1)).broadcast(index -> index);
        default -> {
          int there = own.nextInt(pools.size());
          Parallel.blocking(() -> pools.get(there).call(() -> 0));
        }
      }
    }

    private void spawn(Pool pool, Runnable then) {
      pool.spawn(() -> {
        ran.incrementAndGet();
        then.run();
      });
      spawned.incrementAndGet();
    }

    private void toTheEndOfTheStack(SplittableRandom random, int here, Scope scope) {
      try {
        down(random, here, scope, random.nextInt(8));
      } catch (StackOverflowError e) {
        // What it is about.
      }
    }

    @SuppressWarnings("InfiniteRecursion") // its end is what is tested
    private void down(SplittableRandom random, int here, Scope scope, int gap) {
      if (gap == 0) {
        switch (random.nextInt(16)) {
          case 0 -> Parallel.blocking(() -> 0);
          case 1 -> pools.get(random.nextInt(here + 1)).call(() -> 0);
          case 2, 3, 4 -> spawn(pools.get(random.nextInt(here + 1)), () -> {});
          case 5 -> Parallel.join(() -> {}, () -> {});
          default -> {
            scope.spawn(ran::incrementAndGet);
            spawned.incrementAndGet();
          }
        }
      }
      down(random, here, scope, gap == 0 ? random.nextInt(8) : gap - 1);
    }

    /** A spawn may overflow after its job was added, never the other way round. */
    void check() {
      if (ran.get() < spawned.get()) {
        throw new AssertionError("%d jobs spawned, %d ran".formatted(spawned.get(), ran.get()));
      }
    }
  }
}
