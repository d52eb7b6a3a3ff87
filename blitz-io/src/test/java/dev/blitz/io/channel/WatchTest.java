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
    assertThat(receiver).hasToString("WatchReceiver[changed, Watch[change 3, open]]");
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

  @Test
  void waitFor_seesTheFirstValueThatIsWanted() {
    var asked = new int[1];
    var wait =
        Polls.of(
            receiver.waitFor(v -> {
              asked[0]++;
              return v >= 3;
            }));
    assertThat(wait.poll()).isNull();
    assertThat(wait.poll()).isNull();
    watch.send(1);
    assertThat(wait.wakes()).isEqualTo(1);
    assertThat(wait.poll()).isNull();
    watch.send(4);
    assertThat(wait.wakes()).isEqualTo(2);
    assertThat(wait.poll()).isEqualTo(4);
    assertThat(asked[0]).as("once for each value").isEqualTo(3);
    assertThat(receiver.hasChanged()).isFalse();
    assertThat(receiver.waitFor(v -> v == 4).await()).as("seen or not").isEqualTo(4);
    watch.close();
    assertThat(receiver.waitFor(v -> v == 4).await()).isEqualTo(4);
    assertThatThrownBy(() -> receiver.waitFor(v -> v == 5).await())
        .isInstanceOf(ChannelClosedException.class);
  }

  @Test
  void waitFor_aPredicateThatThrows_leavesNoWaiter() {
    var wait =
        Polls.of(
            receiver.waitFor(v -> {
              if (v > 0) {
                throw new IllegalStateException("no");
              }
              return false;
            }));
    assertThat(wait.poll()).isNull();
    watch.send(1);
    assertThatThrownBy(wait::poll).hasMessage("no");
    assertThat(watch.waiters.length()).isZero();
  }

  @Test
  void sendIfModified_wakesNobodyForTheSame() {
    var wait = Polls.of(receiver.changed());
    wait.poll();
    assertThat(watch.sendIfModified(v -> v)).isFalse();
    assertThat(wait.wakes()).isZero();
    assertThat(receiver.hasChanged()).isFalse();
    assertThat(watch.sendIfModified(v -> v + 1)).isTrue();
    assertThat(wait.poll()).isEqualTo(1);
    watch.close();
    assertThatThrownBy(() -> watch.sendIfModified(v -> v + 1))
        .isInstanceOf(ChannelClosedException.class);
    assertThatThrownBy(() -> watch.sendIfModified(v -> v))
        .isInstanceOf(ChannelClosedException.class);
  }

  @Test
  void unwatched_waitsForTheLastReceiverToGo() {
    var end = Polls.of(watch.unwatched());
    assertThat(end.poll()).isNull();
    var copy = receiver.copy();
    assertThat(watch.receivers()).isEqualTo(2);
    receiver.close();
    receiver.close();
    assertThat(end.wakes()).isZero();
    copy.close();
    assertThat(end.wakes()).isEqualTo(1);
    assertThat(end.poll()).isNotNull();
    assertThat(watch.receivers()).isZero();
    assertThatThrownBy(receiver::changed).hasMessageContaining("this receiver was closed");
    assertThatThrownBy(receiver::copy).hasMessageContaining("this receiver was closed");
    var again = watch.subscribe();
    var dropped = Polls.of(watch.unwatched());
    dropped.poll();
    dropped.drop();
    again.close();
    assertThat(dropped.wakes()).isZero();
    assertThat(watch.unwatched.length()).isZero();
  }
}
