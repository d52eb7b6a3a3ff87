package dev.blitz.parallel.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.internal.plan.Cost;
import dev.blitz.testkit.Strict;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.Test;

@Strict
class RangeLoopTest {
  private static final long LENGTH = 1 << 22;
  private static final int ROUNDS = 100;

  /** The first block that each thread runs. */
  private static final class FirstBlocks extends RangeLoop<Long, RuntimeException> {
    private final ConcurrentMap<Thread, Long> sizes = new ConcurrentHashMap<>();

    FirstBlocks(PoolCore pool, Cost cost) {
      super(new LoopHome(() -> pool, true), LoopOptions.DEFAULT, cost);
    }

    @Override
    Long runBlock(long from, long to) {
      sizes.putIfAbsent(Thread.currentThread(), to - from);
      long sum = 0;
      for (long i = from; i < to; i++) {
        sum += i * i % 7;
      }
      return sum;
    }

    @Override
    Long combine(Long left, Long right) {
      return left + right;
    }
  }

  /**
   * What is stolen goes on with blocks as large as those of whom it was stolen from: otherwise each
   * piece begins anew with single elements and a look at the clock for each.
   */
  @Test
  void stolenPiece_beginsWithTheBlocksOfItsOwner() {
    var pool = new PoolCore("blocks", 2, 0, 1);
    try {
      boolean inherited = false;
      for (int round = 0; round < ROUNDS && !inherited; round++) {
        var cost = new Cost();
        cost.learn(1, 1_000, 0);
        var loop = new FirstBlocks(pool, cost);
        loop.start(0, LENGTH);
        // A thread that had to wait for its processor in a block may hand on small ones.
        inherited =
            loop.sizes.size() == 2 && loop.sizes.values().stream().allMatch(size -> size >= 500);
      }
      assertThat(inherited).isTrue();
    } finally {
      pool.close();
    }
  }
}
