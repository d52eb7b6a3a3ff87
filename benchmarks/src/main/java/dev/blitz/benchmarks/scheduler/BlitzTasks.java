package dev.blitz.benchmarks.scheduler;

import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;

/** The subject: each workload as a user of stackless tasks would write it. */
final class BlitzTasks {
  private final SchedulerSizes sizes;
  private final int workers;

  BlitzTasks(SchedulerSizes sizes) {
    this(sizes, SchedulerSizes.WORKERS);
  }

  BlitzTasks(SchedulerSizes sizes, int workers) {
    this.sizes = sizes;
    this.workers = workers;
  }

  static BlitzRuntime runtime() {
    return runtime(SchedulerSizes.WORKERS);
  }

  private static BlitzRuntime runtime(int workers) {
    return BlitzRuntime.builder().workers(workers).name("bench").build();
  }

  /** A fixture with a runtime that it closes. */
  private abstract class OnRuntime implements Fixture {
    final BlitzRuntime runtime = runtime(workers);

    @Override
    public void tearDown() {
      runtime.close();
    }
  }

  Fixture spawnJoin() {
    return new OnRuntime() {
      @Override
      public long run() throws Exception {
        return runtime.run(new BlitzSpawns.SpawnJoin(sizes.batches(), sizes.batch()));
      }
    };
  }

  Fixture spawnFromTask() {
    return new OnRuntime() {
      @Override
      public long run() throws Exception {
        return runtime.run(new BlitzSpawns.SpawnMany(sizes.spawned()));
      }
    };
  }

  Fixture yields() {
    return new OnRuntime() {
      @Override
      public long run() throws Exception {
        return runtime.run(new BlitzWakes.Yielders(sizes.yielders(), sizes.yields()));
      }
    };
  }

  Fixture pingPong() {
    return new OnRuntime() {
      @Override
      public long run() throws Exception {
        return runtime.run(new BlitzWakes.Ping(sizes.roundTrips()));
      }
    };
  }

  Fixture chainedSpawn() {
    return new OnRuntime() {
      @Override
      public long run() throws Exception {
        return runtime.run(new BlitzSpawns.Chain(sizes.chain()));
      }
    };
  }

  Fixture fanOut() {
    return new OnRuntime() {
      private final BlitzCountdown countdown = new BlitzCountdown();
      private final BlitzSlot[] slots = new BlitzSlot[sizes.sleepers()];

      {
        for (int i = 0; i < slots.length; i++) {
          slots[i] = new BlitzSlot();
          runtime.spawn(new BlitzWakes.Sleeper(slots[i], countdown));
        }
      }

      @Override
      public long run() throws Exception {
        return runtime.run(new BlitzWakes.FanOut(slots, countdown, sizes.fanOuts()));
      }
    };
  }

  Fixture external(int threads) {
    return new OnRuntime() {
      @Override
      public long run() throws Exception {
        return Submitters.run(threads, sizes.submitted(), this::submit);
      }

      private void submit(int count, ThreadCountdown last) {
        for (int i = 0; i < count; i++) {
          Future<Done> body =
              cx -> {
                last.arrive();
                return Done.DONE;
              };
          runtime.spawn(body);
        }
      }
    };
  }
}
