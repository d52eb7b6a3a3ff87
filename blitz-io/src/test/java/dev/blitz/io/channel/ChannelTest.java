package dev.blitz.io.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.testkit.Memory;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Strict
class ChannelTest {

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void bounded_withABadCapacity_saysWhatIsAllowed(int capacity) {
    assertThatThrownBy(() -> Channel.bounded(capacity))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("from 1 to 134217727, not " + capacity);
  }

  @Test
  @SuppressWarnings("NullAway") // null is what is tested
  void null_isRefusedAtOnce() {
    Channel<String> channel = Channel.bounded(1);
    assertThatThrownBy(() -> channel.send(null)).hasMessage("value");
    assertThatThrownBy(() -> channel.trySend(null)).hasMessage("value");
    assertThatThrownBy(() -> Oneshot.create().send(null)).hasMessage("value");
    assertThatThrownBy(() -> Broadcast.create(1).send(null)).hasMessage("value");
    assertThatThrownBy(() -> Watch.of("").send(null)).hasMessage("value");
    assertThatThrownBy(() -> Watch.of(null)).hasMessage("value");
    assertThatThrownBy(() -> channel.publisher(null)).hasMessage("executor");
    assertThat(channel.length()).isZero();
  }

  @Test
  void trySend_answersSentFullAndClosed() {
    Channel<Integer> channel = Channel.bounded(2);
    assertThat(channel.trySend(1)).isEqualTo(SendResult.SENT);
    assertThat(channel.trySend(2)).isEqualTo(SendResult.SENT);
    assertThat(channel.trySend(3)).isEqualTo(SendResult.FULL);
    assertThat(channel.tryReceive()).isEqualTo(1);
    channel.close();
    channel.close();
    assertThat(channel.isClosed()).isTrue();
    assertThat(channel.trySend(4)).isEqualTo(SendResult.CLOSED);
    assertThat(channel.isDrained()).isFalse();
    assertThat(channel.tryReceive()).isEqualTo(2);
    assertThat(channel.tryReceive()).isNull();
    assertThat(channel.isDrained()).isTrue();
  }

  @Test
  void closed_endsReceivesAsEachOfThemSays() {
    Channel<Integer> channel = Channel.bounded(3);
    channel.trySend(1);
    channel.close();
    assertThat(channel.receive().await()).isEqualTo(1);
    assertThatThrownBy(() -> channel.receive().await())
        .isInstanceOf(ChannelClosedException.class)
        .hasMessage(
            "Channel[capacity 3, 0 inside, closed] is closed and everything has been received")
        .satisfies(e -> assertThat(((ChannelClosedException) e).unsent()).isEmpty());
    assertThat(channel.next().await()).isEmpty();
    assertThat(channel.receiveMany(5).await()).isEmpty();
  }

  @Test
  void send_toAClosedChannel_givesTheValueBack() {
    Channel<String> channel = Channel.bounded(1);
    channel.close();
    assertThatThrownBy(() -> channel.send("precious").await())
        .isInstanceOf(ChannelClosedException.class)
        .hasMessageContaining("closed: the value was not sent")
        .satisfies(e ->
            assertThat(((ChannelClosedException) e).unsent()).isEqualTo(Optional.of("precious")));
    assertThatThrownBy(() -> channel.reserve().await())
        .isInstanceOf(ChannelClosedException.class)
        .hasMessageContaining("nobody to send to");
    assertThat(channel.tryReserve()).isNull();
  }

  @Test
  void waiting_isFirstComeFirstServed_andWakesNobodyInVain() {
    Channel<Integer> channel = Channel.bounded(4);
    var a = Polls.of(channel.receive());
    var b = Polls.of(channel.receive());
    assertThat(a.poll()).isNull();
    assertThat(b.poll()).isNull();
    channel.trySend(1);
    assertThat(a.wakes()).isEqualTo(1);
    assertThat(b.wakes()).isZero();
    assertThat(b.poll()).as("the message is for the one that was woken").isNull();
    assertThat(a.poll()).isEqualTo(1);
    channel.trySend(2);
    assertThat(b.wakes()).isEqualTo(1);
    assertThat(b.poll()).isEqualTo(2);
    assertThat(channel.receivers.waiting).isFalse();
  }

