package dev.blitz.io.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Strict
class OneshotTest {
  private final Oneshot<String> oneshot = Oneshot.create();

  @Test
  void aValue_isReceivedOnce() {
    assertThat(oneshot).hasToString("Oneshot[empty]");
    assertThat(oneshot.tryReceive()).isNull();
    oneshot.send("a");
    assertThat(oneshot).hasToString("Oneshot[sent]");
    assertThat(oneshot.trySend("b")).isEqualTo(SendResult.FULL);
    assertThatThrownBy(() -> oneshot.send("b")).hasMessageContaining("has its value already");
    oneshot.close();
    assertThat(oneshot).as("the value stays").hasToString("Oneshot[sent]");
    assertThat(oneshot.receive().await()).isEqualTo("a");
    assertThat(oneshot).hasToString("Oneshot[closed]");
    assertThatThrownBy(() -> oneshot.receive().await()).isInstanceOf(ChannelClosedException.class);
    assertThat(oneshot.trySend("c")).isEqualTo(SendResult.CLOSED);
  }

  @Test
  void aReceiverThatWaits_isWokenOnce() {
    var receive = Polls.of(oneshot.receive());
    assertThat(receive.poll()).isNull();
    assertThat(oneshot).hasToString("Oneshot[waited for]");
    assertThat(receive.poll()).isNull();
    oneshot.send("a");
    assertThat(receive.wakes()).isEqualTo(1);
    assertThat(receive.poll()).isEqualTo("a");
  }

  @Test
  void close_tellsBothSides() {
    var receive = Polls.of(oneshot.receive());
    receive.poll();
    oneshot.close();
    oneshot.close();
    assertThat(oneshot.isClosed()).isTrue();
    assertThat(receive.wakes()).isEqualTo(1);
    assertThatThrownBy(receive::poll).isInstanceOf(ChannelClosedException.class);
    assertThatThrownBy(() -> oneshot.send("a"))
        .isInstanceOfSatisfying(
            ChannelClosedException.class, e -> assertThat(e.unsent()).hasValue("a"));
  }

  @Test
  void aFutureAsTheValue_isNotMistakenForAWaiter() {
    Oneshot<Object> carrier = Oneshot.create();
    Object own = carrier.receive();
    carrier.send(own);
    assertThat(carrier.tryReceive()).isSameAs(own);
  }

  @Test
  void racingSenders_oneWins() throws Exception {
    for (int i = 0; i < 100; i++) {
      Oneshot<Integer> one = Oneshot.create();
      var sent = new AtomicInteger(-1);
      Race.run(
          2,
          racer -> {
            if (one.trySend(racer) == SendResult.SENT) {
              assertThat(sent.getAndSet(racer)).isEqualTo(-1);
            }
          });
      assertThat(one.tryReceive()).isEqualTo(sent.get());
    }
  }

  @Test
  void ofSeveralReceives_theFirstGetsTheValue_theOthersLearnOfTheEnd() {
    var first = Polls.of(oneshot.receive());
    var second = Polls.of(oneshot.receive());
    var third = Polls.of(oneshot.receive());
    assertThat(first.poll()).isNull();
    assertThat(second.poll()).isNull();
    assertThat(third.poll()).isNull();
    oneshot.send("a");
    assertThat(first.wakes()).isEqualTo(1);
    assertThat(second.wakes()).isZero();
    assertThat(second.poll()).as("it is not its turn").isNull();
    assertThat(first.poll()).isEqualTo("a");
    assertThat(second.wakes()).isEqualTo(1);
    assertThat(third.wakes()).isEqualTo(1);
    assertThatThrownBy(second::poll).isInstanceOf(ChannelClosedException.class);
    assertThatThrownBy(third::poll).isInstanceOf(ChannelClosedException.class);
  }

  @Test
  void aFirstReceiveThatIsDropped_letsTheNextInItsPlace() {
    var first = Polls.of(oneshot.receive());
    var second = Polls.of(oneshot.receive());
    var third = Polls.of(oneshot.receive());
    first.poll();
    second.poll();
    third.poll();
    first.drop();
    assertThat(second.wakes()).isEqualTo(1);
    assertThat(second.poll()).isNull();
    oneshot.send("a");
    assertThat(second.wakes()).isEqualTo(2);
    second.drop();
    assertThat(third.wakes()).isEqualTo(1);
    assertThat(third.poll()).isEqualTo("a");
  }

  @Test
  void receiveOrClose_dropped_tellsTheSender() {
    var end = Polls.of(oneshot.closed());
    assertThat(end.poll()).isNull();
    var only = Polls.of(oneshot.receiveOrClose());
    assertThat(only.poll()).isNull();
    only.drop();
    assertThat(end.wakes()).isEqualTo(1);
    assertThat(end.poll()).isNotNull();
    assertThat(oneshot.trySend("a")).isEqualTo(SendResult.CLOSED);
    Oneshot<String> unpolled = Oneshot.create();
    unpolled.receiveOrClose().drop();
    assertThat(unpolled.isClosed()).isTrue();
  }

  @Test
  void receiveOrClose_droppedAfterTheValueCame_leavesIt() {
    var only = Polls.of(oneshot.receiveOrClose());
    only.poll();
    oneshot.send("a");
    only.drop();
    assertThat(oneshot.tryReceive()).isEqualTo("a");
  }

  @Test
  void closed_waitsForTheReceipt_andForTheClose() {
    var end = Polls.of(oneshot.closed());
    assertThat(end.poll()).isNull();
    oneshot.send("a");
    assertThat(end.poll()).as("nobody has it yet").isNull();
    assertThat(oneshot.tryReceive()).isEqualTo("a");
    assertThat(end.wakes()).isEqualTo(1);
    assertThat(end.poll()).isNotNull();
    Oneshot<String> other = Oneshot.create();
    var dropped = Polls.of(other.closed());
    dropped.poll();
    dropped.drop();
    other.close();
    assertThat(dropped.wakes()).isZero();
    assertThat(other.closed().await()).isNotNull();
  }
}
