package dev.blitz.io.internal.driver.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.socket.SocketDescriptor;
import dev.blitz.io.internal.driver.socket.SocketHandle;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the kernel promises of sends that it tells of only if they fail, on TCP. */
@Strict
@OnceIsEnough
class SilentSendTest {
  private static final int BYTES = 16 * 1024;

  @BeforeEach
  void needsIoUring() {
    var probe = new UringBackend().probe();
    assumeTrue(probe.available(), probe.detail());
  }

  /** A connection: our end is a number, the other one the JDK's. */
  private static final class Connection implements AutoCloseable {
    final SocketDescriptor near = SocketHandle.openSocket(AddressFamily.IPV4);
    final Socket far;
    final UringRing ring = new UringRing(4, 8);
    final Arena arena = Arena.ofConfined();
    final MemorySegment memory = arena.allocate(BYTES);

    Connection() throws IOException {
      try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        var address = new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
        var handle = new SocketHandle(UringDriver.NAME, near, AddressFamily.IPV4, call -> false);
        assertThat(handle.beginConnect(address)).isIn(0, -Errno.EINPROGRESS);
        far = server.accept();
      }
    }

    /** The answer, or null if all was sent. */
    @Nullable Integer send(int bytes) {
      long at = ring.claim();
      SubmissionAbi.sendAtOnce(ring.entries(), at, near.number(), memory.address(), bytes, 7);
      int entry = ring.nextEntry();
      ring.push();
      assertThat(ring.firstNotTaken()).isEqualTo(entry);
      ring.submit();
      assertThat(ring.firstNotTaken()).as("taken").isEqualTo(entry + 1);
      if (ring.ready() == 0) {
        return null;
      }
      assertThat(ring.userData(0)).isEqualTo(7);
      int result = ring.result(0);
      ring.consume(1);
      return result;
    }

    @Override
    public void close() throws IOException {
      ring.close();
      arena.close();
      near.close();
      far.close();
    }
  }

  @Test
  void allThatFits_isSentWithinTheCall_andItsMemoryMayBeUsedAgain() throws Exception {
    try (var connection = new Connection()) {
      for (int i = 0; i < 2000; i++) {
        connection.memory.fill((byte) i);
        assertThat(connection.send(20)).isNull();
        connection.memory.fill((byte) ~i);
      }
      for (int i = 0; i < 2000; i++) {
        for (byte b : connection.far.getInputStream().readNBytes(20)) {
          assertThat(b).isEqualTo((byte) i);
        }
      }
    }
  }

  @Test
  void withoutRoom_itTellsHowFarItCame_beforeTheCallEnds_andSendsNoMore() throws Exception {
    try (var connection = new Connection()) {
      long sent = 0;
      connection.memory.fill((byte) 1);
      @Nullable Integer told = connection.send(BYTES);
      while (told == null) {
        sent += BYTES;
        told = connection.send(BYTES);
      }
      sent += Math.max(0, told);
      assertThat(told).isLessThan(BYTES).isNotZero();
      assertThat(connection.send(1)).as("there is no room for anything").isEqualTo(-Errno.EAGAIN);
      connection.memory.fill((byte) 2);
      var in = connection.far.getInputStream();
      for (byte b : in.readNBytes(Math.toIntExact(sent))) {
        assertThat(b).isEqualTo((byte) 1);
      }
      connection.ring.submitAndWait(20_000_000);
      assertThat(connection.ring.ready()).as("nothing follows, though there is room").isZero();
      assertThat(in.available()).isZero();
    }
  }

  @Test
  void aBrokenConnection_isTold() throws Exception {
    try (var connection = new Connection()) {
      connection.far.setSoLinger(true, 0);
      connection.far.close();
      Await.until(
          () -> {
            @Nullable Integer told = connection.send(1);
            return told != null && (told == -Errno.EPIPE || told == -Errno.ECONNRESET);
          },
          "the reset");
    }
  }

  /** A length that is changed before the kernel takes the entry is the one that counts. */
  @Test
  void anEntryThatIsNotTaken_canBeLengthened() throws Exception {
    try (var connection = new Connection()) {
      UringRing ring = connection.ring;
      long at = ring.claim();
      int entry = ring.nextEntry();
      connection.memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 'a');
      SubmissionAbi.sendAtOnce(
          ring.entries(), at, connection.near.number(), connection.memory.address(), 1, 7);
      ring.push();
      connection.memory.set(ValueLayout.JAVA_BYTE, 1, (byte) 'b');
      SubmissionAbi.setLength(ring.entries(), ring.entryAt(entry), 2);
      ring.submit();
      assertThat(ring.ready()).isZero();
      assertThat(connection.far.getInputStream().readNBytes(2)).containsExactly('a', 'b');
    }
  }
}
