package dev.blitz.benchmarks.channel;

import dev.blitz.benchmarks.harness.Fixture;

/** Kotlin coroutines; the bodies suspend, so Kotlin has them. */
final class KotlinChannelPeer {
  private final ChannelSizes sizes;

  KotlinChannelPeer(ChannelSizes sizes) {
    this.sizes = sizes;
  }

  Fixture send() {
    return () -> KotlinChannels.send(sizes.count());
  }

  Fixture sendReceive() {
    return () -> KotlinChannels.sendReceive(sizes.count());
  }

  Fixture sendReceiveUnbounded() {
    return () -> KotlinChannels.sendReceiveUnbounded(sizes.count());
  }

  Fixture roundTrip() {
    return () -> KotlinChannels.roundTrip(sizes.count());
  }

  Fixture oneshot() {
    return () -> KotlinChannels.oneshot(sizes.count());
  }

  Fixture watch() {
    var watch = new KotlinWatch(); // a local one of the run would have its lock compiled away
    return () -> watch.run(sizes.count());
  }

  Fixture manyToMany() {
    return () ->
        KotlinChannels.contended(
            sizes.capacity(), sizes.producers(), sizes.perProducer(), sizes.producers());
  }

  Fixture manyToOne() {
    return () ->
        KotlinChannels.contended(sizes.capacity(), sizes.producers(), sizes.perProducer(), 1);
  }

  Fixture chain() {
    return () -> KotlinChannels.chain(ChannelSizes.CHAIN_CAPACITY, sizes.stages(), sizes.chained());
  }

  Fixture pingPong() {
    return () -> KotlinChannels.pingPong(sizes.roundTrips());
  }
}
