package dev.blitz.benchmarks.channel;

import dev.blitz.benchmarks.harness.Fixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The JDK's queues; virtual threads where somebody waits. */
final class JdkQueues {
  private final ChannelSizes sizes;

  JdkQueues(ChannelSizes sizes) {
    this.sizes = sizes;
  }

  private static long fill(Queue<Integer> queue, int count) {
    long sent = 0;
    for (int i = 0; i < count; i++) {
      sent += queue.offer(i & ChannelSizes.SMALL) ? 1 : 0;
    }
    return sent;
  }

  private static long drain(Queue<Integer> queue) {
    long received = 0;
    while (queue.poll() != null) {
      received++;
    }
    return received;
  }

  Fixture send() {
    return () -> fill(new ArrayBlockingQueue<>(sizes.count()), sizes.count());
  }

  Fixture sendReceive() {
    return () -> {
      var queue = new ArrayBlockingQueue<Integer>(sizes.count());
      fill(queue, sizes.count());
      return drain(queue);
    };
  }

  Fixture sendReceiveUnbounded() {
    return () -> {
      var queue = new ConcurrentLinkedQueue<Integer>();
      fill(queue, sizes.count());
      return drain(queue);
    };
  }

  Fixture roundTrip() {
    var queue = new ArrayBlockingQueue<Integer>(1);
    return () -> {
      long received = 0;
      for (int i = 0; i < sizes.count(); i++) {
        queue.offer(i & ChannelSizes.SMALL);
        received += queue.poll() == null ? 0 : 1;
      }
      return received;
    };
  }

  Fixture oneshot() {
    return () -> {
      long received = 0;
      for (int i = 0; i < sizes.count(); i++) {
        var future = new CompletableFuture<Integer>();
        future.complete(i & ChannelSizes.SMALL);
        received += future.join() == null ? 0 : 1;
      }
      return received;
    };
  }

  Fixture broadcast() {
    List<Queue<Integer>> queues = new ArrayList<>();
    for (int i = 0; i < ChannelSizes.RECEIVERS; i++) {
      queues.add(new ArrayBlockingQueue<>(ChannelSizes.BROADCAST_CAPACITY));
    }
    return () -> {
      long received = 0;
      for (int sent = 0; sent < sizes.count(); sent += ChannelSizes.BROADCAST_CAPACITY) {
        for (int i = 0; i < ChannelSizes.BROADCAST_CAPACITY; i++) {
          for (var queue : queues) {
            queue.offer(i & ChannelSizes.SMALL);
          }
        }
        for (var queue : queues) {
          received += drain(queue);
        }
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
    var queue = new ArrayBlockingQueue<Integer>(sizes.capacity());
    var threads = new VirtualCrew();
    for (int c = 0; c < consumers; c++) {
      threads.start(() -> {
        for (int i = sizes.sent() / consumers; i > 0; i--) {
          queue.take();
        }
      });
    }
    for (int p = 0; p < sizes.producers(); p++) {
      threads.start(() -> {
        for (int i = 0; i < sizes.perProducer(); i++) {
          queue.put(i & ChannelSizes.SMALL);
        }
      });
    }
    threads.join();
    return sizes.sent();
  }

  Fixture chain() {
    return () -> {
      var threads = new VirtualCrew();
      var first = new ArrayBlockingQueue<Integer>(ChannelSizes.CHAIN_CAPACITY);
      threads.start(() -> {
        for (int i = 0; i < sizes.chained(); i++) {
          first.put(i & ChannelSizes.SMALL);
        }
      });
      var in = first;
      for (int s = 1; s < sizes.stages(); s++) {
        var from = in;
        var to = new ArrayBlockingQueue<Integer>(ChannelSizes.CHAIN_CAPACITY);
        threads.start(() -> {
          for (int i = 0; i < sizes.chained(); i++) {
            to.put(from.take());
          }
        });
        in = to;
      }
      var last = in;
      threads.start(() -> {
        for (int i = 0; i < sizes.chained(); i++) {
          last.take();
        }
      });
      threads.join();
      return sizes.chained();
    };
  }

  Fixture pingPong() {
    return () -> {
      var ping = new ArrayBlockingQueue<Integer>(1);
      var pong = new ArrayBlockingQueue<Integer>(1);
      var threads = new VirtualCrew();
      threads.start(() -> {
        for (int i = 0; i < sizes.roundTrips(); i++) {
          pong.put(ping.take());
        }
      });
      threads.start(() -> {
        for (int i = 0; i < sizes.roundTrips(); i++) {
          ping.put(1);
          pong.take();
        }
      });
      threads.join();
      return sizes.roundTrips();
    };
  }
}
