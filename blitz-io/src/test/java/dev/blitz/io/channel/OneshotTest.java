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
}
