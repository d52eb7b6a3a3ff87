package dev.blitz.parallel;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Strict;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Strict
class RecursiveJobTest {
  private static final class Fib extends RecursiveIntJob {
    @Override
    protected int compute(int n) {
      return n < 2 ? n : join(n - 1, n - 2);
    }

    @Override
    protected int combine(int left, int right) {
      return left + right;
    }
  }

  /** Sums from the high half of its argument to the low half, exclusive. */
  private static final class RangeSum extends RecursiveLongJob {
    @Override
    protected long compute(long range) {
      int from = (int) (range >>> 32);
      int to = (int) range;
      if (to - from == 1) {
        return from;
      }
      int middle = (from + to) >>> 1;
      return join(range(from, middle), range(middle, to));
    }

    @Override
    protected long combine(long left, long right) {
      return left + right;
    }

    static long range(int from, int to) {
      return ((long) from << 32) | to;
    }
  }

  private record Node(int value, @Nullable Node left, @Nullable Node right) {
    static @Nullable Node tree(int depth) {
      return depth == 0 ? null : new Node(depth, tree(depth - 1), tree(depth - 1));
    }
  }

  private static final class TreeSum extends RecursiveToLongJob<Node> {
    @Override
    protected long compute(Node node) {
      Node left = node.left();
      Node right = node.right();
      return left == null || right == null ? node.value() : node.value() + join(left, right);
    }

    @Override
    protected long combine(long left, long right) {
      return left + right;
    }
  }

  /** Order matters: concatenation does not commute. */
  private static final class Digits extends RecursiveJob<String, String> {
    @Override
    protected String compute(String text) {
      if (text.length() == 1) {
        return text;
      }
      int middle = text.length() / 2;
      return join(text.substring(0, middle), text.substring(middle));
    }

    @Override
    protected String combine(String left, String right) {
      return left + right;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void invoke_onAnyNumberOfWorkers_computes(int workers) {
    try (var pool = Pool.of(workers)) {
      for (int i = 0; i < 20; i++) {
        assertThat(pool.call(() -> new Fib().invoke(20))).isEqualTo(6765);
        assertThat(pool.call(() -> new RangeSum().invoke(RangeSum.range(0, 10_000))))
            .isEqualTo(49_995_000L);
        Node tree = requireNonNull(Node.tree(12));
        assertThat(pool.call(() -> new TreeSum().invoke(tree))).isEqualTo((1L << 13) - 14);
        String text = "0123456789".repeat(100);
        assertThat(pool.call(() -> new Digits().invoke(text))).isEqualTo(text);
      }
    }
  }

  /** Null is an argument like any other, whether a thief gets it or not. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void compute_ofANullArgument_isTheSameSharedOrNot(int workers) {
    var size =
        new RecursiveToLongJob<@Nullable Node>() {
          @Override
          protected long compute(@Nullable Node node) {
            return node == null ? 0 : 1 + join(node.left(), node.right());
          }

          @Override
          protected long combine(long left, long right) {
            return left + right;
          }
        };
    try (var pool = Pool.of(workers)) {
      for (int i = 0; i < 20; i++) {
        assertThat(pool.call(() -> size.invoke(Node.tree(12)))).isEqualTo((1 << 12) - 1);
      }
    }
  }

  @Test
  @LeakChecked(ignoreThreads = "blitz-parallel-\\d+")
  void invoke_outsideAnyPool_usesTheCommonOne() {
    assertThat(new Fib().invoke(15)).isEqualTo(610);
    assertThat(Parallel.joinInt(() -> 1, () -> 2, Integer::sum)).isEqualTo(3);
    assertThatThrownBy(() -> Pool.common().close()).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void compute_whenItThrows_failsTheCall() {
    var job =
        new RecursiveIntJob() {
          @Override
          protected int compute(int n) {
            if (n == 3) {
              throw new UnsupportedOperationException("three");
            }
            return n == 0 ? 0 : join(n - 1, 0);
          }

          @Override
          protected int combine(int left, int right) {
            return left + right;
          }
        };
    try (var pool = Pool.of(2)) {
      assertThatThrownBy(() -> pool.call(() -> job.invoke(10)))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessage("three");
    }
  }
}