  @Test
  void senders_areServedInTurn() {
    Channel<Integer> channel = Channel.bounded(1);
    channel.trySend(0);
    var a = Polls.of(channel.send(1));
    var b = Polls.of(channel.send(2));
    assertThat(a.poll()).isNull();
    assertThat(b.poll()).isNull();
    assertThat(channel.tryReceive()).isZero();
    assertThat(a.wakes()).isEqualTo(1);
    assertThat(b.wakes()).isZero();
    assertThat(a.poll()).isEqualTo(Done.DONE);
    assertThat(channel.tryReceive()).isEqualTo(1);
    assertThat(b.poll()).isEqualTo(Done.DONE);
    assertThat(channel.tryReceive()).isEqualTo(2);
    assertThat(channel.senders.length()).isZero();
  }

  @Test
  void close_wakesEverybody() {
    Channel<Integer> channel = Channel.bounded(1);
    var receivers = List.of(Polls.of(channel.receive()), Polls.of(channel.receive()));
    receivers.forEach(Polls::poll);
    channel.close();
    for (var r : receivers) {
      assertThat(r.wakes()).isEqualTo(1);
      assertThatThrownBy(r::poll).isInstanceOf(ChannelClosedException.class);
    }
    Channel<Integer> full = Channel.bounded(1);
    full.trySend(0);
    var senders = List.of(Polls.of(full.send(1)), Polls.of(full.send(2)));
    senders.forEach(Polls::poll);
    full.close();
    for (var s : senders) {
      assertThat(s.wakes()).isEqualTo(1);
      assertThatThrownBy(s::poll).isInstanceOf(ChannelClosedException.class);
    }
    assertThat(full.tryReceive()).isZero();
    assertThat(full.isDrained()).isTrue();
  }

  @Test
  void aWaiterThatIsPassedOver_goesBeforeNewcomersInTheEnd() {
    Channel<Integer> channel = Channel.bounded(8);
    var patient = Polls.of(channel.receive());
    assertThat(patient.poll()).isNull();
    for (int i = 1; i <= WaitQueue.HUNGRY; i++) {
      channel.trySend(i);
      assertThat(patient.wakes()).isEqualTo(i);
      assertThat(channel.receive().await()).as("a newcomer overtakes").isEqualTo(i);
      assertThat(patient.poll()).isNull();
    }
    channel.trySend(100);
    var newcomers = List.of(Polls.of(channel.receive()), Polls.of(channel.receive()));
    newcomers.forEach(n -> assertThat(n.poll()).as("queues behind").isNull());
    channel.trySend(101);
    channel.trySend(102);
    channel.trySend(103);
    assertThat(patient.poll()).isEqualTo(100);
    for (int i = 0; i < 2; i++) {
      assertThat(newcomers.get(i).wakes()).isPositive();
      assertThat(newcomers.get(i).poll()).isEqualTo(101 + i);
    }
    assertThat(channel.receive().await()).as("open to newcomers again").isEqualTo(103);
  }

  @Test
  void aHungryWaiterThatIsDropped_letsTheOthersIn() {
    Channel<Integer> channel = Channel.bounded(8);
    var patient = Polls.of(channel.receive());
    patient.poll();
    for (int i = 0; i < WaitQueue.HUNGRY; i++) {
      channel.trySend(i);
      channel.tryReceive();
      patient.poll();
    }
    channel.trySend(7);
    channel.trySend(8);
    var newcomers = List.of(Polls.of(channel.receive()), Polls.of(channel.receive()));
    newcomers.forEach(Polls::poll);
    patient.drop();
    for (int i = 0; i < 2; i++) {
      assertThat(newcomers.get(i).wakes()).isPositive();
      assertThat(newcomers.get(i).poll()).isEqualTo(7 + i);
    }
    assertThat(channel.receivers.isClosedToNewcomers()).isFalse();
  }

  @Test
  void receiveMany_takesWhatIsThere() {
    Channel<Integer> channel = Channel.unbounded();
    for (int i = 0; i < 5; i++) {
      channel.trySend(i);
    }
    assertThat(channel.receiveMany(3).await()).containsExactly(0, 1, 2);
    assertThat(channel.receiveMany(3).await()).containsExactly(3, 4);
    assertThat(channel.tryReceiveMany(3)).isEmpty();
    assertThatThrownBy(() -> channel.receiveMany(0))
        .hasMessage("receive at least 1 message, not 0");
  }

