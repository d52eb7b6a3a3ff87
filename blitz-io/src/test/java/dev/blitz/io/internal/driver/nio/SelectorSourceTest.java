package dev.blitz.io.internal.driver.nio;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.internal.driver.Backend;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.readiness.EventBits;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class SelectorSourceTest {
  private SelectorSource source;
  private NioDriver driver;
  private final SelectorEvents batch = new SelectorEvents();

  @BeforeEach
  void open() throws Exception {
    source = SelectorSource.open();
    driver =
        new NioDriver(new Seats(1, TimeSource.system()), Backend.available("nio", "for a test"));
  }

  @AfterEach
  void close() {
    source.close();
    driver.close();
  }

  private NioSocket<DatagramChannel> socket(long key) throws Exception {
    DatagramChannel channel = DatagramChannel.open();
    channel.configureBlocking(false);
    channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    var socket = new NioSocket<>(driver, channel);
    socket.knownAs(key);
    return socket;
  }

  private static void sendItself(NioSocket<DatagramChannel> socket) throws Exception {
    socket.channel().send(ByteBuffer.allocate(1), socket.channel().getLocalAddress());
  }

  @Test
  void aWake_endsOneWait_andWhoLooksLeavesIt() {
    source.wake();
    source.wake();
    source.look(batch);
    source.await(batch, -1);
    assertThat(batch.count()).isZero();
    long begin = System.nanoTime();
    source.await(batch, TimeUnit.MICROSECONDS.toNanos(1500));
    assertThat(System.nanoTime() - begin).as("it was used up").isGreaterThan(1_500_000);
  }

  @Test
  void whatWasFound_isNotFoundAgain_untilItIsArmedAgain() throws Exception {
    var socket = socket(7);
    sendItself(socket);
    source.arm(socket, OP_READ);
    source.await(batch, -1);
    assertThat(batch.count()).isEqualTo(1);
    assertThat(batch.key(0)).isEqualTo(7);
    assertThat(batch.bits(0)).isEqualTo(EventBits.READABLE);
    source.look(batch);
    assertThat(batch.count()).isZero();
    source.arm(socket, OP_WRITE | OP_READ);
    source.look(batch);
    assertThat(batch.count()).isEqualTo(1);
    assertThat(batch.bits(0)).isEqualTo(EventBits.READABLE | EventBits.WRITABLE);
    source.leave(socket);
  }

  @Test
  void aWaitThatHasBegun_findsWhatIsArmedLater() throws Exception {
    var socket = socket(7);
    sendItself(socket);
    Race.run(
        who -> {
          while (batch.count() == 0) {
            source.await(batch, -1);
          }
        },
        who -> source.arm(socket, OP_READ));
    assertThat(batch.key(0)).isEqualTo(7);
    source.leave(socket);
  }

  /** Whatever the one who waits does: neither a close nor a wake waits for it in vain. */
  @Test
  void aSocketThatLeaves_isClosed_thoughSomebodyWaitsAllTheTime() throws Exception {
    var over = new AtomicBoolean();
    Race.run(
        who -> {
          while (!over.get()) {
            source.await(batch, -1);
          }
        },
        who -> {
          for (int i = 0; i < 1000; i++) {
            var socket = socket(i);
            source.arm(socket, OP_READ);
            if (i % 2 == 0) {
              source.wake();
            }
            source.leave(socket);
            assertThat(socket.isGone()).isTrue();
            assertThat(socket.channel().isOpen()).isFalse();
            assertThat(socket.channel().isRegistered()).isFalse();
          }
          over.set(true);
          source.wake();
        });
  }

  /** As after a connect that has failed: the JDK closes the channel itself. */
  @Test
  void aChannelThatIsClosedAlready_countsAsFound() throws Exception {
    var fresh = socket(1);
    fresh.channel().close();
    source.arm(fresh, OP_READ);
    source.await(batch, -1);
    assertThat(batch.count()).isEqualTo(1);
    assertThat(batch.bits(0)).isEqualTo(EventBits.ERROR);
    var known = socket(2);
    source.arm(known, OP_READ);
    source.look(batch);
    known.channel().close();
    source.arm(known, OP_WRITE);
    source.await(batch, -1);
    assertThat(batch.count()).isEqualTo(1);
    assertThat(batch.key(0)).isEqualTo(2);
    source.leave(fresh);
    source.leave(known);
  }

  @Test
  void anInterrupt_endsNoWaitBeforeItsTime_andIsNotLeftBehind() {
    Thread.currentThread().interrupt();
    long begin = System.nanoTime();
    source.await(batch, TimeUnit.MILLISECONDS.toNanos(5));
    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(5_000_000);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void moreThanABatchHasRoomFor_areAllFound() throws Exception {
    int count = 100;
    NioSocket<?>[] sockets = new NioSocket<?>[count];
    for (int i = 0; i < count; i++) {
      var socket = socket(i);
      sockets[i] = socket;
      source.arm(socket, OP_WRITE);
    }
    source.await(batch, -1);
    assertThat(batch.count()).isEqualTo(count);
    for (NioSocket<?> socket : sockets) {
      source.leave(socket);
    }
  }

  @Test
  void aClosedSource_doesNothing_andStillClosesSockets() throws Exception {
    var socket = socket(1);
    source.arm(socket, OP_READ);
    source.look(batch);
    source.close();
    source.close();
    source.wake();
    source.await(batch, -1);
    source.look(batch);
    assertThat(batch.count()).isZero();
    source.leave(socket);
    assertThat(socket.channel().isOpen()).isFalse();
  }

  // --- Without memory ---

  private static Set<Long> keys(SelectorEvents batch) {
    var keys = new TreeSet<Long>();
    for (int i = 0; i < batch.count(); i++) {
      keys.add(batch.key(i));
    }
    return keys;
  }

  @Test
  void withoutMemoryForOne_theOthersKeepTheirPlaceInTheQueue() throws Exception {
    for (int goodOnes = 0; goodOnes < 3; goodOnes++) {
      var selector = new ForgetfulSelector();
      var poor = new SelectorSource(selector);
      var sockets = List.of(socket(1), socket(2), socket(3));
      sockets.forEach(socket -> poor.arm(socket, OP_READ));
      selector.registrations = goodOnes;
      assertThatThrownBy(() -> poor.look(batch)).isInstanceOf(InternalError.class);
      poor.look(batch);
      assertThat(keys(batch)).containsExactly(1L, 2L, 3L);
      sockets.forEach(poor::leave);
      poor.close();
    }
  }

  @Test
  void withoutMemoryForOne_anotherThatLeaves_isClosedAllTheSame() throws Exception {
    var selector = new ForgetfulSelector();
    var poor = new SelectorSource(selector);
    var leaving = socket(1);
    var staying = socket(2);
    poor.arm(leaving, OP_READ);
    poor.look(batch); // and it is in the queue again, as it was found
    selector.registrations = 0;
    poor.arm(staying, OP_READ);
    poor.leave(leaving);
    assertThat(leaving.isGone()).isTrue();
    assertThat(leaving.channel().isOpen()).isFalse();
    poor.look(batch);
    assertThat(keys(batch)).containsExactly(2L);
    poor.leave(staying);
    poor.close();
  }

  @Test
  void withoutMemoryToCloseEverything_theSelectorIsClosed() throws Exception {
    var selector = new ForgetfulSelector();
    var poor = new SelectorSource(selector);
    var socket = socket(1);
    poor.arm(socket, OP_READ);
    selector.registrations = 0;
    poor.close();
    assertThat(selector.isOpen()).isFalse();
    poor.leave(socket);
    assertThat(socket.channel().isOpen()).isFalse();
  }

  /** It is not waited for any more: nobody would find it again. */
  @Test
  void whatWasFound_staysInTheBatch_ifThereIsNoMemoryForTheRest() throws Exception {
    var selector = new ForgetfulSelector();
    var poor = new SelectorSource(selector);
    var sockets = List.of(socket(1), socket(2));
    sockets.forEach(socket -> poor.arm(socket, OP_READ));
    selector.findings = 1;
    assertThatThrownBy(() -> poor.await(batch, -1)).isInstanceOf(InternalError.class);
    var all = keys(batch);
    assertThat(all).hasSize(1);
    poor.look(batch);
    all.addAll(keys(batch));
    assertThat(all).containsExactly(1L, 2L);
    sockets.forEach(poor::leave);
    poor.close();
  }
}
