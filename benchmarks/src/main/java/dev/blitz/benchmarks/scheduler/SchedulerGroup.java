package dev.blitz.benchmarks.scheduler;

import dev.blitz.benchmarks.harness.Contender;
import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.Workload;
import java.util.ArrayList;
import java.util.List;

/** Question: what do spawning, joining, yielding and waking cost? */
public final class SchedulerGroup {
  private static final double TOKIO = 1.0;
  private static final double VIRTUAL_THREADS = 2.0;
  private static final double OTHERS = 1.0;
  private static final double COLD_EXCESS_MILLIS = 100;

  private static final SchedulerSizes SIZES = SchedulerSizes.FULL;
  private static final BlitzTasks BLITZ = new BlitzTasks(SIZES);
  private static final VirtualThreads VIRTUAL = new VirtualThreads(SIZES);
  private static final KotlinCoroutines KOTLIN = new KotlinCoroutines(SIZES);
  private static final ForkJoin FORK_JOIN = new ForkJoin(SIZES);

  private SchedulerGroup() {}

  /**
   * The group.
   *
   * @return its definition
   */
  public static Group group() {
    int workers = SchedulerSizes.WORKERS;
    return Group.of(
            "scheduler",
            "What do spawning, joining, yielding and waking cost? Two workers everywhere.",
            spawnJoin(),
            spawnFromTask(),
            yields(),
            yieldAllocation(),
            pingPong(),
            chainedSpawn(),
            fanOut(),
            external(1, "external submit, one thread"),
            external(2, "external submit, two threads"),
            coldStart(),
            coldExcess())
        .jvm(
            "-Djdk.virtualThreadScheduler.parallelism=" + workers,
            "-Dkotlinx.coroutines.scheduler.core.pool.size=" + workers);
  }

  /**
   * The same with more tasks, and with more workers.
   *
   * @return points of curves
   */
  public static List<Workload> scaling() {
    List<Workload> points = new ArrayList<>();
    for (int count = 1_000; count <= 10_000_000; count *= 10) {
      var sizes = SIZES.spawning(count);
      var point =
          Workload.named("a task, spawned by another: %,d".formatted(count))
              .operations(count)
              .blitz(new BlitzTasks(sizes)::spawnFromTask);
      if (count <= 1_000_000) {
        point.peer(Contender.timed("virtual threads", new VirtualThreads(sizes)::spawnFromTask));
      }
      points.add(point.build());
    }
    for (int workers = 1; workers <= 8; workers *= 2) {
      points.add(
          Workload.named("a yield of one of 1,000 tasks, by workers: " + workers)
              .operations((long) SIZES.yielders() * SIZES.yields())
              .blitz(new BlitzTasks(SIZES, workers)::yields)
              .build());
    }
    return points;
  }

  private static Workload spawnJoin() {
    return row("spawn+join 1 M, batches of 1,000", "spawn-join", SIZES.batches() * SIZES.batch())
        .blitz(BLITZ::spawnJoin)
        .peer(virtual(VIRTUAL::spawnJoin), VIRTUAL_THREADS)
        .peer(kotlin(KOTLIN::spawnJoin), OTHERS)
        .peer(forkJoin(FORK_JOIN::spawnJoin), OTHERS)
        .build();
  }

  private static Workload spawnFromTask() {
    return row("spawn from a task 10 K", "spawn-from-task", SIZES.spawned())
        .blitz(BLITZ::spawnFromTask)
        .peer(virtual(VIRTUAL::spawnFromTask), VIRTUAL_THREADS)
        .peer(kotlin(KOTLIN::spawnFromTask), OTHERS)
        .build();
  }

  private static Workload yields() {
    return row("yield 1 K tasks x 1 K", "yield", SIZES.yielders() * SIZES.yields())
        .blitz(BLITZ::yields)
        .peer(virtual(VIRTUAL::yields), VIRTUAL_THREADS)
        .peer(kotlin(KOTLIN::yields), OTHERS)
        .build();
  }

  private static Workload yieldAllocation() {
    var few = SIZES.fewYielders();
    return row("yield 10 tasks x 100 K", "yield-few", few.yielders() * few.yields())
        .blitz(new BlitzTasks(few)::yields)
        .peer(virtual(new VirtualThreads(few)::yields), VIRTUAL_THREADS)
        .peer(kotlin(new KotlinCoroutines(few)::yields), OTHERS)
        .zeroBytes()
        .build();
  }

  /** The one-slot hand-off for all, then what each peer offers for the purpose. */
  private static Workload pingPong() {
    return row("ping-pong, round trip", "ping-pong", SIZES.roundTrips())
        .blitz(BLITZ::pingPong)
        .peer(virtual(VIRTUAL::pingPong), VIRTUAL_THREADS)
        .peer(kotlin(KOTLIN::pingPong), OTHERS)
        .peer(TokioPeer.named("Tokio Notify", "ping-pong-notify"))
        .peer(Contender.timed("SynchronousQueue", VIRTUAL::pingPongQueue))
        .peer(Contender.timed("Kotlin channel", KOTLIN::pingPongChannel))
        .zeroBytes()
        .build();
  }

  private static Workload chainedSpawn() {
    return row("chained spawn", "chained-spawn", SIZES.chain())
        .blitz(BLITZ::chainedSpawn)
        .peer(virtual(VIRTUAL::chainedSpawn), VIRTUAL_THREADS)
        .peer(kotlin(KOTLIN::chainedSpawn), OTHERS)
        .peer(forkJoin(FORK_JOIN::chainedSpawn), OTHERS)
        .build();
  }

  private static Workload fanOut() {
    return row("fan-out wake of 1,000", "fan-out", SIZES.sleepers() * SIZES.fanOuts())
        .blitz(BLITZ::fanOut)
        .peer(virtual(VIRTUAL::fanOut), VIRTUAL_THREADS)
        .peer(kotlin(KOTLIN::fanOut), OTHERS)
        .zeroBytes()
        .build();
  }

  private static Workload external(int threads, String name) {
    return row(name, "external-" + threads, SIZES.submitted())
        .blitz(() -> BLITZ.external(threads))
        .peer(virtual(() -> VIRTUAL.external(threads)), VIRTUAL_THREADS)
        .peer(kotlin(() -> KOTLIN.external(threads)), OTHERS)
        .peer(forkJoin(() -> FORK_JOIN.external(threads)), OTHERS)
        .build();
  }

  private static Workload coldStart() {
    return Workload.named("first task in a new JVM")
        .unit("ms")
        .subject(Contender.measured(Workload.BLITZ, ColdStart::directMillis))
        .peer(Contender.measured("virtual threads", ColdStart::threadMillis))
        .reportOnly()
        .build();
  }

  private static Workload coldExcess() {
    return Workload.named("first task in a new JVM, beyond 1.5x a virtual thread")
        .unit("ms")
        .subject(Contender.measured(Workload.BLITZ, ColdStart::excessMillis))
        .atMost(COLD_EXCESS_MILLIS)
        .build();
  }

  private static Workload.Builder row(String name, String tokioKey, int operations) {
    return Workload.named(name).operations(operations).peer(TokioPeer.of(tokioKey), TOKIO);
  }

  private static Contender virtual(Fixture.Factory factory) {
    return Contender.timed("virtual threads", factory);
  }

  private static Contender kotlin(Fixture.Factory factory) {
    return Contender.timed("Kotlin coroutines", factory);
  }

  private static Contender forkJoin(Fixture.Factory factory) {
    return Contender.timed("ForkJoinPool", factory);
  }
}
