package dev.blitz.io.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Every method of the counted handles, and what a closed one says. */
@Strict
class HandleTest {

  @Test
  @SuppressWarnings("try") // closing in the middle is the point
  void sender_sendsAndReserves() {
    Channel<Integer> channel = Channel.bounded(3);
    try (Sender<Integer> sender = channel.sender()) {
      assertThat(sender.trySend(1)).isEqualTo(SendResult.SENT);
      sender.send(2).await();
      try (Permit<Integer> permit = Objects.requireNonNull(sender.tryReserve())) {
        assertThat(permit).asString().startsWith("Permit[unused, ");
        assertThat(sender.trySend(9)).as("the room is reserved").isEqualTo(SendResult.FULL);
        assertThat(sender.tryReserve()).isNull();
        permit.send(3);
        assertThat(permit).asString().startsWith("Permit[spent, ");
        assertThatThrownBy(() -> permit.send(4)).isInstanceOf(IllegalStateException.class);
      }
      assertThat(channel.tryReceive()).isEqualTo(1);
      try (Permit<Integer> permit = sender.reserve().await()) {
        assertThat(channel.trySend(9)).isEqualTo(SendResult.FULL);
        permit.close(); // gives the room back, once
      }
      assertThat(sender.trySend(4)).isEqualTo(SendResult.SENT);
    }
    assertThat(channel.isClosed()).isTrue();
    assertThat(List.of(take(channel), take(channel), take(channel))).containsExactly(2, 3, 4);
  }

  private static Integer take(Channel<Integer> channel) {
    return Objects.requireNonNull(channel.tryReceive());
  }

  @Test
  void receiver_receivesInEachWay() {
    Channel<Integer> channel = Channel.unbounded();
    Receiver<Integer> receiver = channel.receiver();
    assertThat(receiver.tryReceive()).isNull();
    for (int i = 1; i <= 6; i++) {
      channel.trySend(i);
    }
    assertThat(receiver.tryReceive()).isEqualTo(1);
    assertThat(receiver.receive().await()).isEqualTo(2);
    assertThat(receiver.next().await()).contains(3);
    assertThat(receiver.receiveMany(2).await()).containsExactly(4, 5);
    channel.close();
    assertThat(receiver.next().await()).contains(6);
    assertThat(receiver.next().await()).isEmpty();
    assertThatThrownBy(() -> receiver.receive().await()).isInstanceOf(ChannelClosedException.class);
    receiver.close();
  }

  @Test
  void copies_countAsHandles_andTheLastOneCloses() {
    Channel<Integer> channel = Channel.bounded(1);
    Sender<Integer> first = channel.sender();
    Sender<Integer> second = first.copy();
    first.close();
    first.close();
    assertThat(channel.isClosed()).isFalse();
    assertThat(second.trySend(1)).isEqualTo(SendResult.SENT);
    second.close();
    assertThat(channel.isClosed()).isTrue();

    Channel<Integer> other = Channel.bounded(1);
    Receiver<Integer> left = other.receiver();
    Receiver<Integer> right = left.copy();
    left.close();
    assertThat(other.trySend(1)).isEqualTo(SendResult.SENT);
    assertThat(right.tryReceive()).isEqualTo(1);
    right.close();
    assertThat(other.trySend(2)).as("nobody listens").isEqualTo(SendResult.CLOSED);
  }

  @Test
  void aClosedHandle_refusesEverything_andSaysSo() {
    Channel<Integer> channel = Channel.bounded(1);
    Sender<Integer> sender = channel.sender();
    Receiver<Integer> receiver = channel.receiver();
    assertThat(sender).asString().startsWith("Sender[");
    sender.close();
    receiver.close();
    assertThat(sender).asString().startsWith("Sender[closed, ");
    assertThat(receiver).asString().startsWith("Receiver[closed, ");
    List<Runnable> calls =
        List.of(
            sender::copy,
            () -> sender.trySend(1),
            () -> sender.send(1).drop(),
            sender::tryReserve,
            () -> sender.reserve().drop(),
            receiver::copy,
            receiver::tryReceive,
            () -> receiver.receive().drop(),
            () -> receiver.next().drop(),
            () -> receiver.receiveMany(1).drop(),
            () -> assertThat(receiver.iterator()).isNotNull());
    for (Runnable call : calls) {
      assertThatThrownBy(call::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("this handle was closed");
    }
  }

  @Test
  void iterator_waitsForEach_andEndsWithTheChannel() throws Exception {
    Channel<Integer> channel = Channel.bounded(2);
    List<Integer> got = new ArrayList<>();
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      var reader =
          rt.spawn(() -> {
            try (Receiver<Integer> receiver = channel.receiver()) {
              for (int n : receiver) {
                got.add(n);
              }
              assertThatThrownBy(() -> receiver.iterator().next())
                  .isInstanceOf(NoSuchElementException.class);
            }
          });
      for (int i = 0; i < 10; i++) {
        channel.send(i).await();
      }
      channel.close();
      reader.await();
    }
    assertThat(got).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  }
}
