package dev.blitz.io.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.DropExplorer;
import dev.blitz.io.future.DropExplorer.Scenario;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Select;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every future of this package, dropped at every point: nothing is lost, nobody stays linked. */
@Strict
class ChannelDropTest {

  private static void assertNobodyWaits(Channel<?> channel) {
    assertThat(channel.senders.length()).isZero();
    assertThat(channel.receivers.length()).isZero();
    assertThat(channel.senders.waiting).isFalse();
    assertThat(channel.receivers.waiting).isFalse();
  }

  static Stream<Function<Channel<Integer>, Future<?>>> receives() {
    return Stream.of(
        Channel::receive,
        Channel::next,
        c -> c.receiveMany(1),
        c -> Select.first(c.receive(), Channel.<Integer>bounded(1).receive()),
        c -> Select.first(Channel.<Integer>bounded(1).receive(), c.receive()));
  }

  @ParameterizedTest
  @MethodSource("receives")
  void receive_thatIsDropped_leavesTheMessageToTheNext(
      Function<Channel<Integer>, Future<?>> receive) {
    DropExplorer.explore(() -> {
      Channel<Integer> channel = Channel.bounded(2);
      var other = Polls.of(channel.receive());
      var got = new ArrayList<Integer>();
      return DropExplorer.scenario(receive.apply(channel))
          .step("another queues", () -> keep(got, other.poll()))
          .step("send 1", () -> assertThat(channel.trySend(1)).isEqualTo(SendResult.SENT))
          .step("send 2", () -> assertThat(channel.trySend(2)).isEqualTo(SendResult.SENT))
          .check(end -> {
            if (got.isEmpty()) {
              assertThat(other.wakes()).as("the other is called").isPositive();
              keep(got, other.poll());
              assertThat(got).hasSize(1);
            }
            int left = Polls.takeAll(channel, got);
            assertThat(got.size()).isEqualTo(end.dropped() ? 2 : 1);
            assertThat(got).doesNotHaveDuplicates();
            assertThat(left).isEqualTo(end.dropped() ? 1 : 0);
            assertNobodyWaits(channel);
          });
    });
  }

  @Test
  void receive_thatIsDroppedAmongMany_keepsTheOthersGoing() {
    DropExplorer.explore(() -> {
      Channel<Integer> channel = Channel.bounded(1);
      var others = List.of(Polls.of(channel.receive()), Polls.of(channel.receive()));
      var got = new ArrayList<Integer>();
      return DropExplorer.scenario(channel.receive())
          .step("another queues", () -> keep(got, others.get(0).poll()))
          .step("a third queues", () -> keep(got, others.get(1).poll()))
          .step("send", () -> channel.trySend(1))
          .step("close", channel::close)
          .check(end -> {
            end.ifValue(got::add);
            for (var o : others) {
              if (got.isEmpty() || !channel.isDrained()) {
                assertThat(o.wakes()).isPositive();
                keep(got, o.poll());
              }
            }
            assertThat(got).containsExactly(1);
            assertThat(channel.isDrained()).isTrue();
            assertNobodyWaits(channel);
          });
    });
  }

  @Test
  void send_thatIsDropped_hasNotSent_andLeavesTheRoomToTheNext() {
    DropExplorer.explore(() -> {
      Channel<Integer> channel = Channel.bounded(1);
      channel.trySend(0);
      var other = Polls.of(channel.send(2));
      var got = new ArrayList<Integer>();
      var sent = new boolean[1];
      return DropExplorer.scenario(channel.send(1))
          .step("another queues", () -> sent[0] = other.poll() != null)
          .step("receive", () -> keep(got, channel.tryReceive()))
          .step("receive again", () -> keep(got, channel.tryReceive()))
          .check(end -> {
            if (!sent[0]) {
              keep(got, channel.tryReceive());
              assertThat(other.wakes()).isPositive();
              assertThat(other.poll()).isNotNull();
            }
            Polls.takeAll(channel, got);
            assertThat(got.removeFirst()).isZero();
            if (end.dropped()) {
              assertThat(got).containsExactly(2);
            } else {
              assertThat(got).containsExactlyInAnyOrder(1, 2);
            }
            assertNobodyWaits(channel);
          });
    });
  }

  @Test
  void reserve_thatIsDropped_holdsNoRoom() {
    DropExplorer.explore(() -> {
      Channel<Integer> channel = Channel.bounded(1);
      channel.trySend(0);
      return DropExplorer.scenario(channel.reserve())
          .step("receive", () -> assertThat(channel.tryReceive()).isZero())
          .check(end -> {
            end.ifValue(Permit::close);
            assertThat(channel.trySend(1)).isEqualTo(SendResult.SENT);
            assertNobodyWaits(channel);
          });
    });
  }

  @Test
  void closeAtAnyPoint_neverLosesASend() {
    DropExplorer.explore(() -> {
      Channel<Integer> channel = Channel.bounded(1);
      channel.trySend(0);
      var got = new ArrayList<Integer>();
      return DropExplorer.scenario(channel.send(1))
          .step("receive", () -> keep(got, channel.tryReceive()))
          .step("close", channel::close)
          .check(end -> {
            Polls.takeAll(channel, got);
            assertThat(got.contains(1)).isEqualTo(end.value() != null);
            if (end.failure() instanceof ChannelClosedException e) {
              assertThat(e.unsent()).hasValue(1);
            }
            assertNobodyWaits(channel);
          });
    });
  }

