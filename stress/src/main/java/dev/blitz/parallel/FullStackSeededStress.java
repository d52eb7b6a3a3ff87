package dev.blitz.parallel;

import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Recursion without end, by joins, scopes, broadcasts and blocking calls in random order, on small
 * stacks: whatever was begun when the stack is full must still end, and the pool works afterwards.
 * A claimed job that died, or a sleeper that was half woken, never returns.
 */
public final class FullStackSeededStress implements SeededStress {
  private static final int MAX_WORKERS = 6;
  private static final int OVERFLOWS_PER_ROUND = 40;
  private static final int MIN_STACK_KB = 180;
  private static final int MAX_STACK_KB = 600;

  /** For the service loader. */
  public FullStackSeededStress() {}

  @Override
  public void run(long seed, Duration budget) {
    var random = new SplittableRandom(seed);
    long deadline = System.nanoTime() + budget.toNanos();
    do {
      round(random);
    } while (System.nanoTime() < deadline);
  }

  private static void round(SplittableRandom random) {
    int workers = random.nextInt(1, MAX_WORKERS + 1);
    long stackBytes = random.nextLong(MIN_STACK_KB, MAX_STACK_KB) << 10;
    try (var pool =
        Pool.builder().workers(workers).stackBytes(stackBytes).seed(random.nextLong()).build()) {
      for (int i = 0; i < OVERFLOWS_PER_ROUND; i++) {
        var descent = new Descent(random.nextLong(), random.nextInt(4) == 0);
        try {
          pool.run(() -> descent.down(0));
        } catch (StackOverflowError e) {
          // What it is about.
        }
        descent.check();
        if (pool.broadcast(index -> index).size() != workers || pool.call(() -> fib(12)) != 144) {
          throw new AssertionError("the pool is broken: " + pool);
        }
      }
    }
  }

  private static int fib(int n) {
    return n < 2 ? n : Parallel.joinInt(() -> fib(n - 1), () -> fib(n - 2), Integer::sum);
  }

  /** One recursion without end. */
  private static final class Descent {
    private final long seed;
    private final boolean stubborn;
    private final AtomicInteger spawned = new AtomicInteger();
    private final AtomicInteger ran = new AtomicInteger();

    /**
     * @param stubborn catches the overflow where it happens and forks on
     */
    Descent(long seed, boolean stubborn) {
      this.seed = seed;
      this.stubborn = stubborn;
    }

    void down(int depth) {
      if (!stubborn) {
        step(depth);
        return;
      }
      try {
        step(depth);
      } catch (StackOverflowError e) {
        fib(4);
      }
    }

    private void step(int depth) {
      int kind = new SplittableRandom(seed + depth).nextInt(100);
      if (kind < 80) {
        Parallel.join(() -> down(depth + 1), () -> fib(kind & 7));
      } else if (kind < 90) {
        Parallel.scope(s -> {
          s.spawn(ran::incrementAndGet);
          spawned.incrementAndGet();
          down(depth + 1);
        });
      } else if (kind < 95) {
        Parallel.broadcast(index -> index);
        down(depth + 1);
      } else if (kind < 97) {
        Parallel.blocking(() -> fib(3));
        down(depth + 1);
      } else {
        int inner = depth;
        Parallel.join(() -> fib(5), () -> down(inner + 1));
      }
    }

    /** A spawn may overflow after its job was added, never the other way round. */
    void check() {
      if (ran.get() < spawned.get()) {
        throw new AssertionError(
            "%d jobs spawned, %d ran, descent seed %d".formatted(spawned.get(), ran.get(), seed));
      }
    }
  }
}
