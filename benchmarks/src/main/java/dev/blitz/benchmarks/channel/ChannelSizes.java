package dev.blitz.benchmarks.channel;

/**
 * How much one run of each workload does.
 *
 * @param count messages of the rows on one thread; also the capacity of the first two
 * @param roundTrips of ping and pong
 * @param producers tasks that send in the contended rows, and tasks that receive
 * @param perProducer messages of each
 * @param capacity of the contended channel
 * @param stages of the chain
 * @param chained messages through the chain
 */
record ChannelSizes(
    int count,
    int roundTrips,
    int producers,
    int perProducer,
    int capacity,
    int stages,
    int chained) {

  /** Those that are measured; {@code peers/tokio} has the same. */
  static final ChannelSizes FULL = new ChannelSizes(100_000, 50_000, 4, 2_500, 1_000, 10, 10_000);

  /** Workers of every runtime. */
  static final int WORKERS = 4;

  /** Receivers of a broadcast, and its capacity: they drain whenever it is full. */
  static final int RECEIVERS = 4;

  static final int BROADCAST_CAPACITY = 1_000;

  /** Capacity of the channels of the chain. */
  static final int CHAIN_CAPACITY = 16;

  /** Messages are small numbers, which nobody has to box. */
  static final int SMALL = 127;

  /** So many producers, which send as much in all. */
  ChannelSizes producers(int count) {
    return new ChannelSizes(
        this.count, roundTrips, count, sent() / count, capacity, stages, chained);
  }

  int sent() {
    return producers * perProducer;
  }

  int hops() {
    return stages * chained;
  }
}