  @Test
  void oneshot_keepsItsValueForTheNextReceive() {
    DropExplorer.explore(() -> {
      Oneshot<Integer> oneshot = Oneshot.create();
      return DropExplorer.scenario(oneshot.receive())
          .step("send", () -> oneshot.send(1))
          .check(end -> {
            if (end.dropped()) {
              assertThat(oneshot.receive().await()).isEqualTo(1);
            }
            assertThat(oneshot.isClosed()).isTrue();
          });
    });
  }

  @Test
  void oneshot_receiveOrClose_closesOrHasTheValue() {
    DropExplorer.explore(() -> {
      Oneshot<Integer> oneshot = Oneshot.create();
      var end = Polls.of(oneshot.closed());
      return DropExplorer.scenario(oneshot.receiveOrClose())
          .step(
              "the sender watches",
              () -> assertThat(end.poll() != null).isEqualTo(oneshot.isClosed()))
          .step("send", () -> oneshot.trySend(1))
          .check(end1 -> {
            Integer left = oneshot.tryReceive();
            assertThat(oneshot.isClosed()).isTrue();
            assertThat(left == null || end1.dropped()).isTrue();
          });
    });
  }

  @Test
  void oneshot_aSecondReceiveThatIsDropped_leavesTheFirstAlone() {
    DropExplorer.explore(() -> {
      Oneshot<Integer> oneshot = Oneshot.create();
      var first = Polls.of(oneshot.receive());
      first.poll();
      return DropExplorer.scenario(oneshot.receive())
          .step("send", () -> oneshot.send(1))
          .step("the first takes it", () -> assertThat(first.poll()).isEqualTo(1))
          .check(end -> {
            assertThat(oneshot.isClosed()).isTrue();
            assertThat(end.value()).isNull();
          });
    });
  }

  @Test
  void oneshot_closed_leavesNoWaiter() {
    DropExplorer.explore(() -> {
      Oneshot<Integer> oneshot = Oneshot.create();
      return DropExplorer.scenario(oneshot.closed())
          .step("close", oneshot::close)
          .check(end -> assertThat(oneshot.isClosed()).isTrue());
    });
  }

  @Test
  void watch_waitForAndUnwatched_leaveNoWaiter() {
    DropExplorer.explore(() -> {
      Watch<Integer> watch = Watch.of(0);
      var receiver = watch.subscribe();
      return DropExplorer.scenario(receiver.waitFor(v -> v == 2))
          .step("send 1", () -> watch.send(1))
          .step("send 2", () -> watch.send(2))
          .check(end -> assertThat(watch.waiters.length()).isZero());
    });
    DropExplorer.explore(() -> {
      Watch<Integer> watch = Watch.of(0);
      var receiver = watch.subscribe();
      return DropExplorer.scenario(watch.unwatched())
          .step("the receiver goes", receiver::close)
          .check(end -> assertThat(watch.unwatched.length()).isZero());
    });
  }

  @Test
  void broadcast_keepsThePositionOfADroppedReceive() {
    DropExplorer.explore(() -> {
      Broadcast<Integer> broadcast = Broadcast.create(4);
      var receiver = broadcast.subscribe();
      var got = new ArrayList<Integer>();
      return DropExplorer.scenario(receiver.receive())
          .step("send 1", () -> broadcast.send(1))
          .step("send 2", () -> broadcast.send(2))
          .check(end -> {
            end.ifValue(got::add);
            for (var m = receiver.tryReceive(); m != null; m = receiver.tryReceive()) {
              got.add(m);
            }
            assertThat(got).containsExactly(1, 2);
            assertThat(broadcast.waiters.length()).isZero();
          });
    });
  }

  @Test
  void watch_seesOnlyWhatWasReported() {
    DropExplorer.explore(() -> {
      Watch<Integer> watch = Watch.of(0);
      var receiver = watch.subscribe();
      return DropExplorer.scenario(receiver.changed())
          .step("send 1", () -> watch.send(1))
          .step("send 2", () -> watch.send(2))
          .check(end -> {
            assertThat(receiver.hasChanged()).isEqualTo(end.value() == null || end.value() == 1);
            assertThat(receiver.borrow()).isEqualTo(2);
            assertThat(watch.waiters.length()).isZero();
          });
    });
  }

  @Test
  void twoSelects_raceForOneMessage_andExactlyOneWins() {
    DropExplorer.explore(() -> {
      Channel<Integer> channel = Channel.bounded(1);
      Channel<Integer> never = Channel.bounded(1);
      var rival = Polls.of(Select.first(never.receive(), channel.receive()));
      var won = new int[1];
      Scenario<?> scenario =
          DropExplorer.scenario(Select.first(channel.receive(), never.receive()))
              .step("the rival queues", () -> won[0] += rival.poll() == null ? 0 : 1)
              .step("send", () -> channel.trySend(1))
              .check(end -> {
                if (end.dropped() && won[0] == 0) {
                  assertThat(rival.wakes()).isPositive();
                  assertThat(rival.poll()).isNotNull();
                  won[0]++;
                } else if (won[0] == 0) {
                  assertThat(rival.poll()).isNull();
                  rival.drop();
                }
                assertThat(won[0] + (end.dropped() ? 0 : 1)).isEqualTo(1);
                assertThat(channel.length()).isZero();
                assertNobodyWaits(channel);
                assertNobodyWaits(never);
              });
      return scenario;
    });
  }

  private static <T> void keep(List<T> got, T message) {
    if (message != null) {
      got.add(message);
    }
  }
}
