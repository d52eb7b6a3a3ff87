package dev.blitz.io.channel;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.FairOrder;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Select;
import dev.blitz.io.future.Select.First;
import dev.blitz.io.future.Select.Second;
import dev.blitz.io.future.Select.Third;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Selects in loops that compete for the messages of two channels: each message is seen once. */
public final class SelectSeededStress implements SeededStress {
  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, SelectSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    Channel<Integer> left = Channel.bounded(random.nextInt(1, 4));
    Channel<Integer> right = Channel.bounded(random.nextInt(1, 4));
    int messages = random.nextInt(1, 2_000);
    var sum = new AtomicLong();
    try (var rt = BlitzRuntime.builder().workers(random.nextInt(1, 5)).build()) {
      List<JoinHandle<Done>> tasks = new ArrayList<>();
      tasks.add(rt.spawn(sending(left, messages)));
      tasks.add(rt.spawn(sending(right, messages)));
      for (int r = random.nextInt(1, 6); r > 0; r--) {
        tasks.add(rt.spawn(selecting(left, right, sum, random.nextLong())));
      }
      for (JoinHandle<Done> task : tasks) {
        Patience.until(task::isDone, () -> rt.dump().toString());
        task.await();
      }
    }
    long expected = (long) messages * (messages + 1);
    if (sum.get() != expected) {
      throw new AssertionError("the messages add up to " + sum.get() + ", not " + expected);
    }
    for (var channel : List.of(left, right)) {
      if (channel.senders.length() + channel.receivers.length() != 0) {
        throw new AssertionError("somebody is still queued at " + channel);
      }
    }
  }

  private static Future<Done> sending(Channel<Integer> channel, int messages) {
    var next = new AtomicInteger();
    return Futures.loop(() ->
            channel
                .send(next.incrementAndGet())
                .map(done -> next.get() < messages ? Futures.Step.MORE : Futures.Step.STOP))
        .whenDone(channel::close);
  }

  /** Until both channels have ended; a time-out now and then drops selects that wait. */
  private static Future<Done> selecting(
      Channel<Integer> left, Channel<Integer> right, AtomicLong sum, long seed) {
    var fair = FairOrder.seeded(seed);
    return Futures.loop(() ->
        fair.of(Select.first(left.next(), right.next(), Task.sleep(Duration.ofMillis(1))))
            .map(result -> {
              switch (result) {
                case First(var message) -> message.ifPresent(sum::addAndGet);
                case Second(var message) -> message.ifPresent(sum::addAndGet);
                case Third(var done) -> {}
              }
              return left.isDrained() && right.isDrained() ? Futures.Step.STOP : Futures.Step.MORE;
            }));
  }
}
