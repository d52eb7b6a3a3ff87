package dev.blitz.benchmarks.channel;

import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.io.channel.Broadcast;
import dev.blitz.io.channel.BroadcastReceiver;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.channel.Oneshot;
import dev.blitz.io.channel.SendResult;
import dev.blitz.io.channel.Watch;
import java.util.ArrayList;
import java.util.List;

/** The subject, where nobody waits. */
final class BlitzOnOneThread {
  private final ChannelSizes sizes;

  BlitzOnOneThread(ChannelSizes sizes) {
    this.sizes = sizes;
  }

  private static long fill(Channel<Integer> channel, int count) {
    long sent = 0;
    for (int i = 0; i < count; i++) {
      sent += channel.trySend(i & ChannelSizes.SMALL) == SendResult.SENT ? 1 : 0;
    }
    return sent;
  }

  private static long drain(Channel<Integer> channel) {
    long received = 0;
    while (channel.tryReceive() != null) {
      received++;
    }
    return received;
  }

  Fixture send() {
    return () -> fill(Channel.bounded(sizes.count()), sizes.count());
  }

  Fixture sendReceive() {
    return () -> {
      Channel<Integer> channel = Channel.bounded(sizes.count());
      fill(channel, sizes.count());
      return drain(channel);
    };
  }

  Fixture sendReceiveUnbounded() {
    return () -> {
      Channel<Integer> channel = Channel.unbounded();
      fill(channel, sizes.count());
      return drain(channel);
    };
  }

  Fixture roundTrip() {
    Channel<Integer> channel = Channel.bounded(1);
    return () -> {
      long received = 0;
      for (int i = 0; i < sizes.count(); i++) {
        channel.trySend(i & ChannelSizes.SMALL);
        received += channel.tryReceive() == null ? 0 : 1;
      }
      return received;
    };
  }

  Fixture oneshot() {
    return () -> {
      long received = 0;
      for (int i = 0; i < sizes.count(); i++) {
        Oneshot<Integer> oneshot = Oneshot.create();
        oneshot.send(i & ChannelSizes.SMALL);
        received += oneshot.tryReceive() == null ? 0 : 1;
      }
      return received;
    };
  }

  Fixture broadcast() {
    Broadcast<Integer> broadcast = Broadcast.create(ChannelSizes.BROADCAST_CAPACITY);
    List<BroadcastReceiver<Integer>> receivers = new ArrayList<>();
    for (int i = 0; i < ChannelSizes.RECEIVERS; i++) {
      receivers.add(broadcast.subscribe());
    }
    return () -> {
      long received = 0;
      for (int sent = 0; sent < sizes.count(); sent += ChannelSizes.BROADCAST_CAPACITY) {
        for (int i = 0; i < ChannelSizes.BROADCAST_CAPACITY; i++) {
          broadcast.send(i & ChannelSizes.SMALL);
        }
        for (var receiver : receivers) {
          while (receiver.tryReceive() != null) {
            received++;
          }
        }
      }
      return received;
    };
  }

  Fixture watch() {
    Watch<Integer> watch = Watch.of(0);
    var receiver = watch.subscribe();
    return () -> {
      long seen = 0;
      for (int i = 0; i < sizes.count(); i++) {
        watch.send(i & ChannelSizes.SMALL);
        seen += receiver.borrowAndUpdate() == (i & ChannelSizes.SMALL) ? 1 : 0;
      }
      return seen;
    };
  }
}
