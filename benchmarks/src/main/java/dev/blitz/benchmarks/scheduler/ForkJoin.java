package dev.blitz.benchmarks.scheduler;

import dev.blitz.benchmarks.harness.Fixture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;

/** ForkJoinPool, where its tasks can do the same: they cannot wait for anything but each other. */
final class ForkJoin {
  private final SchedulerSizes sizes;

  ForkJoin(SchedulerSizes sizes) {
    this.sizes = sizes;
  }

  private abstract static class OnPool implements Fixture {
    final ForkJoinPool pool = new ForkJoinPool(SchedulerSizes.WORKERS);

    @Override
    public void tearDown() {
      pool.close();
    }
  }

  Fixture spawnJoin() {
    return new OnPool() {
      @Override
      public long run() {
        return pool.submit(ForkJoinTask.adapt(ForkJoin.this::forkAndJoin)).join();
      }
    };
  }

  private long forkAndJoin() {
    var tasks = new Leaf[sizes.batch()];
    long sum = 0;
    for (int batch = 0; batch < sizes.batches(); batch++) {
      for (int i = 0; i < tasks.length; i++) {
        tasks[i] = new Leaf(i & SchedulerSizes.SMALL);
        tasks[i].fork();
      }
      // Newest first, which a ForkJoinPool does best: it runs the task itself.
      for (int i = tasks.length - 1; i >= 0; i--) {
        sum += tasks[i].join();
      }
    }
    return sum;
  }

  private static final class Leaf extends RecursiveTask<Integer> {
    private static final long serialVersionUID = 1L;
    private final int value;

    Leaf(int value) {
      this.value = value;
    }

    @Override
    protected Integer compute() {
      return value;
    }
  }

  Fixture chainedSpawn() {
    return new OnPool() {
      @Override
      public long run() throws InterruptedException {
        var end = new CountDownLatch(1);
        pool.execute(new Link(sizes.chain(), end));
        end.await();
        return sizes.chain();
      }
    };
  }

  private static final class Link extends RecursiveAction {
    private static final long serialVersionUID = 1L;
    private final int left;
    private final transient CountDownLatch end;

    Link(int left, CountDownLatch end) {
      this.left = left;
      this.end = end;
    }

    @Override
    protected void compute() {
      if (left == 0) {
        end.countDown();
      } else {
        new Link(left - 1, end).fork();
      }
    }
  }

  Fixture external(int threads) {
    return new OnPool() {
      @Override
      public long run() throws InterruptedException {
        return Submitters.run(
            threads,
            sizes.submitted(),
            (count, last) -> {
              for (int i = 0; i < count; i++) {
                pool.execute(last::arrive);
              }
            });
      }
    };
  }
}
