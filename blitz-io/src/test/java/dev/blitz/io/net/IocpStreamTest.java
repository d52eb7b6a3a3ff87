package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.bytes;
import static dev.blitz.io.net.SocketWorld.failureOf;
import static dev.blitz.io.net.SocketWorld.readText;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.descriptor.AsyncDescriptor;
import dev.blitz.io.net.SocketWorld.Bell;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is special with the JDK's asynchronous channels; resets come from peers of another kind. */
@Strict
class IocpStreamTest {
  private SocketWorld world;
  private TcpListener listener;
  private Socket peer;
  private TcpStream stream;

  @BeforeEach
  void open() throws Exception {
    world = new SocketWorld("iocp", 2);
    listener = world.listen();
    peer = new Socket(InetAddress.getLoopbackAddress(), listener.localAddress().getPort());
    stream = listener.accept().await();
  }

  @AfterEach
  void close() throws Exception {
    peer.close();
    world.close();
  }

  private void reset() throws Exception {
    peer.setSoLinger(true, 0);
    peer.close();
  }

  private void awaitIdle(String what) {
    Await.until(
        () -> world.runtime.dump().stream().anyMatch(line -> line.contains(what)),
        "a task that waits for " + what);
  }

  @Test
  void aReset_endsAPendingRead_andStaysAReset() throws Exception {
    var read = world.runtime.spawn(stream.read(ByteBuffer.allocate(1)));
    awaitIdle("bytes from");
    reset();
    assertThatThrownBy(read::await).hasRootCauseInstanceOf(java.io.IOException.class);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> stream.read(ByteBuffer.allocate(1)).await())
          .isInstanceOf(SocketException.class);
    }
  }

  @Test
  void aReset_endsAPendingWrite() throws Exception {
    var write = world.runtime.spawn(stream.writeAll(ByteBuffer.allocateDirect(64 << 20)));
    awaitIdle("room to write");
    reset();
    assertThat(failureOf(write::await)).isNotNull();
    assertThatThrownBy(() -> stream.write(bytes("x")).await()).isInstanceOf(SocketException.class);
  }

  @Test
  void aReset_thatTheWriterHasSeen_isNoEndForTheReader() throws Exception {
    reset();
    Throwable failure = null;
    for (int i = 0; i < 1000 && failure == null; i++) {
      failure = failureOf(() -> stream.writeAll(bytes("into the void")).await());
    }
    assertThat(failure).isInstanceOf(SocketException.class);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> stream.read(ByteBuffer.allocate(1)).await())
          .isInstanceOf(SocketException.class);
      assertThatThrownBy(() -> stream.peek(ByteBuffer.allocate(1)).await())
          .isInstanceOf(SocketException.class);
    }
  }

  /** Its read goes on in the JDK; what it brings is for the next, whatever room that one has. */
  @Test
  void anAbandonedRead_isKept_forReadersOfOtherSizes() throws Exception {
    for (int size : new int[] {1, 3, 100}) {
      var read = stream.read(ByteBuffer.allocate(64));
      assertThat(read.poll(new Bell().context())).isNull();
      read.drop();
      peer.getOutputStream().write("abcdef".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      var got = new StringBuilder();
      while (got.length() < 6) {
        got.append(readText(stream, Math.min(size, 6 - got.length())));
      }
      assertThat(got).hasToString("abcdef");
    }
  }

  @Test
  void theMemoryOfADroppedWrite_isTheCallersAgain() throws Exception {
    var source = ByteBuffer.allocateDirect(16 << 20);
    var write = stream.writeAll(source);
    assertThat(write.poll(new Bell().context())).isNull();
    write.drop();
    int taken = source.position();
    for (int i = 0; i < source.capacity(); i++) {
      source.put(i, (byte) 1); // nobody must see it
    }
    byte[] got = peer.getInputStream().readNBytes(taken);
    assertThat(got).containsOnly(0);
  }

  @Test
  void whatTheJdkHasNot_isRefused_withBackendAndOperation() throws Exception {
    assertThatThrownBy(() -> stream.option(StandardSocketOptions.SO_LINGER, 0))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("iocp")
        .hasMessageContaining("SO_LINGER");
    assertThatThrownBy(stream::reset).hasMessageContaining("iocp");
    assertThatThrownBy(() -> world.inside(() -> AsyncDescriptor.reopen(0)))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("iocp cannot reopen");
    assertThatThrownBy(() -> world.inside(UnixStream::pair))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("pair");
  }
}
