package dev.blitz.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.Strict;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A full stack is a failure like any other: the pool survives it, and nothing is left running. */
@Strict
class DeepRecursionTest {
  private static int spine(int depth) {
    return depth == 0 ? 0 : Parallel.joinInt(() -> spine(depth - 1), () -> 1, Integer::sum);
  }

  /**
   * Without end on one side only: on both, each half that is stolen is an endless recursion of its
   * own, and all of them have to fail before the first does. Only counts upwards: a clean-up at the
   * end of a full stack may overflow it itself.
   */
  private static int endless(AtomicInteger entered) {
    entered.incrementAndGet();
    return Parallel.joinInt(() -> endless(entered), () -> 1, Integer::sum);
  }

  private static int sum(int n) {
    return n < 2 ? n : Parallel.joinInt(() -> sum(n - 1), () -> sum(n - 2), Integer::sum);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void join_onALeftSpine_growsTheStackOfForks(int workers) {
    try (var pool = Pool.builder().workers(workers).stackBytes(64 << 20).build()) {
      assertThat(pool.call(() -> spine(10_000))).isEqualTo(10_000);
      assertThat(pool.call(() -> spine(30_000))).isEqualTo(30_000);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void join_withoutEnd_overflowsAndLeavesNothingRunning(int workers) {
    try (var pool = Pool.builder().workers(workers).stackBytes(512 << 10).build()) {
      for (int i = 0; i < 5; i++) {
        var entered = new AtomicInteger();
        assertThatThrownBy(() -> pool.call(() -> endless(entered)))
            .isInstanceOf(StackOverflowError.class);
        int whenItFailed = entered.get();
        // Every worker answers, so none is still inside the recursion; and none has gone on with
        // it.
        assertThat(pool.broadcast(index -> index)).hasSize(workers);
        assertThat(pool.call(() -> sum(15))).isEqualTo(610);
        assertThat(entered).hasValue(whenItFailed);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void scope_withoutEnd_overflowsAndPoolSurvives(int workers) {
    try (var pool = Pool.builder().workers(workers).stackBytes(512 << 10).build()) {
      assertThatThrownBy(() -> pool.run(DeepRecursionTest::endlessScope))
          .isInstanceOf(StackOverflowError.class);
      assertThat(pool.call(() -> sum(15))).isEqualTo(610);
    }
  }

  private static void endlessScope() {
    Parallel.scope(s -> endlessScope());
  }

  /** Nobody but the only worker can run what was spawned, however little stack is left. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void spawn_atTheEndOfTheStack_isRunAllTheSame(int workers) {
    try (var pool = Pool.builder().workers(workers).stackBytes(256 << 10).build()) {
      for (int i = 0; i < 50; i++) {
        var spawned = new AtomicInteger();
        var ran = new AtomicInteger();
        assertThatThrownBy(() -> pool.run(() -> endlessSpawns(spawned, ran)))
            .isInstanceOf(StackOverflowError.class);
        assertThat(ran.get()).isGreaterThanOrEqualTo(spawned.get());
      }
    }
  }

  private static void endlessSpawns(AtomicInteger spawned, AtomicInteger ran) {
    Parallel.scope(s -> {
      s.spawn(ran::incrementAndGet);
      spawned.incrementAndGet();
      endlessSpawns(spawned, ran);
    });
  }

  /** A worker that waits must be able to take its own share, or it waits for itself. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void broadcast_atTheEndOfTheStack_overflowsOrReachesAll(int workers) {
    try (var pool = Pool.builder().workers(workers).stackBytes(256 << 10).build()) {
      for (int i = 0; i < 20; i++) {
        assertThatThrownBy(() -> pool.run(DeepRecursionTest::endlessBroadcast))
            .isInstanceOf(StackOverflowError.class);
      }
    }
  }

  @SuppressWarnings("InfiniteRecursion") // its end is what is tested
  private static void endlessBroadcast() {
    Parallel.broadcast(index -> index);
    endlessBroadcast();
  }

  /** The recursion ends itself where it overflows, and forks on right there. */
  private static int stubborn(AtomicInteger caught) {
    try {
      return Parallel.joinInt(() -> stubborn(caught), () -> sum(5), Integer::sum);
    } catch (StackOverflowError e) {
      caught.incrementAndGet();
      return Parallel.joinInt(() -> sum(2), () -> sum(3), Integer::sum);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void join_afterACaughtOverflow_goesOn(int workers) {
    try (var pool = Pool.builder().workers(workers).stackBytes(256 << 10).build()) {
      var caught = new AtomicInteger();
      for (int i = 0; i < 20; i++) {
        pool.run(() -> stubborn(caught));
        assertThat(pool.call(() -> sum(15))).isEqualTo(610);
      }
      assertThat(caught.get()).isPositive();
    }
  }

  /** Calls it at every level down to the end of the stack, with some levels in between. */
  private static void atEveryLevel(int gap, Runnable what) {
    what.run();
    skip(gap, gap, what);
  }

  private static void skip(int levels, int gap, Runnable what) {
    if (levels > 0) {
      skip(levels - 1, gap, what);
    } else {
      atEveryLevel(gap, what);
    }
  }

  private static void toTheEndOfTheStack(int round, Runnable what) {
    try {
      skip(round % 64, round % 7, what);
    } catch (StackOverflowError e) {
      // The body goes on; nothing that was half begun may be left.
    }
  }

  /** The count of a job that could not be added must not stay: the scope would wait for it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void spawn_atEveryLevelOfTheStack_leavesNoJobCountedThatIsNotThere(int workers) {
    try (var pool = Pool.builder().workers(workers).stackBytes(256 << 10).build()) {
      for (int i = 0; i < 200; i++) {
        int round = i;
        var spawned = new AtomicInteger();
        var ran = new AtomicInteger();
        pool.scope(s ->
            toTheEndOfTheStack(
                round,
                () -> {
                  s.spawn(ran::incrementAndGet);
                  spawned.incrementAndGet();
                }));
        assertThat(ran.get()).isGreaterThanOrEqualTo(spawned.get());
      }
    }
  }

  /** The same for jobs that the closing of the pool waits for. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void poolSpawn_atEveryLevelOfTheStack_letsThePoolClose(int workers) {
    var spawned = new AtomicInteger();
    var ran = new AtomicInteger();
    try (var pool = Pool.builder().workers(workers).stackBytes(256 << 10).build()) {
      for (int i = 0; i < 500; i++) {
        int round = i;
        pool.run(() ->
            toTheEndOfTheStack(
                round,
                () -> {
                  pool.spawn(ran::incrementAndGet);
                  spawned.incrementAndGet();
                }));
      }
    }
    assertThat(ran.get()).isGreaterThanOrEqualTo(spawned.get());
  }

  /** A worker that is counted as blocked for good keeps a spare on duty for good. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void blocking_atEveryLevelOfTheStack_leavesNobodyCountedAsBlocked(int workers) {
    try (var pool = Pool.builder().workers(workers).stackBytes(256 << 10).build()) {
      for (int i = 0; i < 200; i++) {
        int round = i;
        pool.run(() -> toTheEndOfTheStack(round, () -> Parallel.blocking(() -> 0)));
        assertThat(pool).asString().contains(" 0 blocked");
      }
    }
  }
}