  @Test
  void permit_keepsRoom_andOutlivesTheClose() {
    Channel<Integer> channel = Channel.bounded(2);
    Permit<Integer> permit = channel.reserve().await();
    assertThat(channel.trySend(1)).isEqualTo(SendResult.SENT);
    assertThat(channel.trySend(2)).isEqualTo(SendResult.FULL);
    channel.close();
    assertThat(channel.tryReceive()).isEqualTo(1);
    var receiver = Polls.of(channel.next());
    assertThat(receiver.poll()).as("the permit is out").isNull();
    permit.send(3);
    assertThat(receiver.poll()).isEqualTo(Optional.of(3));
    assertThat(channel.isDrained()).isTrue();
    assertThatThrownBy(() -> permit.send(4)).hasMessageContaining("used or closed already");
    permit.close();
  }

  @Test
  void permit_thatIsGivenBack_letsASenderIn_andEndsAClosedChannel() {
    Channel<Integer> channel = Channel.bounded(1);
    Permit<Integer> permit = channel.reserve().await();
    var sender = Polls.of(channel.send(1));
    assertThat(sender.poll()).isNull();
    permit.close();
    permit.close();
    assertThat(sender.wakes()).isEqualTo(1);
    assertThat(sender.poll()).isEqualTo(Done.DONE);
    assertThat(channel.tryReceive()).isEqualTo(1);
    Permit<Integer> last = channel.reserve().await();
    channel.close();
    var receivers = List.of(Polls.of(channel.next()), Polls.of(channel.next()));
    receivers.forEach(r -> assertThat(r.poll()).isNull());
    last.close();
    receivers.forEach(r -> assertThat(r.poll()).isEqualTo(Optional.empty()));
  }

  @Test
  void permits_haveNoLimitButTheRoom() {
    Channel<Integer> channel = Channel.bounded(100_000);
    for (int i = 0; i < 100_000; i++) {
      assertThat(channel.tryReserve()).isNotNull();
    }
    assertThat(channel.tryReserve()).isNull();
    Channel<Integer> unbounded = Channel.unbounded();
    for (int i = 0; i < 100_000; i++) {
      assertThat(unbounded.tryReserve()).isNotNull();
    }
  }

  @Test
  void permitsBeyondWhatCanBeCounted_areWaitedFor() {
    var buffer = new SegmentedBuffer<Integer>(2, 0);
    Channel<Integer> channel = new Channel<>(buffer);
    Permit<Integer> used = channel.tryReserve();
    for (int i = 1; i < Buffer.MAX_PERMITS; i++) {
      buffer.tryReserve();
    }
    assertThat(channel.tryReserve()).isNull();
    assertThat(channel.trySend(1)).isEqualTo(SendResult.SENT);
    var first = Polls.of(channel.reserve());
    var second = Polls.of(channel.reserve());
    assertThat(first.poll()).isNull();
    assertThat(second.poll()).isNull();
    used.send(2);
    assertThat(first.wakes()).isEqualTo(1);
    Permit<Integer> permit = first.poll();
    assertThat(permit).isNotNull();
    permit.close();
    assertThat(second.poll()).isNotNull();
    channel.close();
    assertThat(channel.tryReceive()).isEqualTo(1);
    assertThat(channel.tryReceive()).isEqualTo(2);
    assertThat(channel.isDrained()).isFalse();
  }

