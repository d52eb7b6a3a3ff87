package dev.blitz.benchmarks.channel;

import dev.blitz.benchmarks.harness.Contender;
import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.Workload;
import dev.blitz.benchmarks.scheduler.TokioPeer;
import java.util.ArrayList;
import java.util.List;

/** Question: what does a message cost, alone and under contention? */
public final class ChannelGroup {
  private static final double TARGET = 1.0;

  private static final ChannelSizes SIZES = ChannelSizes.FULL;
  private static final BlitzOnOneThread ALONE = new BlitzOnOneThread(SIZES);
  private static final BlitzChannelTasks TASKS = new BlitzChannelTasks(SIZES);
  private static final KotlinChannelPeer KOTLIN = new KotlinChannelPeer(SIZES);
  private static final JoxChannels JOX = new JoxChannels(SIZES);
  private static final JdkQueues JDK = new JdkQueues(SIZES);

  private ChannelGroup() {}

  /**
   * The group.
   *
   * @return its definition
   */
  public static Group group() {
    int workers = ChannelSizes.WORKERS;
    return Group.of(
            "channel",
            "What does a message cost, alone and under contention? Four workers everywhere.",
            send(),
            sendReceive(),
            unbounded(),
            roundTrip(),
            oneshot(),
            broadcast(),
            watch(),
            manyToMany(),
            manyToOne(),
            chain(),
            pingPong())
        .jvm(
            "-Djdk.virtualThreadScheduler.parallelism=" + workers,
            "-Dkotlinx.coroutines.scheduler.core.pool.size=" + workers);
  }

  private static Workload send() {
    return row("send 100 K, with the channel", "channel-send", SIZES.count())
        .blitz(ALONE::send)
        .peer(kotlin(KOTLIN::send), TARGET)
        .peer(jox(JOX::send), TARGET)
        .peer(queue(JDK::send), TARGET)
        .build();
  }

  private static Workload sendReceive() {
    return row("send and receive 100 K", "channel-send-receive", SIZES.count())
        .blitz(ALONE::sendReceive)
        .peer(kotlin(KOTLIN::sendReceive), TARGET)
        .peer(jox(JOX::sendReceive), TARGET)
        .peer(queue(JDK::sendReceive), TARGET)
        .build();
  }

  private static Workload unbounded() {
    return row("send and receive 100 K, unbounded", "channel-unbounded", SIZES.count())
        .blitz(ALONE::sendReceiveUnbounded)
        .peer(kotlin(KOTLIN::sendReceiveUnbounded), TARGET)
        .peer(jox(JOX::sendReceiveUnbounded), TARGET)
        .peer(Contender.timed("ConcurrentLinkedQueue", JDK::sendReceiveUnbounded), TARGET)
        .build();
  }

  private static Workload roundTrip() {
    return row("round trip, capacity 1", "channel-round-trip", SIZES.count())
        .blitz(ALONE::roundTrip)
        .peer(kotlin(KOTLIN::roundTrip), TARGET)
        .peer(jox(JOX::roundTrip), TARGET)
        .peer(queue(JDK::roundTrip), TARGET)
        .zeroBytes()
        .build();
  }

  private static Workload oneshot() {
    return row("oneshot: create, send, receive", "channel-oneshot", SIZES.count())
        .blitz(ALONE::oneshot)
        .peer(Contender.timed("Kotlin CompletableDeferred", KOTLIN::oneshot), TARGET)
        .peer(Contender.timed("CompletableFuture", JDK::oneshot), TARGET)
        .build();
  }

  private static Workload broadcast() {
    return row("broadcast to 4, per send", "channel-broadcast", SIZES.count())
        .blitz(ALONE::broadcast)
        .peer(Contender.timed("four ArrayBlockingQueues", JDK::broadcast), TARGET)
        .zeroBytes()
        .build();
  }

  private static Workload watch() {
    return row("watch: send and borrow", "channel-watch", SIZES.count())
        .blitz(ALONE::watch)
        .peer(Contender.timed("Kotlin StateFlow", KOTLIN::watch), TARGET)
        .build();
  }

  private static Workload manyToMany() {
    return row("4 producers, 4 consumers", "channel-mpmc", SIZES.sent())
        .blitz(TASKS::manyToMany)
        .peer(kotlin(KOTLIN::manyToMany), TARGET)
        .peer(jox(JOX::manyToMany), TARGET)
        .peer(queue(JDK::manyToMany), TARGET)
        .build();
  }

  private static Workload manyToOne() {
    return row("4 producers, 1 consumer", "channel-mpsc", SIZES.sent())
        .blitz(TASKS::manyToOne)
        .peer(kotlin(KOTLIN::manyToOne), TARGET)
        .peer(jox(JOX::manyToOne), TARGET)
        .peer(queue(JDK::manyToOne), TARGET)
        .build();
  }

  private static Workload chain() {
    return row("chain of 10, buffers of 16, per hop", "channel-chain", SIZES.hops())
        .blitz(TASKS::chain)
        .peer(kotlin(KOTLIN::chain), TARGET)
        .peer(jox(JOX::chain), TARGET)
        .peer(queue(JDK::chain), TARGET)
        .build();
  }

  private static Workload pingPong() {
    return row("ping-pong, capacity 1, round trip", "channel-ping-pong", SIZES.roundTrips())
        .blitz(TASKS::pingPong)
        .peer(kotlin(KOTLIN::pingPong), TARGET)
        .peer(jox(JOX::pingPong), TARGET)
        .peer(queue(JDK::pingPong), TARGET)
        .build();
  }

  /**
   * The same with more producers.
   *
   * @return points of a curve
   */
  public static List<Workload> scaling() {
    List<Workload> points = new ArrayList<>();
    for (int producers = 1; producers <= 64; producers *= 2) {
      var sizes = SIZES.producers(producers);
      points.add(
          Workload.named("a message to one consumer, by producers: " + producers)
              .operations(sizes.sent())
              .blitz(new BlitzChannelTasks(sizes)::manyToOne)
              .peer(kotlin(new KotlinChannelPeer(sizes)::manyToOne))
              .peer(queue(new JdkQueues(sizes)::manyToOne))
              .build());
    }
    return points;
  }

  private static Workload.Builder row(String name, String tokioKey, int operations) {
    return Workload.named(name).operations(operations).peer(TokioPeer.of(tokioKey), TARGET);
  }

  private static Contender kotlin(Fixture.Factory factory) {
    return Contender.timed("Kotlin coroutines", factory);
  }

  private static Contender jox(Fixture.Factory factory) {
    return Contender.timed("Jox", factory);
  }

  private static Contender queue(Fixture.Factory factory) {
    return Contender.timed("ArrayBlockingQueue", factory);
  }
}
