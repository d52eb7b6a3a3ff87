package dev.blitz.benchmarks.channel;

import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The subject, where tasks wait for each other. */
final class BlitzChannelTasks {
  private final ChannelSizes sizes;

  BlitzChannelTasks(ChannelSizes sizes) {
    this.sizes = sizes;
  }

  /** Runs a body that spawns the others and sums up what they count. */
  private static Fixture on(Body body) {
    BlitzRuntime runtime =
        BlitzRuntime.builder().workers(ChannelSizes.WORKERS).name("bench").build();
    return new Fixture() {
      @Override
      public long run() throws Exception {
        return runtime.run(new SumOf(body));
      }

      @Override
      public void tearDown() {
        runtime.close();
      }
    };
  }

  private interface Body {
    List<JoinHandle<Long>> spawn();
  }

  Fixture manyToMany() {
    return on(() -> contended(sizes.producers()));
  }

  Fixture manyToOne() {
    return on(() -> contended(1));
  }

  private List<JoinHandle<Long>> contended(int consumers) {
    Channel<Integer> channel = Channel.bounded(sizes.capacity());
    List<JoinHandle<Long>> all = new ArrayList<>();
    for (int i = 0; i < consumers; i++) {
      all.add(Task.spawn(new Consumer(channel, sizes.sent() / consumers)));
    }
    for (int i = 0; i < sizes.producers(); i++) {
      Task.spawn(new Producer(channel, sizes.perProducer()));
    }
    return all;
  }

  Fixture chain() {
    return on(() -> {
      Channel<Integer> in = Channel.bounded(ChannelSizes.CHAIN_CAPACITY);
      Task.spawn(new Producer(in, sizes.chained()).closing());
      List<JoinHandle<Long>> all = new ArrayList<>();
      for (int i = 1; i < sizes.stages(); i++) {
        Channel<Integer> out = Channel.bounded(ChannelSizes.CHAIN_CAPACITY);
        Task.spawn(new Stage(in, out));
        in = out;
      }
      all.add(Task.spawn(new Consumer(in, sizes.chained())));
      return all;
    });
  }

  Fixture pingPong() {
    return on(() -> {
      Channel<Integer> ping = Channel.bounded(1);
      Channel<Integer> pong = Channel.bounded(1);
      Task.spawn(new Stage(ping, pong));
      return List.of(Task.spawn(new Pinger(ping, pong, sizes.roundTrips())));
    });
  }

  /** Sends a number of messages. */
  private static final class Producer implements Future<Done> {
    private final Channel<Integer> channel;
    private final int count;
    private boolean closing;
    private int sent;
    private @Nullable UncheckedFuture<Done> send;

    Producer(Channel<Integer> channel, int count) {
      this.channel = channel;
      this.count = count;
    }

    Producer closing() {
      closing = true;
      return this;
    }

    @Override
    public @Nullable Done poll(Context cx) {
      for (; ; ) {
        if (send == null) {
          if (sent == count) {
            if (closing) {
              channel.close();
            }
            return Done.DONE;
          }
          send = channel.send(sent & ChannelSizes.SMALL);
        }
        if (send.poll(cx) == null) {
          return null;
        }
        send = null;
        sent++;
      }
    }
  }

  /** Receives a number of messages. */
  private static final class Consumer implements Future<Long> {
    private final Channel<Integer> channel;
    private final long count;
    private long received;
    private @Nullable UncheckedFuture<Integer> receive;

    Consumer(Channel<Integer> channel, long count) {
      this.channel = channel;
      this.count = count;
    }

    @Override
    public @Nullable Long poll(Context cx) {
      while (received < count) {
        if (receive == null) {
          receive = channel.receive();
        }
        if (receive.poll(cx) == null) {
          return null;
        }
        receive = null;
        received++;
      }
      return received;
    }
  }

  /** Passes on everything until the end. */
  private static final class Stage implements Future<Done> {
    private final Channel<Integer> in;
    private final Channel<Integer> out;
    private @Nullable UncheckedFuture<Optional<Integer>> receive;
    private @Nullable UncheckedFuture<Done> send;

    Stage(Channel<Integer> in, Channel<Integer> out) {
      this.in = in;
      this.out = out;
    }

    @Override
    public @Nullable Done poll(Context cx) {
      for (; ; ) {
        if (send == null) {
          if (receive == null) {
            receive = in.next();
          }
          Optional<Integer> message = receive.poll(cx);
          if (message == null) {
            return null;
          }
          receive = null;
          if (message.isEmpty()) {
            out.close();
            return Done.DONE;
          }
          send = out.send(message.get());
        }
        if (send.poll(cx) == null) {
          return null;
        }
        send = null;
      }
    }
  }

  /** Sends, and waits for the answer. */
  private static final class Pinger implements Future<Long> {
    private final Channel<Integer> ping;
    private final Channel<Integer> pong;
    private final long roundTrips;
    private long done;
    private @Nullable UncheckedFuture<Integer> receive;

    Pinger(Channel<Integer> ping, Channel<Integer> pong, long roundTrips) {
      this.ping = ping;
      this.pong = pong;
      this.roundTrips = roundTrips;
    }

    @Override
    public @Nullable Long poll(Context cx) {
      while (done < roundTrips) {
        if (receive == null) {
          ping.trySend(1);
          receive = pong.receive();
        }
        if (receive.poll(cx) == null) {
          return null;
        }
        receive = null;
        done++;
      }
      ping.close();
      return done;
    }
  }

  /** Spawns, joins and sums. */
  private static final class SumOf implements Future<Long> {
    private final Body body;
    private @Nullable List<JoinHandle<Long>> handles;
    private int joined;
    private long sum;

    SumOf(Body body) {
      this.body = body;
    }

    @Override
    public @Nullable Long poll(Context cx) {
      if (handles == null) {
        handles = body.spawn();
      }
      while (joined < handles.size()) {
        Long value = handles.get(joined).poll(cx);
        if (value == null) {
          return null;
        }
        sum += value;
        joined++;
      }
      return sum;
    }
  }
}
