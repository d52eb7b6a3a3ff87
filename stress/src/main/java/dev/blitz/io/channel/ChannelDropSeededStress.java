package dev.blitz.io.channel;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.stress.Crew;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Threads that send and receive, and drop what they do at random points: accepted = received +
 * left, the messages of one sender arrive in order, nobody stays queued, nobody sleeps beside work.
 */
public final class ChannelDropSeededStress implements SeededStress {
  private static final int PER_SENDER = 1_000_000;

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, ChannelDropSeededStress::round);
  }

  private static Channel<Integer> channel(SplittableRandom random) {
    return switch (random.nextInt(7)) {
      case 0 -> new Channel<>(new BoundedRing<>(1));
      case 1 -> new Channel<>(new BoundedRing<>(2, (1L << 35) - 5));
      case 2 -> new Channel<>(new BoundedRing<>(3, (1L << 34) - 5));
      case 3 -> new Channel<>(new BoundedRing<>(5));
      case 4 -> new Channel<>(new BoundedRing<>(1_000));
      case 5 -> new Channel<>(new SegmentedBuffer<>(random.nextInt(1, 5), -7, 3));
      default -> new Channel<>(new SegmentedBuffer<>(random.nextInt(1, 5), -7));
    };
  }

  private static void round(SplittableRandom random) throws Exception {
    Channel<Integer> channel = channel(random);
    int senders = random.nextInt(1, 4);
    int receivers = random.nextInt(1, 4);
    int messages = random.nextInt(1, 400);
    boolean closeEarly = random.nextInt(4) == 0;
    var accepted = new AtomicInteger();
    var sending = new AtomicInteger(senders);
    var received = new ConcurrentLinkedQueue<List<Integer>>();
    var crew = new Crew(random);
    for (int s = 0; s < senders; s++) {
      int base = s * PER_SENDER;
      crew.start(own -> {
        for (int i = 0; i < messages; i++) {
          if (send(channel, base + i, own)) {
            accepted.incrementAndGet();
          }
        }
        if (sending.decrementAndGet() == 0 || (closeEarly && own.nextInt(2) == 0)) {
          channel.close();
        }
      });
    }
    for (int r = 0; r < receivers; r++) {
      crew.start(own -> received.add(receiveAll(channel, own)));
    }
    crew.join();
    received.add(channel.tryReceiveMany(Integer.MAX_VALUE));
    check(channel, received, accepted.get());
  }

  /** Sends in one of the ways there are; false if it was given up or refused. */
  private static boolean send(Channel<Integer> channel, int value, SplittableRandom random)
      throws Exception {
    return switch (random.nextInt(8)) {
      case 0 -> channel.trySend(value) == SendResult.SENT;
      case 1 -> sendReserved(channel, value, random);
      default -> new Drive<>(channel.send(value)).run(random) != null;
    };
  }

  private static boolean sendReserved(Channel<Integer> channel, int value, SplittableRandom random)
      throws Exception {
    var permit = new Drive<>(channel.reserve()).run(random);
    if (permit == null) {
      return false;
    }
    if (random.nextInt(3) == 0) {
      permit.close();
      return false;
    }
    permit.send(value);
    return true;
  }

  private static List<Integer> receiveAll(Channel<Integer> channel, SplittableRandom random)
      throws Exception {
    List<Integer> own = new ArrayList<>();
    while (!channel.isDrained()) {
      switch (random.nextInt(6)) {
        case 0 -> own.addAll(channel.tryReceiveMany(1));
        case 1 -> {
          List<Integer> many = new Drive<>(channel.receiveMany(3)).run(random);
          own.addAll(many == null ? List.of() : many);
        }
        default -> {
          Integer message = new Drive<>(channel.receive()).run(random);
          if (message != null) {
            own.add(message);
          }
        }
      }
    }
    return own;
  }

  private static void check(
      Channel<Integer> channel, Iterable<List<Integer>> received, int accepted) {
    int count = 0;
    for (List<Integer> own : received) {
      var last = new int[] {-1, -1, -1};
      for (int message : own) {
        int sender = message / PER_SENDER;
        if (message % PER_SENDER <= last[sender]) {
          throw new AssertionError("out of order: " + message + " after " + last[sender]);
        }
        last[sender] = message % PER_SENDER;
      }
      count += own.size();
    }
    if (count != accepted) {
      throw new AssertionError("accepted " + accepted + ", received and left " + count);
    }
    if (channel.senders.length() + channel.receivers.length() != 0) {
      throw new AssertionError("somebody is still queued at " + channel);
    }
  }

  /** Polls a future when it is woken, or for no reason, and drops it now and then. */
  private static final class Drive<T> implements Waker {
    private final UncheckedFuture<T> future;
    private final AtomicBoolean woken = new AtomicBoolean();

    Drive(UncheckedFuture<T> future) {
      this.future = future;
    }

    @Nullable T run(SplittableRandom random) throws Exception {
      try {
        for (; ; ) {
          int whim = random.nextInt(16);
          if (whim == 0) {
            future.drop();
            return null;
          }
          Waker another = () -> wake();
          T value = future.poll(Context.of(whim < 4 ? another : this));
          if (value != null) {
            return value;
          }
          if (whim > 5) {
            Patience.until(this::called, future::toString);
          }
        }
      } catch (ChannelClosedException e) {
        return null;
      }
    }

    private boolean called() {
      return woken.getAndSet(false);
    }

    @Override
    public void wake() {
      woken.set(true);
    }
  }
}