  @Test
  void theLastSender_closesTheChannel() {
    Channel<Integer> channel = Channel.bounded(2);
    Sender<Integer> first = channel.sender();
    Sender<Integer> second = first.copy();
    first.close();
    first.close();
    assertThat(second.trySend(1)).isEqualTo(SendResult.SENT);
    second.close();
    assertThat(channel.isClosed()).isTrue();
    assertThatThrownBy(() -> second.trySend(2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("this handle was closed: Sender[closed, Channel[");
  }

  @Test
  void theLastReceiver_closesTheChannel_andSendersLearnOfIt() {
    Channel<Integer> channel = Channel.bounded(1);
    channel.trySend(0);
    var sender = Polls.of(channel.send(1));
    sender.poll();
    try (Receiver<Integer> receiver = channel.receiver();
        Receiver<Integer> copy = receiver.copy()) {
      assertThat(copy.toString()).startsWith("Receiver[Channel[");
    }
    assertThatThrownBy(sender::poll).isInstanceOf(ChannelClosedException.class);
    assertThat(channel.tryReceive()).as("what was accepted stays receivable").isZero();
  }

  @Test
  void receiver_isALoop() {
    Channel<Integer> channel = Channel.bounded(4);
    channel.trySend(1);
    channel.trySend(2);
    channel.close();
    var seen = new ArrayList<Integer>();
    for (var message : channel.receiver()) {
      seen.add(message);
    }
    assertThat(seen).containsExactly(1, 2);
    assertThatThrownBy(() -> channel.receiver().iterator().next())
        .isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void polledAfterTheEnd_isAnError() {
    Channel<Integer> channel = Channel.bounded(2);
    var send = Polls.of(channel.send(1));
    assertThat(send.poll()).isEqualTo(Done.DONE);
    assertThatThrownBy(send::poll)
        .hasMessageContaining("was already awaited or dropped; make a new one");
    assertThat(channel.length()).as("it was not sent twice").isEqualTo(1);
  }

  @Test
  void tryOperations_allocateNothing() {
    Channel<Integer> channel = Channel.bounded(3);
    Integer message = 1;
    Runnable body =
        () -> {
          for (int i = 0; i < 10_000; i++) {
            channel.trySend(message);
            channel.tryReceive();
          }
        };
    // Less than a byte an operation. Not zero: code that is compiled anew meanwhile brings objects
    // back that the compiler had done away with.
    assertThat(Memory.allocatedBy(body)).isLessThan(10_000);
  }

  @Test
  void toString_saysWhatIsWaitedFor() {
    Channel<Integer> channel = Channel.bounded(3);
    channel.trySend(1);
    assertThat(channel).hasToString("Channel[capacity 3, 1 inside, open]");
    assertThat(channel.send(1)).hasToString("room in Channel[capacity 3, 1 inside, open]");
    assertThat(channel.receive()).hasToString("a message from Channel[capacity 3, 1 inside, open]");
    assertThat(channel.reserve()).hasToString("a permit for Channel[capacity 3, 1 inside, open]");
    assertThat(Channel.unbounded()).hasToString("Channel[unbounded, 0 inside, open]");
  }

  @Test
  void aBoundedChannelOfMany_takesMemoryAsItFills() {
    long atRest = Memory.allocatedBy(() -> Channel.bounded(1_000_000));
    assertThat(atRest).isLessThan(20_000);
    Channel<Integer> channel = Channel.bounded(10_000);
    for (int i = 0; i < 10_000; i++) {
      assertThat(channel.trySend(i)).isEqualTo(SendResult.SENT);
    }
    assertThat(channel.trySend(0)).isEqualTo(SendResult.FULL);
    var sender = Polls.of(channel.send(10_000));
    assertThat(sender.poll()).isNull();
    assertThat(channel.tryReceiveMany(5)).containsExactly(0, 1, 2, 3, 4);
    assertThat(sender.poll()).isEqualTo(Done.DONE);
    assertThat(channel).hasToString("Channel[capacity 10000, 9996 inside, open]");
  }

  @Test
  void copyRacingClose_neverYieldsACopyOfAClosedChannel() throws Exception {
    for (int i = 0; i < 2_000; i++) {
      Channel<Integer> channel = Channel.bounded(1);
      Sender<Integer> sender = channel.sender();
      Channel<Integer> other = Channel.bounded(1);
      Receiver<Integer> receiver = other.receiver();
      Race.run(
          2,
          racer -> {
            if (racer == 0) {
              sender.close();
              receiver.close();
              return;
            }
            try (Sender<Integer> copy = sender.copy()) {
              assertThat(copy.trySend(1)).isNotEqualTo(SendResult.CLOSED);
            } catch (IllegalStateException e) {
              assertThat(e).hasMessageContaining("this handle was closed");
            }
            try (Receiver<Integer> copy = receiver.copy()) {
              assertThat(copy.toString()).endsWith("open]]");
            } catch (IllegalStateException e) {
              assertThat(e).hasMessageContaining("this handle was closed");
            }
          });
      assertThat(channel.isClosed()).isTrue();
      assertThat(other.isClosed()).isTrue();
    }
  }

  @Test
  void aWokenWaiterThatFails_passesTheWakeOn() {
    Channel<Integer> channel = Channel.bounded(4);
    var failing =
        new ReceiveFuture<Integer, Integer>(channel) {
          @Override
          @Nullable Integer attempt() {
            if (channel.length() > 0) {
              throw new AssertionError("as if out of memory");
            }
            return null;
          }
        };
    var first = Polls.of(failing);
    var second = Polls.of(channel.receive());
    assertThat(first.poll()).isNull();
    assertThat(second.poll()).isNull();
    channel.trySend(1);
    assertThatThrownBy(first::poll).hasMessage("as if out of memory");
    assertThat(second.wakes()).isEqualTo(1);
    assertThat(second.poll()).isEqualTo(1);
  }

  /** Nobody drops a future that has thrown. */
  @Test
  void aWaiterWhosePollThrows_leavesItsPlace() {
    Channel<Integer> channel = Channel.bounded(4);
    var first = channel.receive();
    var second = Polls.of(channel.receive());
    assertThat(first.poll(Context.of(() -> {}))).isNull();
    assertThat(second.poll()).isNull();
    assertThatThrownBy(() -> first.poll(new FailingContext())).hasMessage("no waker");
    assertThat(channel.receivers.length()).isEqualTo(1);
    channel.trySend(1);
    assertThat(second.wakes()).isEqualTo(1);
    assertThat(second.poll()).isEqualTo(1);
  }

  /** One who reserves and was woken in vain often holds newcomers back, but not these. */
  @Test
  void dropOldest_sendsBesideAHungryReserve() throws Exception {
    Channel<Integer> channel = Channel.dropOldest(1, dropped -> {});
    assertThat(channel.trySend(0)).isEqualTo(SendResult.SENT);
    Context cx = Context.of(() -> {});
    var reserve = channel.reserve();
    assertThat(reserve.poll(cx)).isNull();
    for (int i = 1; i < 40; i++) {
      assertThat(channel.trySend(i)).isEqualTo(SendResult.SENT);
      assertThat(reserve.poll(cx)).isNull();
    }
    assertThat(channel.send(40).poll(cx)).isEqualTo(Done.DONE);
    reserve.drop();
    assertThat(channel.tryReceive()).isEqualTo(40);
  }

  @Test
  void dropOldest_doesNotWait_onceAPermitWasUsed() {
    List<Integer> dropped = new ArrayList<>();
    Channel<Integer> channel = Channel.dropOldest(1, dropped::add);
    try (Permit<Integer> permit = channel.tryReserve()) {
      var send = Polls.of(channel.send(2));
      assertThat(send.poll()).as("all room is promised, there is nothing to drop").isNull();
      permit.send(1);
      assertThat(send.wakes()).isEqualTo(1);
      assertThat(send.poll()).isEqualTo(Done.DONE);
    }
    assertThat(dropped).containsExactly(1);
    assertThat(channel.tryReceive()).isEqualTo(2);
  }

  @Test
  void messagesReceivedTogether_areAnUnmodifiableList() {
    Channel<Integer> channel = Channel.bounded(8);
    for (int i = 0; i < 5; i++) {
      channel.trySend(i);
    }
    List<Integer> three = channel.tryReceiveMany(3);
    assertThat(three).containsExactly(0, 1, 2);
    assertThatThrownBy(() -> three.add(1)).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> three.get(3)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(channel.tryReceiveMany(0)).isEmpty();
    assertThat(channel.tryReceiveMany(-1)).isEmpty();
    assertThat(channel.length()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5_000})
  void dropOldest_keepsTheLatest_andGivesTheRestAway(int capacity) {
    List<Integer> dropped = new ArrayList<>();
    Channel<Integer> channel = Channel.dropOldest(capacity, dropped::add);
    for (int i = 0; i < capacity + 3; i++) {
      assertThat(channel.trySend(i)).isEqualTo(SendResult.SENT);
    }
    assertThat(dropped).containsExactly(0, 1, 2);
    assertThat(channel.send(99).await()).isEqualTo(Done.DONE);
    assertThat(dropped).hasSize(4);
    assertThat(channel.tryReceiveMany(Integer.MAX_VALUE)).hasSize(capacity).contains(99);
    for (int i = 0; i < capacity; i++) {
      assertThat(channel.tryReserve()).isNotNull();
    }
    assertThat(channel.trySend(1)).as("all room is promised").isEqualTo(SendResult.FULL);
    channel.close();
    assertThat(channel.trySend(1)).isEqualTo(SendResult.CLOSED);
  }

  @Test
  void dropOldest_underRace_receivedPlusDroppedIsSent() throws Exception {
    int each = 20_000;
    var dropped = new AtomicInteger();
    var received = new AtomicInteger();
    Channel<Integer> channel = Channel.dropOldest(2, m -> dropped.incrementAndGet());
    var left = new AtomicInteger(2);
    Race.run(
        3,
        racer -> {
          if (racer < 2) {
            for (int i = 0; i < each; i++) {
              assertThat(channel.trySend(i)).isEqualTo(SendResult.SENT);
            }
            if (left.decrementAndGet() == 0) {
              channel.close();
            }
          } else {
            for (var message : channel.receiver()) {
              assertThat(message).isNotNegative();
              received.incrementAndGet();
            }
          }
        });
    assertThat(received.get() + dropped.get()).isEqualTo(2 * each);
  }

  /** One that looks as soon as it is called is back in the queue before the others are called. */
  @Test
  void dropOldest_whenAReserveComesBackAtOnce_theSendBehindItIsCalledToo() {
    Channel<Integer> channel = Channel.dropOldest(1, dropped -> {});
    try (Permit<Integer> permit = channel.tryReserve()) {
      var reserve = channel.reserve();
      var looks = new AtomicInteger();
      Context eager = new EagerContext(reserve, looks);
      assertThat(reserve.poll(eager)).isNull();
      var send = Polls.of(channel.send(2));
      assertThat(send.poll()).as("all room is promised, there is nothing to drop").isNull();
      permit.send(1);
      assertThat(looks).as("of the reserve").hasValue(1);
      assertThat(send.wakes()).isEqualTo(1);
      assertThat(send.poll()).isEqualTo(Done.DONE);
      reserve.drop();
    }
  }

  @Test
  void dropOldest_thatIsClosedBeforeTheNewMessageIsIn_keepsTheOld() {
    List<Integer> dropped = new ArrayList<>();
    Channel<Integer> channel = Channel.dropOldest(1, dropped::add);
    channel.trySend(1);
    var reserve = channel.reserve();
    assertThat(reserve.poll(Context.of(channel::close)))
        .isNull(); // room, if any, comes to its ears
    SendResult result = channel.trySend(2);
    if (result == SendResult.SENT) {
      assertThat(dropped).containsExactly(1);
      assertThat(channel.tryReceive()).isEqualTo(2);
    } else {
      assertThat(dropped).isEmpty();
      assertThat(channel.tryReceive()).isEqualTo(1);
    }
    reserve.drop();
  }

  /** A reserve must not get the room that a drop has made for a message. */
  @Test
  void dropOldest_besideAReserve_dropsOnlyForAMessageThatComes() throws Exception {
    for (int round = 0; round < 1_000; round++) {
      List<Integer> dropped = new ArrayList<>();
      Channel<Integer> channel = Channel.dropOldest(1, dropped::add);
      channel.trySend(1);
      var sent = new AtomicReference<SendResult>();
      Race.run(who -> sent.set(channel.trySend(2)), who -> channel.tryReserve());
      assertThat(dropped.isEmpty()).as("nothing dropped").isEqualTo(sent.get() != SendResult.SENT);
    }
  }

  /** Its waker polls at once, on the thread of whoever wakes. */
  private record EagerContext(UncheckedFuture<?> future, AtomicInteger looks) implements Context {
    @Override
    public Waker waker() {
      return () -> {
        looks.incrementAndGet();
        future.poll(this);
      };
    }

    @Override
    public boolean proceed() {
      return true;
    }
  }

  private static final class FailingContext implements Context {
    @Override
    public Waker waker() {
      throw new AssertionError("no waker");
    }

    @Override
    public boolean proceed() {
      return true;
    }
  }
}
