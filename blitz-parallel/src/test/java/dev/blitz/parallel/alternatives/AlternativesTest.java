package dev.blitz.parallel.alternatives;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What lost must still be right, or the comparison means nothing. */
@Strict
class AlternativesTest {
  private static int chaseLev(int n) {
    return n < 2 ? n : ChaseLevWorker.join(() -> chaseLev(n - 1), () -> chaseLev(n - 2));
  }

  private static int split(int n) {
    return n < 2 ? n : SplitDequeWorker.join(() -> split(n - 1), () -> split(n - 2));
  }

  @Test
  void chaseLev_withAThief_computes() throws Exception {
    var result = new AtomicInteger();
    var worker = new ChaseLevWorker(() -> result.set(chaseLev(20)));
    runWithThief(worker, worker::steal, new ChaseLevWorker(() -> {}));
    assertThat(result).hasValue(6765);
  }

  @Test
  void splitDeque_withAThief_computes() throws Exception {
    var result = new AtomicInteger();
    var worker = new SplitDequeWorker(() -> result.set(split(20)));
    runWithThief(worker, worker::steal, new SplitDequeWorker(() -> {}));
    assertThat(result).hasValue(6765);
  }

  /** The thief runs what it steals on a worker of its own, so that it can fork in turn. */
  private static void runWithThief(
      Thread worker, Supplier<@Nullable AllocatedFork> steal, Thread sample) throws Exception {
    var done = new AtomicBoolean();
    Runnable stealing =
        () -> {
          while (!done.get()) {
            AllocatedFork fork = steal.get();
            if (fork != null) {
              fork.execute();
            }
          }
        };
    Thread thief =
        sample instanceof ChaseLevWorker
            ? new ChaseLevWorker(stealing)
            : new SplitDequeWorker(stealing);
    thief.start();
    worker.start();
    worker.join();
    done.set(true);
    thief.join();
  }
}
