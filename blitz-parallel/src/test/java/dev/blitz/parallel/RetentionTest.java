package dev.blitz.parallel;

import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool without work holds on to nothing that its users gave it. */
@Strict
class RetentionTest {
  private static void assertForgotten(List<WeakReference<Object>> given) {
    Await.untilCollected(
        () -> given.stream().allMatch(reference -> reference.get() == null), "the pool to forget");
  }

  private static int forks(int depth, List<WeakReference<Object>> given) {
    var captured = new Object();
    synchronized (given) {
      given.add(new WeakReference<>(captured));
    }
    if (depth == 0) {
      return captured.hashCode() & 1;
    }
    return Parallel.joinInt(
        () -> forks(depth - 1, given),
        () -> forks(depth - 1, given) + (captured.hashCode() & 1),
        Integer::sum);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void forks_areForgotten(int workers) {
    List<WeakReference<Object>> given = new ArrayList<>();
    try (var pool = Pool.of(workers)) {
      pool.call(() -> forks(8, given));
      assertForgotten(given);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void argumentsOfRecursiveJobs_areForgotten(int workers) {
    List<WeakReference<Object>> given = new ArrayList<>();
    var job =
        new RecursiveToLongJob<int[]>() {
          @Override
          protected long compute(int[] depth) {
            synchronized (given) {
              given.add(new WeakReference<>(depth));
            }
            return depth[0] == 0 ? 1 : join(new int[] {depth[0] - 1}, new int[] {depth[0] - 1});
          }

          @Override
          protected long combine(long left, long right) {
            return left + right;
          }
        };
    try (var pool = Pool.of(workers)) {
      pool.call(() -> job.invoke(new int[] {8}));
      assertForgotten(given);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void spawnedJobs_areForgotten(int workers) {
    List<WeakReference<Object>> given = new ArrayList<>();
    var sum = new AtomicInteger();
    try (var pool = Pool.of(workers)) {
      pool.scope(s -> {
        for (int i = 0; i < 600; i++) {
          var captured = new Object();
          given.add(new WeakReference<>(captured));
          s.spawn(() -> sum.addAndGet(captured.hashCode()));
        }
      });
      assertForgotten(given);
    }
  }

  /** A worker may block for hours: what it forked before is over. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whatABlockedWorkerForked_isForgotten(int workers) {
    List<WeakReference<Object>> given = new ArrayList<>();
    try (var pool = Pool.of(workers)) {
      pool.run(() -> {
        forks(8, given);
        var _ =
            Parallel.blocking(() -> {
              assertForgotten(given);
              return true;
            });
      });
    }
  }

  /** Whoever stands in is off duty afterwards, not asleep like the others. */
  @Test
  void whatASpareRan_isForgotten() {
    List<WeakReference<Object>> given = new ArrayList<>();
    try (var pool = Pool.of(1)) {
      pool.run(() -> {
        var done = new CountDownLatch(1);
        pool.spawn(() -> {
          forks(6, given);
          done.countDown();
        });
        var _ =
            Parallel.blocking(() -> {
              JoinTest.await(done);
              return true;
            });
      });
      assertForgotten(given);
    }
  }

  private static final class Half extends RecursiveJob<Object, Integer> {
    @Override
    protected Integer compute(Object argument) {
      return 1;
    }

    @Override
    protected Integer combine(Integer left, Integer right) {
      return left + right;
    }

    void forkOver(Object argument) {
      join("first", argument);
    }
  }

  /** The next fork in the same frame has no argument of its own, and may take hours. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void argumentOfAPoppedFork_isForgottenByTheNextForkThere(int workers) {
    List<WeakReference<Object>> given = new ArrayList<>();
    try (var pool = Pool.of(workers)) {
      pool.run(() -> {
        forkOverNew(given);
        Parallel.join(() -> assertForgotten(given), () -> {});
      });
    }
  }

  private static void forkOverNew(List<WeakReference<Object>> given) {
    var argument = new Object();
    given.add(new WeakReference<>(argument));
    new Half().forkOver(argument);
  }
}
