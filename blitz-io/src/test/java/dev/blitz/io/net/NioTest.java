package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.bytes;
import static dev.blitz.io.net.SocketWorld.loopback;
import static dev.blitz.io.net.SocketWorld.readText;
import static dev.blitz.io.net.SocketWorld.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.descriptor.AsyncDescriptor;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.net.SocketWorld.Bell;
import dev.blitz.io.net.SocketWorld.Pair;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is the nio backend's own: what it lacks, and what it does in another way. */
@Strict
class NioTest {
  private SocketWorld world;

  @BeforeEach
  void open() {
    world = new SocketWorld("nio", 2);
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void whatTheJdkLacks_isRefusedByName(@TempDir Path directory) throws Exception {
    var name = UnixAddress.abstractName("blitz-nio");
    for (ThrowingSupplier<?> operation :
        List.<ThrowingSupplier<?>>of(
            () -> UnixDatagram.bind(directory.resolve("d")),
            UnixDatagram::unbound,
            UnixDatagram::pair,
            UnixStream::pair,
            () -> UnixListener.bind(name),
            () -> UnixStream.connect(name).await(),
            () -> TcpListener.builder().timeToLive(5).listen(loopback(0)),
            () -> UdpSocket.builder().option(NetOptions.IPV6_ONLY, true).bind(0),
            () -> AsyncDescriptor.adopt(1000),
            () -> AsyncDescriptor.reopen(0),
            AsyncDescriptor::pipe)) {
      assertThatThrownBy(() -> world.runtime.spawn(operation).await())
          .hasRootCauseInstanceOf(UnsupportedOperationException.class)
          .rootCause()
          .hasMessageContaining("nio");
    }
    try (var listener = world.inside(() -> UnixListener.bind(directory.resolve("s")));
        var client = world.inside(() -> UnixStream.connect(listener.localAddress())).await()) {
      assertThatThrownBy(client::peerCredentials)
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("nio")
          .hasMessageContaining("SO_PEERCRED");
    }
    try (var a = world.inside(() -> UdpSocket.bind(loopback(0)));
        var b = world.inside(() -> UdpSocket.connected(a.localAddress()))) {
      assertThatThrownBy(() -> b.sendTo(bytes("x"), loopback(9)).await())
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("nio");
      assertThatThrownBy(() -> b.send(bytes("")).await())
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("nio");
    }
  }

  /** A channel of the JDK's that blocks would be closed by it. */
  @Test
  void anInterruptedThread_readsAndWrites_andClosesNothing() throws Exception {
    var closed = world.inside(() -> UdpSocket.bind(loopback(0)));
    try (Pair pair = world.pair();
        var a = world.inside(() -> UdpSocket.bind(loopback(0)))) {
      var target = ByteBuffer.allocate(4);
      var bell = new Bell();
      Thread.currentThread().interrupt();
      assertThat(pair.server().tryRead(target)).isEqualTo(TcpStream.PENDING);
      var pending = pair.server().read(target);
      assertThat(pending.poll(bell.context())).isNull();
      assertThat(pair.client().tryWrite(bytes("data"))).isEqualTo(4);
      assertThat(a.trySendTo(bytes("d"), a.localAddress())).isTrue();
      pair.client().noDelay(true);
      assertThat(closed.tryReceive(target)).isEqualTo(DatagramIo.PENDING);
      closed.close();
      assertThat(Thread.interrupted()).as("the flag is left as it was").isTrue();
      Await.until(() -> pending.poll(bell.context()) != null, "the bytes");
      assertThat(text(target)).isEqualTo("data");
      assertThat(a.receive(ByteBuffer.allocate(4)).await()).isEqualTo(1);
    }
  }

  @Test
  void peeks_seeWhatComesLater_andReadsGetAllOfIt() throws Exception {
    try (Pair pair = world.pair()) {
      pair.client().writeAll(bytes("ab")).await();
      var four = ByteBuffer.allocate(4);
      assertThat(pair.server().peek(four).await()).isEqualTo(2);
      pair.client().writeAll(bytes("cdef")).await();
      Await.until(() -> pair.server().peek(four.clear()).await() == 4, "the rest");
      assertThat(text(four)).isEqualTo("abcd");
      var one = ByteBuffer.allocateDirect(1);
      var two = ByteBuffer.allocate(2);
      assertThat(pair.server().readVectored(one, two).await()).isEqualTo(3);
      assertThat(text(one) + text(two)).isEqualTo("abc");
      assertThat(readText(pair.server(), 3)).isEqualTo("def");
    }
  }

  /** The kernel takes them for read; who peeks at all there is has read nothing. */
  @Test
  void closing_withBytesThatWereOnlyPeekedAt_resetsTheConnection() throws Exception {
    try (var listener = world.listen();
        var client =
            new Socket(InetAddress.getLoopbackAddress(), listener.localAddress().getPort())) {
      TcpStream server = listener.accept().await();
      client.getOutputStream().write(new byte[10]);
      Await.until(() -> server.peek(ByteBuffer.allocate(100)).await() == 10, "all of them");
      server.close();
      assertThatThrownBy(() -> client.getInputStream().read())
          .isInstanceOf(SocketException.class)
          .hasMessageContaining("reset");
    }
  }

  /** A selector keeps the descriptor of a channel until it has selected once more. */
  @Test
  void aClose_freesThePort_beforeItReturns_thoughAWorkerWaitsInTheSelector() throws Exception {
    for (int i = 0; i < 50; i++) {
      var listener = world.listen();
      InetSocketAddress address = listener.localAddress();
      var bell = new Bell();
      var accept = listener.accept();
      assertThat(accept.poll(bell.context())).isNull();
      listener.close();
      assertThatThrownBy(() -> new Socket(address.getAddress(), address.getPort()).close())
          .isInstanceOf(ConnectException.class);
      accept.drop();
    }
  }

  @Test
  void theOptionsOfAListener_areThoseOfItsConnections() throws Exception {
    try (var listener =
            world.inside(() ->
                TcpListener.builder()
                    .noDelay(true)
                    .linger(3)
                    .receiveBuffer(9000)
                    .listen(loopback(0)));
        var client = world.connecting(listener.localAddress()).await();
        var server = listener.accept().await()) {
      assertThat(server.noDelay()).isTrue();
      assertThat(server.linger()).isEqualTo(3);
      assertThat(client.noDelay()).isFalse();
      assertThat(listener.option(StandardSocketOptions.TCP_NODELAY)).isTrue();
    }
  }

  @Test
  void messages_areThoseOfTheOtherBackends() throws Exception {
    InetSocketAddress nobody;
    try (var listener = world.listen()) {
      nobody = listener.localAddress();
      assertThatThrownBy(() -> world.inside(() -> TcpListener.bind(nobody)))
          .hasMessage("bind to " + nobody + ": Address already in use");
    }
    assertThatThrownBy(world.connecting(nobody)::await)
        .isInstanceOf(ConnectException.class)
        .hasMessage("connect to " + nobody + ": Connection refused");
    try (Pair pair = world.pair()) {
      pair.client().reset();
      assertThatThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)).await())
          .hasMessage("read: Connection reset by peer");
    }
    try (Pair pair = world.pair()) {
      pair.client().shutdownOutput();
      assertThatThrownBy(() -> pair.client().write(bytes("x")).await())
          .hasMessage("write: Broken pipe");
    }
    try (var a = world.inside(() -> UdpSocket.bind(loopback(0)))) {
      assertThatThrownBy(() -> a.send(bytes("x")).await())
          .hasMessage("send: Destination address required");
      assertThatThrownBy(a::remoteAddress)
          .hasMessage("remote address: Transport endpoint is not connected");
    }
  }
}
