package dev.blitz.io.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.lang.ref.WeakReference;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Strict
class BroadcastTest {

  @Test
  void everyReceiver_getsEveryMessage() {
    Broadcast<Integer> broadcast = Broadcast.create(4);
    assertThat(broadcast.send(0)).as("nobody listens").isZero();
    var a = broadcast.subscribe();
    var b = broadcast.subscribe();
    assertThat(broadcast.send(1)).isEqualTo(2);
    b.close();
    b.close();
    assertThat(broadcast.send(2)).isEqualTo(1);
    var c = a.copy();
    assertThat(a.receive().await()).isEqualTo(1);
    assertThat(a.receive().await()).isEqualTo(2);
    assertThat(a.tryReceive()).isNull();
    assertThat(c.tryReceive()).isEqualTo(1);
    assertThat(broadcast).hasToString("Broadcast[capacity 4, 2 receivers, open]");
    assertThat(c.toString()).startsWith("BroadcastReceiver[1 behind, Broadcast[");
    assertThatThrownBy(b::tryReceive).hasMessageContaining("this receiver was closed");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 3, -3})
  void aSlowReceiver_isToldWhatItMissed_andGoesOnWithTheOldest(long start) {
    for (int capacity = 1; capacity <= 5; capacity++) {
      Broadcast<Integer> broadcast = new Broadcast<>(capacity, start);
      var receiver = broadcast.subscribe();
      int sent = 2 * capacity + 1;
      for (int i = 0; i < sent; i++) {
        broadcast.send(i);
      }
      int missed = sent - capacity;
      assertThatThrownBy(() -> receiver.receive().await())
          .isInstanceOfSatisfying(
              LaggedException.class, e -> assertThat(e.missed()).isEqualTo(missed))
          .hasMessage("this receiver was too slow and missed " + missed + " messages");
      assertThat(receiver.missed()).isEqualTo(missed);
      for (int i = missed; i < sent; i++) {
        assertThat(receiver.tryReceive()).isEqualTo(i);
      }
      assertThat(receiver.tryReceive()).isNull();
    }
  }

  @Test
  void close_leavesWhatWasSent() {
    Broadcast<Integer> broadcast = Broadcast.create(4);
    var receiver = broadcast.subscribe();
    var waiting = Polls.of(broadcast.subscribe().next());
    assertThat(waiting.poll()).isNull();
    broadcast.send(1);
    assertThat(waiting.poll()).hasValue(1);
    broadcast.close();
    broadcast.close();
    assertThat(broadcast.isClosed()).isTrue();
    assertThat(receiver.next().await()).hasValue(1);
    assertThat(receiver.next().await()).isEmpty();
    assertThatThrownBy(() -> receiver.receive().await()).isInstanceOf(ChannelClosedException.class);
    assertThatThrownBy(() -> broadcast.send(2))
        .isInstanceOfSatisfying(
            ChannelClosedException.class, e -> assertThat(e.unsent()).hasValue(2));
  }

  @Test
  void twoFuturesOfOneReceiver_doNotBlockIt() {
    Broadcast<Integer> broadcast = Broadcast.create(4);
    var receiver = broadcast.subscribe();
    var kept = Polls.of(receiver.receive());
    assertThat(kept.poll()).isNull();
    for (int i = 0; i < 3 * WaitQueue.HUNGRY; i++) {
      broadcast.send(i);
      assertThat(receiver.receive().await()).isEqualTo(i);
      assertThat(kept.poll()).isNull();
    }
    kept.drop();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MAX_VALUE})
  void create_withABadCapacity_saysWhatIsAllowed(int capacity) {
    assertThatThrownBy(() -> Broadcast.create(capacity))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("from 1 to 536870912, not " + capacity);
  }

  @Test
  void underRace_receivedPlusMissedIsSent_inOrder() throws Exception {
    int sent = 20_000;
    for (int capacity : new int[] {1, 3, 8}) {
      Broadcast<Integer> broadcast = Broadcast.create(capacity);
      var receivers = new BroadcastReceiver<?>[] {broadcast.subscribe(), broadcast.subscribe()};
      Race.run(
          3,
          racer -> {
            if (racer == 2) {
              for (int i = 0; i < sent; i++) {
                broadcast.send(i);
              }
              broadcast.close();
              return;
            }
            var receiver = receivers[racer];
            long received = 0;
            int last = -1;
            for (; ; ) {
              try {
                var message = receiver.next().await();
                if (message.isEmpty()) {
                  break;
                }
                int value = (Integer) message.get();
                assertThat(value).isGreaterThan(last);
                last = value;
                received++;
              } catch (LaggedException e) {
                assertThat(e.missed()).isPositive();
              }
            }
            assertThat(received + receiver.missed()).isEqualTo(sent);
            assertThat(last).isEqualTo(sent - 1);
          });
    }
  }

  @Test
  void aMessageThatAllHave_isLetGo() {
    Broadcast<Object> broadcast = Broadcast.create(4);
    var a = broadcast.subscribe();
    var b = broadcast.subscribe();
    var first = sendNew(broadcast);
    var second = sendNew(broadcast);
    assertThat(a.tryReceive()).isNotNull();
    assertThat(a.tryReceive()).isNotNull();
    assertThat(held(first)).as("b has not got it").isTrue();
    assertThat(a.tryReceive()).isNull();
    assertThat(held(first)).as("b has not got it").isTrue();
    assertThat(b.tryReceive()).isNotNull();
    assertThat(b.tryReceive()).isNotNull();
    assertThat(b.tryReceive()).isNull();
    assertThat(held(first)).isFalse();
    assertThat(held(second)).isFalse();
    var third = sendNew(broadcast);
    assertThat(a.tryReceive()).isNotNull();
    assertThat(a.tryReceive()).isNull();
    assertThat(held(third)).isTrue();
    b.close();
    assertThat(held(third)).as("a has it, and b does not want it").isFalse();
  }

  @Test
  void oneWhoNeverCatchesUp_letsGoInPieces() {
    Broadcast<Integer> broadcast = Broadcast.create(64);
    var receiver = broadcast.subscribe();
    for (int i = 0; i < 40; i++) {
      broadcast.send(i);
    }
    for (int i = 0; i < 20; i++) {
      assertThat(receiver.tryReceive()).isEqualTo(i);
    }
    for (long p = 0; p < 16; p++) {
      assertThat(broadcast.slot(p)).isNull();
    }
    for (long p = 20; p < 40; p++) {
      assertThat(broadcast.slot(p)).isNotNull();
    }
  }

  @Test
  void aMessageForNobody_isNotKept() {
    Broadcast<Object> broadcast = Broadcast.create(4);
    assertThat(held(sendNew(broadcast))).isFalse();
    var late = broadcast.subscribe();
    assertThat(late.tryReceive()).isNull();
    assertThat(broadcast.receivers()).isEqualTo(1);
  }

  @Test
  void aMessageOutOfReach_isLetGo() {
    Broadcast<Object> broadcast = Broadcast.create(5);
    var slow = broadcast.subscribe();
    var first = sendNew(broadcast);
    for (int i = 0; i < 5; i++) {
      broadcast.send(i);
    }
    assertThat(held(first)).isFalse();
    assertThatThrownBy(slow::tryReceive).isInstanceOf(LaggedException.class);
    for (int i = 0; i < 5; i++) {
      assertThat(slow.tryReceive()).isEqualTo(i);
    }
  }

  @Test
  void aCopy_holdsWhatItHasNotReceived() {
    for (long start : new long[] {0, Long.MAX_VALUE - 1, -1}) {
      Broadcast<Object> broadcast = new Broadcast<>(2, start);
      var original = broadcast.subscribe();
      var message = sendNew(broadcast);
      var copy = original.copy();
      assertThat(original.tryReceive()).isNotNull();
      assertThat(original.tryReceive()).isNull();
      assertThat(held(message)).isTrue();
      assertThat(copy.tryReceive()).isNotNull();
      assertThat(copy.tryReceive()).isNull();
      assertThat(held(message)).isFalse();
      for (int i = 0; i < 20; i++) { // the slots go on to work
        broadcast.send(i);
        assertThat(copy.tryReceive()).isEqualTo(i);
        assertThat(original.tryReceive()).isEqualTo(i);
      }
    }
  }

  private static WeakReference<Object> sendNew(Broadcast<Object> broadcast) {
    Object message = new Object();
    broadcast.send(message);
    return new WeakReference<>(message);
  }

  private static boolean held(WeakReference<Object> message) {
    for (int i = 0; i < 3 && message.get() != null; i++) {
      System.gc();
    }
    return message.get() != null;
  }

  @Test
  void oneWhoIsOutOfReach_keepsWhatItWillGoOnWith() {
    Broadcast<Integer> broadcast = Broadcast.create(4);
    var slow = broadcast.subscribe();
    var fast = broadcast.subscribe();
    for (int i = 0; i < 10; i++) {
      broadcast.send(i);
      assertThat(fast.tryReceive()).isEqualTo(i);
      assertThat(fast.tryReceive()).isNull();
    }
    try (var copy = slow.copy()) {
      for (var receiver : List.of(slow, copy)) {
        assertThatThrownBy(receiver::tryReceive).isInstanceOf(LaggedException.class);
        for (int i = 6; i < 10; i++) {
          assertThat(receiver.tryReceive()).isEqualTo(i);
        }
        assertThat(receiver.tryReceive()).isNull();
      }
    }
    for (long p = 6; p < 10; p++) {
      assertThat(broadcast.slot(p)).as("all have " + p).isNull();
    }
  }
}
