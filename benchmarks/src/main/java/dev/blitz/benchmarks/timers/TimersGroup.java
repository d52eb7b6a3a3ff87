package dev.blitz.benchmarks.timers;

import dev.blitz.benchmarks.harness.Contender;
import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.Measurement;
import dev.blitz.benchmarks.harness.Workload;
import java.util.ArrayList;
import java.util.List;

/** Question: what do timers cost, and how late are they? */
public final class TimersGroup {
  private static final double NETTY_CANCEL_HEAVY = 2.0;
  private static final double MOST_LATE_MICROS = 2_000;
  private static final double MOST_BYTES = 128;

  private static final TimerSizes SIZES = TimerSizes.FULL;
  private static final BlitzTimers BLITZ = new BlitzTimers(SIZES);
  private static final NettyTimers NETTY = new NettyTimers(SIZES);
  private static final PoolTimers POOL = new PoolTimers(SIZES);
  private static final GuardedTasks GUARDED = new GuardedTasks(SIZES);
  private static final OutstandingTimeouts OUTSTANDING = new OutstandingTimeouts(SIZES);
  private static final VirtualClock VIRTUAL = new VirtualClock(SIZES);

  private TimersGroup() {}

  /**
   * The group.
   *
   * @return its definition
   */
  public static Group group() {
    return Group.of(
            "timers",
            "What do timers cost, and how late are they? Netty has ticks of a millisecond; one thread"
                + " fires, two workers where there are tasks.",
            outstanding(),
            guardedTasks(),
            cancelHeavy(),
            cancelAll(),
            expireCpu(),
            expireVirtual(),
            lateness("p50", 50).reportOnly().build(),
            lateness("p99", 99).atMost(MOST_LATE_MICROS).build(),
            lateness("max", 100).reportOnly().build(),
            besideStuckPoll(),
            bytesPending())
        .jvm("-Xms2g", "-Xmx2g", "-Djdk.virtualThreadScheduler.parallelism=2");
  }

  /**
   * The same with more timers.
   *
   * @return points of a curve
   */
  public static List<Workload> scaling() {
    List<Workload> points = new ArrayList<>();
    for (int count = 1_000; count <= 10_000_000; count *= 10) {
      var sizes = SIZES.pending(count);
      points.add(
          Workload.named("a timer, set and cancelled: %,d".formatted(count))
              .operations(count)
              .blitz(new BlitzTimers(sizes)::cancelAll)
              .peer(netty(new NettyTimers(sizes)::cancelAll))
              .build());
    }
    return points;
  }

  private static Workload outstanding() {
    return Workload.named("schedule+cancel in a task, 1,000 outstanding")
        .operations(SIZES.cancelled())
        .blitz(OUTSTANDING::blitz)
        .peer(netty(OUTSTANDING::netty), NETTY_CANCEL_HEAVY)
        .peer(pool(OUTSTANDING::pool))
        .build();
  }

  private static Workload cancelHeavy() {
    return Workload.named("schedule+cancel from outside, 1,000 outstanding")
        .operations(SIZES.cancelled())
        .blitz(BLITZ::cancelHeavy)
        .peer(netty(NETTY::cancelHeavy), NETTY_CANCEL_HEAVY)
        .peer(pool(POOL::cancelHeavy))
        .build();
  }

  private static Workload guardedTasks() {
    return Workload.named("time-out around a yield, 1 K tasks x 100")
        .operations((long) SIZES.tasks() * SIZES.guards())
        .blitz(GUARDED::blitz)
        .peer(netty(GUARDED::netty), NETTY_CANCEL_HEAVY)
        .peer(pool(GUARDED::pool))
        .build();
  }

  private static Workload cancelAll() {
    return Workload.named("insert 1 M random 1 ms..1 h, cancel all")
        .operations(SIZES.pending())
        .blitz(BLITZ::cancelAll)
        .peer(netty(NETTY::cancelAll))
        .peer(pool(POOL::cancelAll))
        .build();
  }

  /** On a real clock the time is that of the timers, so what is compared is the CPU time. */
  private static Workload expireCpu() {
    return Workload.named("insert and expire 1 M random 1 ms..1 s")
        .unit("CPU ns/timer")
        .subject(Contender.measured(Workload.BLITZ, BLITZ::expireCpu))
        .peer(netty(NETTY::expireCpu))
        .peer(pool(POOL::expireCpu))
        .build();
  }

  private static Workload expireVirtual() {
    return Workload.named("insert and expire 1 M random 1 ms..1 h, virtual clock")
        .operations(SIZES.pending())
        .blitz(VIRTUAL::wheel)
        .peer(Contender.timed("PriorityQueue", VIRTUAL::heap))
        .reportOnly()
        .build();
  }

  private static Workload.Builder lateness(String name, double percentile) {
    return Workload.named("lateness of 10 K sleeps 1..200 ms, " + name)
        .unit("us")
        .subject(Contender.measured(Workload.BLITZ, late(percentile, Sleeps::tasks)))
        .peer(Contender.measured("virtual threads", late(percentile, Sleeps::virtualThreads)))
        .peer(netty(late(percentile, NettyTimers::lateness)))
        .peer(pool(late(percentile, PoolTimers::lateness)));
  }

  private static Workload besideStuckPoll() {
    return Workload.named("lateness of a 1 ms sleep beside a poll of 500 ms")
        .unit("us")
        .subject(Contender.measured(Workload.BLITZ, Sleeps::besideStuckPoll))
        .atMost(MOST_LATE_MICROS)
        .build();
  }

  private static Workload bytesPending() {
    return Workload.named("1 M sleeping tasks")
        .unit("bytes/task")
        .subject(Contender.measured(Workload.BLITZ, () -> Sleeps.bytesPending(SIZES.pending())))
        .atMost(MOST_BYTES)
        .build();
  }

  private static Measurement late(double percentile, SleepLateness.Sleeper sleeper) {
    return () -> SleepLateness.micros(SIZES, percentile, sleeper);
  }

  private static Contender netty(Fixture.Factory factory) {
    return Contender.timed("Netty HashedWheelTimer", factory);
  }

  private static Contender netty(Measurement measurement) {
    return Contender.measured("Netty HashedWheelTimer", measurement);
  }

  private static Contender pool(Fixture.Factory factory) {
    return Contender.timed("ScheduledThreadPool", factory);
  }

  private static Contender pool(Measurement measurement) {
    return Contender.measured("ScheduledThreadPool", measurement);
  }
}
