package dev.blitz.io.internal.driver.iocp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.nio.NioBackend;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A stream of the JDK's asynchronous channels, one step after the other. */
@Strict
@OnceIsEnough
class IocpStepsTest {
  private static final Waker NOBODY = () -> {};
  private static final int LARGE = IocpTuning.MOST_IN;

  private IocpDriver driver;
  private ScriptedChannel channel;
  private StreamEndpoint stream;

  @BeforeEach
  void open() throws IOException {
    var nio = new NioBackend();
    var probe = new IocpBackend(nio).probe();
    var seats = new Seats(1, TimeSource.system());
    driver =
        new IocpDriver(nio.create(seats, probe), probe, TimeUnit.HOURS.toNanos(1), /* last */ 0);
    channel = new ScriptedChannel();
    stream = driver.connected(channel);
  }

  @AfterEach
  void close() {
    driver.close();
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static IOException reset() {
    return new IOException("Connection reset by peer");
  }

  private int tryWrite(String text) throws IOException {
    return stream.pollWrite(bytes(text), null);
  }

  /** The system may still write to it: it must not be another connection's by then. */
  @Test
  void aPendingRead_keepsItsMemory_alsoIfTheWriterFindsTheConnectionBroken() throws Exception {
    stream.pollPeek(ByteBuffer.allocate(LARGE), NOBODY); // a peek asks for all of it
    var pending = channel.takeRead();
    stream.pollWrite(bytes("x"), NOBODY);
    channel.takeWrite().fail(reset());
    assertThatThrownBy(() -> stream.pollRead(ByteBuffer.allocate(LARGE), NOBODY))
        .isInstanceOf(SocketException.class);

    var other = new ScriptedChannel();
    StreamEndpoint another = driver.connected(other);
    another.pollPeek(ByteBuffer.allocate(LARGE), NOBODY);
    other.takeRead().receive("mine");
    pending.receive("late");
    var target = ByteBuffer.allocate(4);
    assertThat(another.pollRead(target, NOBODY)).isEqualTo(4);
    assertThat(target).isEqualTo(bytes("mine"));
  }

  @Test
  void aReadThatIsOver_leavesItsMemoryToOthers() throws Exception {
    stream.pollPeek(ByteBuffer.allocate(LARGE), NOBODY);
    var first = channel.takeRead();
    long address = MemorySegment.ofBuffer(first.memory()).address();
    first.receive("abc");
    assertThat(stream.pollRead(ByteBuffer.allocate(3), NOBODY)).isEqualTo(3);

    var other = new ScriptedChannel();
    driver.connected(other).pollPeek(ByteBuffer.allocate(LARGE), NOBODY);
    assertThat(MemorySegment.ofBuffer(other.takeRead().memory()).address()).isEqualTo(address);
  }

  @Test
  void aReadThatWaits_asksForAsMuchAsReadsHaveBrought_andForNoMoreThanThereIsRoomFor()
      throws Exception {
    var target = ByteBuffer.allocate(LARGE);
    stream.pollRead(target, NOBODY);
    var first = channel.takeRead();
    assertThat(first.memory().remaining()).isEqualTo(IocpTuning.FIRST_IN);
    first.complete();
    assertThat(stream.pollRead(target, NOBODY)).isEqualTo(IocpTuning.FIRST_IN);
    stream.pollRead(target, NOBODY);
    assertThat(channel.takeRead().memory().remaining()).isGreaterThan(IocpTuning.FIRST_IN);

    var other = new ScriptedChannel();
    driver.connected(other).pollRead(ByteBuffer.allocate(7), NOBODY);
    assertThat(other.takeRead().memory().remaining()).isEqualTo(7);
  }

  @Test
  void closing_wakesWhoeverWaits_andIsForgotten_alsoIfTheSystemsPartFails() throws Exception {
    var wakes = new AtomicInteger();
    stream.pollRead(ByteBuffer.allocate(1), wakes::incrementAndGet);
    channel.onClose = new InternalError("as a test wants it");
    stream.close();
    assertThat(wakes).hasValue(1);
    assertThat(driver).asString().contains("0 endpoints");
  }

  @Test
  void aConnectThatIsRefusedAtOnce_isRefusedAgain() {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> stream.pollConnect(channel.getLocalAddress(), NOBODY))
          .isInstanceOf(SocketException.class);
    }
  }

  // --- What a try leaves behind ---

  @Test
  void aTry_leavesALittleBehindWhatIsBeingSent_once() throws Exception {
    assertThat(tryWrite("first")).isEqualTo(5);
    assertThat(tryWrite("second")).isEqualTo(6);
    assertThat(tryWrite("third")).isEqualTo(StreamEndpoint.PENDING);
    channel.takeWrite().complete();
    channel.takeWrite().complete();
    assertThat(channel.isWriting()).isFalse();
    assertThat(tryWrite("third")).isEqualTo(5);
    channel.takeWrite().complete();
    assertThat(channel.events).containsExactly("write first", "write second", "write third");
  }

  @Test
  void aTry_leavesNothingBehind_thatIsLong() throws Exception {
    assertThat(tryWrite("first")).isEqualTo(5);
    var much = ByteBuffer.allocate(IocpTuning.MOST_BEHIND + 1);
    assertThat(stream.pollWrite(much, null)).isEqualTo(StreamEndpoint.PENDING);
    assertThat(stream.pollWrite(much.limit(IocpTuning.MOST_BEHIND), null))
        .isEqualTo(IocpTuning.MOST_BEHIND);
    channel.takeWrite().complete();
    assertThat(channel.takeWrite().memory().remaining()).isEqualTo(IocpTuning.MOST_BEHIND);
  }

  /** Its own buffer is the caller's again. */
  @Test
  void whatIsLeftBehind_isACopy() throws Exception {
    assertThat(tryWrite("first")).isEqualTo(5);
    ByteBuffer mine = bytes("second");
    assertThat(stream.pollWrite(mine, null)).isEqualTo(6);
    mine.put(0, "xxxxxx".getBytes(StandardCharsets.US_ASCII));
    channel.takeWrite().complete();
    assertThat(channel.takeWrite().text()).isEqualTo("second");
  }

  @Test
  void aWriterThatWaits_isWokenWhenAllIsSent_notBefore() throws Exception {
    var wakes = new AtomicInteger();
    assertThat(tryWrite("first")).isEqualTo(5);
    assertThat(tryWrite("second")).isEqualTo(6);
    assertThat(stream.pollWrite(bytes("third"), wakes::incrementAndGet))
        .isEqualTo(StreamEndpoint.PENDING);
    channel.takeWrite().complete();
    assertThat(wakes).hasValue(0);
    channel.takeWrite().complete();
    assertThat(wakes).hasValue(1);
  }

  @Test
  void theEndOfTheOutput_andAClose_comeAfterWhatWasLeftBehind() throws Exception {
    assertThat(tryWrite("first")).isEqualTo(5);
    assertThat(tryWrite("second")).isEqualTo(6);
    stream.shutdownOutput();
    assertThatThrownBy(() -> tryWrite("third")).hasMessageContaining("has ended");
    channel.takeWrite().complete();
    assertThat(channel.events).containsExactly("write first", "write second");
    stream.close();
    assertThat(driver.lingering()).isEqualTo(1);
    channel.takeWrite().complete();
    assertThat(channel.events).containsExactly("write first", "write second", "close");
    assertThat(driver.lingering()).isZero();

    channel = new ScriptedChannel();
    stream = driver.connected(channel);
    assertThat(tryWrite("first")).isEqualTo(5);
    assertThat(tryWrite("second")).isEqualTo(6);
    stream.shutdownOutput();
    channel.takeWrite().complete();
    channel.takeWrite().complete();
    assertThat(channel.events).containsExactly("write first", "write second", "end of output");
  }

  @Test
  void aFailure_losesWhatWasLeftBehind_andTheNextWriteIsTold() throws Exception {
    assertThat(tryWrite("first")).isEqualTo(5);
    assertThat(tryWrite("second")).isEqualTo(6);
    channel.takeWrite().fail(reset());
    assertThat(channel.isWriting()).isFalse();
    assertThatThrownBy(() -> tryWrite("third")).hasMessageContaining("reset");
    stream.close();
    assertThat(channel.events).containsExactly("write first", "close");
  }

  @Test
  void aClosedStream_takesNothingMore_andSendsWhatItHas() throws Exception {
    assertThat(tryWrite("first")).isEqualTo(5);
    assertThat(tryWrite("second")).isEqualTo(6);
    stream.close();
    assertThatThrownBy(() -> tryWrite("third")).isInstanceOf(ClosedChannelException.class);
    channel.takeWrite().complete();
    channel.takeWrite().complete();
    assertThat(channel.events).containsExactly("write first", "write second", "close");
  }

  /** The memory of a large write waits for the next one, of any stream. */
  @Test
  void whatWasSent_leavesItsMemoryToOthers() throws Exception {
    stream.pollWrite(ByteBuffer.allocate(LARGE), NOBODY);
    var first = channel.takeWrite();
    long address = MemorySegment.ofBuffer(first.memory().duplicate().clear()).address();
    first.complete();
    var other = new ScriptedChannel();
    driver.connected(other).pollWrite(ByteBuffer.allocate(LARGE), NOBODY);
    var second = other.takeWrite();
    assertThat(MemorySegment.ofBuffer(second.memory()).address()).isEqualTo(address);
    second.complete();
  }
}
