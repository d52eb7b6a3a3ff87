package dev.blitz.io.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.DropExplorer;
import dev.blitz.io.stream.Source;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A source into a channel. */
@Strict
class SendAllTest {
  @Test
  void sendAll_waitsForRoom_andLeavesTheChannelOpen() {
    Channel<Integer> channel = Channel.bounded(2);
    var sending = Polls.of(channel.sender().sendAll(Source.of(1, 2, 3, 4)));
    assertThat(sending.poll()).isNull();
    assertThat(channel.length()).isEqualTo(2);
    assertThat(channel.tryReceive()).isEqualTo(1);
    assertThat(sending.wakes()).isEqualTo(1);
    assertThat(sending.poll()).isNull();
    assertThat(channel.tryReceiveMany(4)).containsExactly(2, 3);
    assertThat(sending.poll()).isEqualTo(Done.DONE);
    assertThat(channel.tryReceive()).isEqualTo(4);
    assertThat(channel.isClosed()).isFalse();
    assertThatThrownBy(sending::poll).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void sendAll_toAClosedChannel_failsWithTheItem_andClosesTheSource() {
    Channel<Integer> channel = Channel.bounded(1);
    channel.close();
    var closed = new AtomicInteger();
    var sending = channel.sendAll(Source.of(7, 8).whenDone(closed::incrementAndGet));
    assertThatThrownBy(() -> sending.poll(Context.of(() -> {})))
        .isInstanceOfSatisfying(
            ChannelClosedException.class, e -> assertThat(e.unsent()).hasValue(7));
    assertThat(closed).hasValue(1);
  }

  @Test
  void sendAll_thatIsDropped_hasSentAPrefix_andClosesTheSource() {
    DropExplorer.explore(() -> {
      Channel<Integer> from = Channel.bounded(4);
      Channel<Integer> to = Channel.bounded(1);
      var closed = new AtomicInteger();
      var got = new ArrayList<Integer>();
      return DropExplorer.scenario(
              to.sendAll(from.receiver().map(i -> i).whenDone(closed::incrementAndGet)))
          .step("send 1", () -> from.trySend(1))
          .step("send 2", () -> from.trySend(2))
          .step("close", from::close)
          .step("receive", () -> Polls.takeAll(to, got))
          .step("receive again", () -> Polls.takeAll(to, got))
          .check(end -> {
            Polls.takeAll(to, got);
            assertThat(closed).hasValue(1);
            if (end.value() != null) {
              assertThat(got).containsExactly(1, 2);
            } else {
              assertThat(got.size()).isLessThanOrEqualTo(2);
              assertThat(got).isSubsetOf(1, 2).isSorted();
            }
            assertThat(to.senders.length()).isZero();
            assertThat(from.receivers.length()).isZero();
          });
    });
  }

  @Test
  void next_ofASource_thatIsDropped_leavesTheMessageToTheNext() {
    DropExplorer.explore(() -> {
      Channel<Integer> channel = Channel.bounded(2);
      var other = Polls.of(channel.receive());
      var got = new ArrayList<Integer>();
      var source = channel.receiver().map(i -> i);
      return DropExplorer.scenario(source.next())
          .step("another queues", () -> keep(got, other.poll()))
          .step("send 1", () -> channel.trySend(1))
          .step("send 2", () -> channel.trySend(2))
          .check(end -> {
            if (got.isEmpty()) {
              assertThat(other.wakes()).as("the other is called").isPositive();
              keep(got, other.poll());
            }
            end.ifValue(message -> got.add(message.orElseThrow()));
            Polls.takeAll(channel, got);
            assertThat(got).containsExactlyInAnyOrder(1, 2);
            assertThat(channel.receivers.length()).isZero();
          });
    });
  }

  private static void keep(List<Integer> got, Integer message) {
    if (message != null) {
      got.add(message);
    }
  }

  /** A user's source with an item, whose ends fail. */
  private static final class Reluctant implements Source<Integer> {
    private int closes;

    @Override
    public Integer pollNext(Context cx) {
      return 7;
    }

    @Override
    public boolean hasEnded() {
      return false;
    }

    @Override
    public void forgetNext() {
      throw new IllegalStateException("forget");
    }

    @Override
    public void close() {
      closes++;
      throw new IllegalStateException("close");
    }
  }

  @Test
  void sendAll_aCloseThatFails_doesNotHideTheItem() {
    Channel<Integer> channel = Channel.bounded(1);
    channel.close();
    var sending = channel.sendAll(new Reluctant());
    assertThatThrownBy(() -> sending.poll(Context.of(() -> {})))
        .isInstanceOfSatisfying(
            ChannelClosedException.class, e -> assertThat(e.unsent()).hasValue(7))
        .hasSuppressedException(new IllegalStateException("close"));
  }

  @Test
  void sendAll_dropped_closesASourceThatDoesNotForget() {
    var source = new Reluctant();
    var sending = Channel.<Integer>bounded(1).sendAll(source);
    assertThatThrownBy(sending::drop).isInstanceOf(IllegalStateException.class);
    assertThat(source.closes).isEqualTo(1);
  }
}
