package dev.blitz.io.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.Memory;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

@Strict
class WatchTest {
  private final Watch<Integer> watch = Watch.of(0);
  private final WatchReceiver<Integer> receiver = watch.subscribe();

  @Test
  void changes_areCoalesced() {
    assertThat(receiver.hasChanged()).isFalse();
    watch.send(1);
    watch.send(2);
    assertThat(receiver.borrow()).isEqualTo(2);
    assertThat(receiver.hasChanged()).as("borrowing is not seeing").isTrue();
    var other = receiver.copy();
    assertThat(receiver.changed().await()).isEqualTo(2);
    assertThat(receiver.hasChanged()).isFalse();
    assertThat(other.borrowAndUpdate()).isEqualTo(2);
    assertThat(other.hasChanged()).isFalse();
    assertThat(watch.update(v -> v + 40)).isEqualTo(42);
    assertThat(receiver).hasToString("WatchReceiver[changed, Watch[generation 3, open]]");
  }

  @Test
  void allWhoWait_areWoken() {
    var a = Polls.of(receiver.changed());
    var b = Polls.of(watch.subscribe().changed());
    assertThat(a.poll()).isNull();
    assertThat(b.poll()).isNull();
    watch.send(5);
    assertThat(a.wakes()).isEqualTo(1);
    assertThat(b.wakes()).isEqualTo(1);
    assertThat(a.poll()).isEqualTo(5);
    assertThat(b.poll()).isEqualTo(5);
  }

  @Test
  void anUnseenChange_comesBeforeTheClose() {
    watch.send(1);
    watch.close();
    watch.close();
    assertThat(watch.isClosed()).isTrue();
    assertThat(receiver.next().await()).hasValue(1);
    assertThat(receiver.next().await()).isEmpty();
    assertThatThrownBy(() -> receiver.changed().await()).isInstanceOf(ChannelClosedException.class);
    assertThatThrownBy(() -> watch.send(2)).isInstanceOf(ChannelClosedException.class);
    assertThatThrownBy(() -> watch.update(v -> v + 1)).isInstanceOf(ChannelClosedException.class);
    assertThat(receiver.borrow()).isEqualTo(1);
  }

  @Test
  void borrow_allocatesNothing() {
    Runnable body =
        () -> {
          for (int i = 0; i < 10_000; i++) {
            receiver.borrowAndUpdate();
            watch.borrow();
          }
        };
    // Less than a byte an operation; see ChannelTest.
    assertThat(Memory.allocatedBy(body)).isLessThan(10_000);
  }

  @Test
  void underRace_changesGoForward_andTheLastIsSeen() throws Exception {
    int last = 20_000;
    Race.run(
        2,
        racer -> {
          if (racer == 0) {
            for (int i = 1; i <= last; i++) {
              watch.send(i);
            }
            watch.close();
            return;
          }
          int seen = 0;
          for (var change = receiver.next().await();
              change.isPresent();
              change = receiver.next().await()) {
            assertThat(change.get()).isGreaterThan(seen);
            seen = change.get();
          }
          assertThat(seen).isEqualTo(last);
        });
  }
}
