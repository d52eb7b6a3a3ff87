package dev.blitz.benchmarks.scheduler;

import dev.blitz.benchmarks.harness.Fixture;

/** Kotlin coroutines on Dispatchers.Default; the bodies suspend, so Kotlin has them. */
final class KotlinCoroutines {
  private final SchedulerSizes sizes;

  KotlinCoroutines(SchedulerSizes sizes) {
    this.sizes = sizes;
  }

  Fixture spawnJoin() {
    return () -> KotlinScheduler.spawnJoin(sizes.batches(), sizes.batch(), SchedulerSizes.SMALL);
  }

  Fixture spawnFromTask() {
    return () -> KotlinScheduler.spawnFromTask(sizes.spawned());
  }

  Fixture yields() {
    return () -> KotlinScheduler.yields(sizes.yielders(), sizes.yields());
  }

  Fixture pingPong() {
    return () -> KotlinScheduler.pingPong(sizes.roundTrips());
  }

  Fixture pingPongChannel() {
    return () -> KotlinScheduler.pingPongChannel(sizes.roundTrips());
  }

  Fixture chainedSpawn() {
    return () -> KotlinScheduler.chainedSpawn(sizes.chain());
  }

  Fixture fanOut() {
    var sleepers = new KotlinSleepers(sizes.sleepers());
    return new Fixture() {
      @Override
      public long run() {
        return sleepers.fanOut(sizes.fanOuts());
      }

      @Override
      public void tearDown() {
        sleepers.stop();
      }
    };
  }

  Fixture external(int threads) {
    return () ->
        Submitters.run(
            threads,
            sizes.submitted(),
            (count, last) -> KotlinScheduler.submit(count, last::arrive));
  }
}
