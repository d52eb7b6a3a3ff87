package dev.blitz.io.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many senders and receivers at once. */
@Strict
class ChannelRaceTest {
  private static final int SENDERS = 3;
  private static final int MESSAGES = 3_000;

  static Stream<Supplier<Channel<Integer>>> channels() {
    return Stream.of(
        () -> Channel.bounded(1),
        () -> Channel.bounded(2),
        () -> Channel.bounded(3),
        () -> Channel.bounded(64),
        () -> new Channel<>(new SegmentedBuffer<>(2, 0)),
        Channel::unbounded);
  }

  @ParameterizedTest
  @MethodSource("channels")
  void tasks_receiveEverythingOnce_inTheOrderOfEachSender(Supplier<Channel<Integer>> make)
      throws Exception {
    Channel<Integer> channel = make.get();
    var received = new ConcurrentLinkedQueue<List<Integer>>();
    try (var runtime = BlitzRuntime.builder().workers(3).build()) {
      List<JoinHandle<Done>> senders = new ArrayList<>();
      List<JoinHandle<Done>> receivers = new ArrayList<>();
      List<Sender<Integer>> handles = new ArrayList<>();
      for (int s = 0; s < SENDERS; s++) {
        handles.add(channel.sender()); // all of them first: the last one to be closed ends it
      }
      for (int s = 0; s < SENDERS; s++) {
        senders.add(runtime.spawn(sending(handles.get(s), s)));
        receivers.add(runtime.spawn(receiving(channel, received)));
      }
      for (var handle : receivers) {
        handle.await();
      }
      for (var handle : senders) {
        handle.await();
      }
    }
    check(received);
    assertThat(channel.isDrained()).as("the last sender closed it").isTrue();
    assertThat(channel.senders.length() + channel.receivers.length()).isZero();
  }

  @ParameterizedTest
  @MethodSource("channels")
  void threads_receiveEverythingOnce_inTheOrderOfEachSender(Supplier<Channel<Integer>> make)
      throws Exception {
    Channel<Integer> channel = make.get();
    var received = new ConcurrentLinkedQueue<List<Integer>>();
    var left = new AtomicInteger(SENDERS);
    Race.run(
        2 * SENDERS,
        racer -> {
          if (racer < SENDERS) {
            for (int i = 0; i < MESSAGES; i++) {
              channel.send(racer * MESSAGES + i).await();
            }
            if (left.decrementAndGet() == 0) {
              channel.close();
            }
          } else {
            List<Integer> own = new ArrayList<>();
            for (var message : channel.receiver()) {
              own.add(message);
            }
            received.add(own);
          }
        });
    check(received);
  }

  @Test
  void sendAndReceive_withATimeOut_loseNothing() throws Exception {
    Channel<Integer> channel = Channel.bounded(1);
    try (var runtime = BlitzRuntime.create()) {
      assertThat(runtime.run(channel.receive().timeout(Duration.ofMillis(2)).recover(e -> -1)))
          .isEqualTo(-1);
      channel.trySend(1);
      assertThat(runtime.run(channel.receive().timeout(Duration.ofSeconds(9)))).isEqualTo(1);
      channel.trySend(2);
      Future<Boolean> late =
          channel.send(3).timeout(Duration.ofMillis(2)).map(d -> true).recover(e -> false);
      assertThat(runtime.run(late)).isFalse();
    }
    assertThat(channel.tryReceive()).isEqualTo(2);
    assertThat(channel.tryReceive()).as("a send that timed out has not sent").isNull();
  }

  private static Future<Done> sending(Sender<Integer> sender, int s) {
    var next = new AtomicInteger();
    return Futures.loop(() ->
            sender
                .send(s * MESSAGES + next.get())
                .map(done ->
                    next.incrementAndGet() < MESSAGES ? Futures.Step.MORE : Futures.Step.STOP))
        .whenDone(sender::close);
  }

  private static Future<Done> receiving(
      Channel<Integer> channel, ConcurrentLinkedQueue<List<Integer>> received) {
    List<Integer> own = new ArrayList<>();
    return Futures.loop(() ->
            channel
                .next()
                .map(message -> {
                  message.ifPresent(own::add);
                  return message.isPresent() ? Futures.Step.MORE : Futures.Step.STOP;
                }))
        .whenDone(() -> received.add(own));
  }

  /** Each receiver saw each sender's messages in order, and together they saw all of them. */
  private static void check(Iterable<List<Integer>> received) {
    List<Integer> all = new ArrayList<>();
    for (List<Integer> own : received) {
      int[] last = {-1, -1, -1};
      for (int message : own) {
        int sender = message / MESSAGES;
        assertThat(message % MESSAGES).isGreaterThan(last[sender]);
        last[sender] = message % MESSAGES;
      }
      all.addAll(own);
    }
    assertThat(all).hasSize(SENDERS * MESSAGES).doesNotHaveDuplicates();
  }
}
