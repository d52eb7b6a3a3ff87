package dev.blitz.benchmarks.direct;

import dev.blitz.benchmarks.harness.Contender;
import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.Workload;

/** Question: what do our carriers cost or save against the JDK's scheduler? */
public final class DirectGroup {
  private static final String VIRTUAL_THREADS = "virtual threads";
  private static final double SWITCHES = 1.2;
  private static final double REST = 1.0;

  private static final DirectSizes SIZES = DirectSizes.FULL;
  private static final DirectTasks DIRECT = new DirectTasks(SIZES);
  private static final PlainThreads PLAIN = new PlainThreads(SIZES);

  private DirectGroup() {}

  /**
   * The group.
   *
   * @return its definition
   */
  public static Group group() {
    return Group.of(
            "direct",
            "What do lambdas cost as direct tasks, carried by our workers, against the JDK's virtual"
                + " threads? Two workers, two carriers.",
            Workload.named("spawn+join, batches of 1,000")
                .operations(SIZES.spawned())
                .blitz(DIRECT::spawnJoin)
                .peer(Contender.timed(VIRTUAL_THREADS, PLAIN::spawnJoin), REST)
                .build(),
            Workload.named("ping-pong through a lock, round trip")
                .operations(SIZES.roundTrips())
                .blitz(DIRECT::lockPingPong)
                .peer(Contender.timed(VIRTUAL_THREADS, PLAIN::lockPingPong), SWITCHES)
                .build(),
            Workload.named("ping-pong by park and unpark, round trip")
                .operations(SIZES.roundTrips())
                .blitz(DIRECT::parkPingPong)
                .peer(Contender.timed(VIRTUAL_THREADS, PLAIN::parkPingPong), SWITCHES)
                .build(),
            Workload.named("yield, 1 K threads x 200")
                .operations(SIZES.yielders() * SIZES.yields())
                .blitz(DIRECT::yields)
                .peer(Contender.timed(VIRTUAL_THREADS, PLAIN::yields), SWITCHES)
                .build(),
            Workload.named("1 M parked")
                .unit("bytes/task")
                .subject(Contender.measured(Workload.BLITZ, ParkedMillion::direct))
                .peer(Contender.measured(VIRTUAL_THREADS, ParkedMillion::plain), REST)
                .build())
        .jvm("-Djdk.virtualThreadScheduler.parallelism=" + DirectSizes.WORKERS, "-Xms4g", "-Xmx4g");
  }
}
