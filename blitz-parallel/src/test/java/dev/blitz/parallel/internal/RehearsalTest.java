package dev.blitz.parallel.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.parallel.Work;
import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

/** A rehearsal that fails half way leaves a worker as good as new. */
@Strict
class RehearsalTest {
  private static final Work<String, RuntimeException> WORK = () -> "";

  @Test
  void perform_whenMemoryRunsOutInASteal_returns() {
    var pool = new PoolCore("rehearsal", 1, 0, 1);
    try {
      boolean[] result = new boolean[2];
      pool.call(() -> {
        var worker = (WorkerThread) Thread.currentThread();
        result[0] =
            Rehearsal.perform(
                worker,
                (own, understudy) -> {
                  understudy.push(WORK);
                  understudy.share(1);
                  assertThat(understudy.steal()).isNotNull();
                  throw new OutOfMemoryError("while the steal was being linked");
                });
        result[1] = worker.hasPrivate() || worker.bottom != 0;
        return "";
      });
      assertThat(result[0]).as("performed").isFalse();
      assertThat(result[1]).as("forks left").isFalse();
    } finally {
      pool.close();
    }
  }

  @Test
  void perform_whenAScopeIsTorn_leavesNothingBehind() {
    var pool = new PoolCore("rehearsal", 1, 0, 1);
    try {
      Object[] left = new Object[1];
      pool.call(() -> {
        var worker = (WorkerThread) Thread.currentThread();
        Rehearsal.perform(
            worker,
            (own, understudy) -> {
              own.within = new Latch(own, null);
              throw new OutOfMemoryError("in the wait of a scope");
            });
        left[0] = worker.within;
        return "";
      });
      assertThat(left[0]).isNull();
    } finally {
      pool.close();
    }
  }
}
