package dev.blitz.parallel.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@Strict
class WorkerThreadTest {
  private record Opening(CountDownLatch latch, @Nullable Latch within) implements Job {
    @Override
    public void execute(WorkerThread worker) {
      latch.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Two posts may have counted on the same searching worker. When it takes one job the other is
   * left, and who could run it may sleep in a wait rather than for want of work.
   */
  @Test
  void stopLooking_whenAJobIsLeft_wakesAWaiterThatMayTakeIt() {
    var pool = new PoolCore("waiters", 2, 0, 1);
    try {
      pool.call(() -> {
        var scope = new ScopeCore((WorkerThread) Thread.currentThread());
        scope.run(() -> {
          var begun = new CountDownLatch(1);
          scope.spawn(() -> {
            var worker = (WorkerThread) Thread.currentThread();
            begun.countDown();
            Await.until(() -> pool.counts()[3] - pool.counts()[4] == 1, "the owner to sleep");
            var ran = new CountDownLatch(1);
            // As if its post had counted on the worker that now stops looking.
            worker.deque.push(new Opening(ran, worker.within));
            pool.sleep.startLooking();
            worker.stopLooking();
            await(ran);
          });
          await(begun);
        });
        return "";
      });
    } finally {
      pool.close();
    }
  }

  /** Its caller may wait for the processor that a search would keep busy. */
  @Test
  void searchRounds_afterACall_areFew_andAfterAForkMany() {
    var pool = new PoolCore("searches", 2, 0, 1);
    try {
      for (int round = 0; round < 20; round++) {
        var thief = new AtomicReference<WorkerThread>();
        WorkerThread caller =
            pool.call(() -> {
              var worker = (WorkerThread) Thread.currentThread();
              var stolen = new CountDownLatch(1);
              Fork.<RuntimeException>join(
                  worker,
                  () -> await(stolen),
                  () -> {
                    thief.set((WorkerThread) Thread.currentThread());
                    stolen.countDown();
                  });
              return worker;
            });
        awaitSleep(pool);
        assertThat(caller.searchRounds()).isEqualTo(Tuning.CALL_ROUNDS);
        assertThat(thief.get().searchRounds()).isEqualTo(Tuning.YIELD_ROUNDS);
      }
    } finally {
      pool.close();
    }
  }

  /** Both sleep, so what they have written last is seen. */
  private static void awaitSleep(PoolCore pool) {
    Await.until(() -> pool.counts()[3] - pool.counts()[4] == 2, "both to sleep");
  }
}
