package dev.blitz.benchmarks.channel;

import com.softwaremill.jox.Channel;
import dev.blitz.benchmarks.harness.Fixture;

/** Jox: channels for virtual threads. It has no operations that do not wait. */
final class JoxChannels {
  private final ChannelSizes sizes;

  JoxChannels(ChannelSizes sizes) {
    this.sizes = sizes;
  }

  private static void fill(Channel<Integer> channel, int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      channel.send(i & ChannelSizes.SMALL);
    }
  }

  Fixture send() {
    return () -> {
      fill(Channel.newBufferedChannel(sizes.count()), sizes.count());
      return sizes.count();
    };
  }

  Fixture sendReceive() {
    return () -> sendReceive(Channel.newBufferedChannel(sizes.count()));
  }

  Fixture sendReceiveUnbounded() {
    return () -> sendReceive(Channel.newUnlimitedChannel());
  }

  private long sendReceive(Channel<Integer> channel) throws InterruptedException {
    fill(channel, sizes.count());
    long received = 0;
    for (int i = 0; i < sizes.count(); i++) {
      received += channel.receive() == null ? 0 : 1;
    }
    return received;
  }

  Fixture roundTrip() {
    Channel<Integer> channel = Channel.newBufferedChannel(1);
    return () -> {
      long received = 0;
      for (int i = 0; i < sizes.count(); i++) {
        channel.send(i & ChannelSizes.SMALL);
        received += channel.receive() == null ? 0 : 1;
      }
      return received;
    };
  }

  Fixture manyToMany() {
    return () -> contended(sizes.producers());
  }

  Fixture manyToOne() {
    return () -> contended(1);
  }

  private long contended(int consumers) throws Exception {
    Channel<Integer> channel = Channel.newBufferedChannel(sizes.capacity());
    var threads = new VirtualCrew();
    for (int c = 0; c < consumers; c++) {
      threads.start(() -> {
        for (int i = sizes.sent() / consumers; i > 0; i--) {
          channel.receive();
        }
      });
    }
    for (int p = 0; p < sizes.producers(); p++) {
      threads.start(() -> fill(channel, sizes.perProducer()));
    }
    threads.join();
    return sizes.sent();
  }

  Fixture chain() {
    return () -> {
      var threads = new VirtualCrew();
      Channel<Integer> first = Channel.newBufferedChannel(ChannelSizes.CHAIN_CAPACITY);
      threads.start(() -> fill(first, sizes.chained()));
      var in = first;
      for (int s = 1; s < sizes.stages(); s++) {
        var from = in;
        Channel<Integer> to = Channel.newBufferedChannel(ChannelSizes.CHAIN_CAPACITY);
        threads.start(() -> {
          for (int i = 0; i < sizes.chained(); i++) {
            to.send(from.receive());
          }
        });
        in = to;
      }
      var last = in;
      threads.start(() -> {
        for (int i = 0; i < sizes.chained(); i++) {
          last.receive();
        }
      });
      threads.join();
      return sizes.chained();
    };
  }

  Fixture pingPong() {
    return () -> {
      Channel<Integer> ping = Channel.newBufferedChannel(1);
      Channel<Integer> pong = Channel.newBufferedChannel(1);
      var threads = new VirtualCrew();
      threads.start(() -> {
        for (int i = 0; i < sizes.roundTrips(); i++) {
          pong.send(ping.receive());
        }
      });
      threads.start(() -> {
        for (int i = 0; i < sizes.roundTrips(); i++) {
          ping.send(1);
          pong.receive();
        }
      });
      threads.join();
      return sizes.roundTrips();
    };
  }
}
