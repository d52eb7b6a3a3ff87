package dev.blitz.benchmarks.direct;

import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import java.util.ArrayList;
import java.util.List;

/** The subject: lambdas as direct tasks. */
final class DirectTasks {
  private final DirectSizes sizes;

  DirectTasks(DirectSizes sizes) {
    this.sizes = sizes;
  }

  static BlitzRuntime runtime() {
    return BlitzRuntime.builder().workers(DirectSizes.WORKERS).name("bench").build();
  }

  /** A fixture with a runtime that it closes. */
  private abstract static class OnRuntime implements Fixture {
    final BlitzRuntime runtime = runtime();

    @Override
    public void tearDown() {
      runtime.close();
    }
  }

  Fixture spawnJoin() {
    return new OnRuntime() {
      @Override
      public long run() throws Exception {
        return runtime.run(() -> {
          List<JoinHandle<Integer>> tasks = new ArrayList<>(sizes.batch());
          long sum = 0;
          for (int b = 0; b < sizes.batches(); b++) {
            for (int i = 0; i < sizes.batch(); i++) {
              int n = i & 127;
              tasks.add(Task.spawn(() -> n));
            }
            for (var t : tasks) {
              sum += t.await();
            }
            tasks.clear();
          }
          return sum;
        });
      }
    };
  }

  Fixture lockPingPong() {
    return new OnRuntime() {
      @Override
      public long run() throws Exception {
        return runtime.run(() -> {
          var turns = new Turns.Locked();
          var other = Task.spawn(() -> turns.play(1, sizes.roundTrips()));
          long mine = turns.play(0, sizes.roundTrips());
          return mine + other.await();
        });
      }
    };
  }

  Fixture parkPingPong() {
    return new OnRuntime() {
      @Override
      public long run() throws Exception {
        return runtime.run(() -> {
          var turns = new Turns.Parked();
          var a = Task.spawn(() -> play(turns, 0));
          var b = Task.spawn(() -> play(turns, 1));
          turns.begin();
          return (long) a.await() + b.await();
        });
      }

      private int play(Turns.Parked turns, int side) {
        turns.join(side);
        return turns.play(side, sizes.roundTrips());
      }
    };
  }

  Fixture yields() {
    return new OnRuntime() {
      @Override
      public long run() throws Exception {
        return runtime.run(() -> {
          List<JoinHandle<Done>> tasks = new ArrayList<>();
          for (int i = 0; i < sizes.yielders(); i++) {
            tasks.add(Task.spawn(() -> PlainThreads.yieldTimes(sizes.yields())));
          }
          tasks.forEach(JoinHandle::await);
          return (long) sizes.yielders() * sizes.yields();
        });
      }
    };
  }
}
