package dev.blitz.parallel.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.parallel.Pool;
import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

/** How much stack is left where a probe first says no: as much as it stands for. */
@Strict
class StackReserveTest {
  private static final int STACK = 1 << 20;
  private static final int PROBES = 50_000;
  private static final int LEAST = 6 << 10;

  private static int depth;

  @SuppressWarnings("InfiniteRecursion") // its end is what is tested
  private static int down(int level) {
    depth = level;
    return down(level + 1) + 1;
  }

  /** Levels of a small recursion that fit from here on. */
  private static int room() {
    try {
      return down(0);
    } catch (StackOverflowError e) {
      return depth;
    }
  }

  private static int roomWhenRefused() {
    return StackReserve.isAvailable() ? roomWhenRefused() : room();
  }

  /** Bytes that a refused probe leaves, as a part of the whole stack. */
  private static long bytesWhenRefused() {
    int all = room();
    return (long) roomWhenRefused() * STACK / all;
  }

  @Test
  void isAvailable_whenItSaysNo_stillHasTheReserve_compiledAndNot() {
    try (var pool = Pool.builder().workers(1).stackBytes(STACK).build()) {
      assertThat(pool.call(StackReserveTest::bytesWhenRefused)).isGreaterThan(LEAST);
      pool.run(() -> {
        int yes = 0;
        // Until it is compiled as well as can be, and the measure with it.
        for (int i = 0; i < PROBES; i++) {
          yes += StackReserve.isAvailable() ? 1 : 0;
        }
        assertThat(yes).isEqualTo(PROBES);
        for (int i = 0; i < 50; i++) {
          room();
        }
      });
      for (int i = 0; i < 5; i++) {
        assertThat(pool.call(StackReserveTest::bytesWhenRefused)).isGreaterThan(LEAST);
      }
    }
  }
}
