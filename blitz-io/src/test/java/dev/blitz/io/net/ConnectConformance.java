package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.bytes;
import static dev.blitz.io.net.SocketWorld.loopback;
import static dev.blitz.io.net.SocketWorld.readText;
import static dev.blitz.io.net.SocketWorld.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.bytes.Halves;
import dev.blitz.io.net.SocketWorld.Bell;
import dev.blitz.io.net.SocketWorld.Pair;
import dev.blitz.testkit.Await;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connecting, listening, options and halves. */
abstract class ConnectConformance extends SocketConformance {
  ConnectConformance(String backend) {
    super(backend);
  }

  @Test
  void connect_toNobody_isRefused() throws Exception {
    InetSocketAddress address;
    try (var listener = world.listen()) {
      address = listener.localAddress();
    }
    var connect = world.connecting(address);
    assertThatThrownBy(connect::await).isInstanceOf(ConnectException.class);
  }

  @Test
  void connect_byName_looksItUpElsewhere() throws Exception {
    try (var listener = world.inside(() -> TcpListener.bind(0))) {
      int port = listener.localAddress().getPort();
      try (var client = world.inside(() -> TcpStream.connect("localhost", port)).await();
          var server = listener.accept().await()) {
        client.writeAll(bytes("hi")).await();
        assertThat(readText(server, 2)).isEqualTo("hi");
      }
    }
    var unknown = world.inside(() -> TcpStream.connect("no-such-host.invalid", 1));
    assertThatThrownBy(unknown::await).isInstanceOf(UnknownHostException.class);
  }

  @Test
  void bind_toATakenPort_saysSo() throws Exception {
    try (var listener = world.listen()) {
      InetSocketAddress taken = listener.localAddress();
      assertThatThrownBy(() -> world.inside(() -> TcpListener.bind(taken)))
          .isInstanceOf(BindException.class)
          .hasMessageContaining(String.valueOf(taken.getPort()));
    }
  }

  @Test
  void addresses_areThoseOfTheOtherEnd_inBothFamilies() throws Exception {
    for (String host : List.of("127.0.0.1", "::1")) {
      var local = new InetSocketAddress(InetAddress.getByName(host), 0);
      try (var listener = world.inside(() -> TcpListener.bind(local));
          var client = world.connecting(listener.localAddress()).await();
          var server = listener.accept().await()) {
        assertThat(listener.localAddress().getPort()).isPositive();
        assertThat(client.remoteAddress()).isEqualTo(listener.localAddress());
        assertThat(server.remoteAddress()).isEqualTo(client.localAddress());
        assertThat(server.localAddress()).isEqualTo(listener.localAddress());
        client.writeAll(bytes(host)).await();
        assertThat(readText(server, host.length())).isEqualTo(host);
        assertThat(listener.toString()).contains(String.valueOf(listener.localAddress().getPort()));
      }
    }
  }

  @Test
  void aPortAlone_takesBothFamilies() throws Exception {
    try (var listener = world.inside(() -> TcpListener.bind(0))) {
      int port = listener.localAddress().getPort();
      for (String host : List.of("127.0.0.1", "::1")) {
        var address = new InetSocketAddress(InetAddress.getByName(host), port);
        try (var client = world.connecting(address).await();
            var server = listener.accept().await()) {
          assertThat(server.remoteAddress()).isEqualTo(client.localAddress());
        }
      }
    }
  }

  @Test
  void theBuilder_setsWhatItWasTold() throws Exception {
    needsLinger();
    try (var listener =
            world.inside(() ->
                TcpListener.builder()
                    .reuseAddress(true)
                    .reusePort(true)
                    .backlog(8)
                    .receiveBuffer(20_000)
                    .listen(loopback(0)));
        var twin =
            world.inside(
                () -> TcpListener.builder().reusePort(true).listen(listener.localAddress()))) {
      assertThat(twin.localAddress()).isEqualTo(listener.localAddress());
    }
    try (var listener = world.listen();
        var client =
            world
                .inside(() -> {
                  TcpBuilder settings =
                      TcpStream.builder()
                          .noDelay(true)
                          .keepAlive(60, 10, 3)
                          .linger(0)
                          .sendBuffer(30_000)
                          .trafficClass(0x10);
                  return (isOfTheJdk() ? settings : settings.timeToLive(17))
                      .bind(loopback(0))
                      .connect(listener.localAddress());
                })
                .await();
        var server = listener.accept().await()) {
      assertThat(client.noDelay()).isTrue();
      assertThat(client.keepAlive()).isTrue();
      assertThat(client.linger()).isZero();
      assertThat(client.sendBuffer()).isGreaterThanOrEqualTo(30_000);
      assertThat(client.trafficClass()).isEqualTo(0x10);
      if (!isOfTheJdk()) {
        assertThat(client.timeToLive()).isEqualTo(17);
      }
      assertThat(server.noDelay()).isFalse();
      assertThat(server.noDelay(true).keepAlive(true).linger(1).noDelay()).isTrue();
      assertThat(server.receiveBuffer(40_000).receiveBuffer()).isGreaterThanOrEqualTo(40_000);
      assertThat(server.linger()).isEqualTo(1);
    }
  }

  @Test
  void anAcceptStorm_isAcceptedWhole() throws Exception {
    int connections = 400;
    try (var listener = world.listen()) {
      List<Socket> clients = new ArrayList<>();
      try {
        for (int i = 0; i < connections; i++) {
          clients.add(
              new Socket(InetAddress.getLoopbackAddress(), listener.localAddress().getPort()));
        }
        for (int i = 0; i < connections; i++) {
          listener.accept().await().close();
        }
        var bell = new Bell();
        var none = listener.accept();
        assertThat(none.poll(bell.context())).isNull();
        none.drop();
      } finally {
        for (Socket client : clients) {
          client.close();
        }
      }
    }
  }

  @Test
  void connectionsThatAreResetBeforeTheAccept_doNotDisturbTheOthers() throws Exception {
    try (var listener = world.listen()) {
      for (int i = 0; i < 20; i++) {
        var client =
            new Socket(InetAddress.getLoopbackAddress(), listener.localAddress().getPort());
        if (i % 2 == 0) {
          client.setSoLinger(true, 0);
        }
        client.close();
      }
      try (var last = world.connecting(listener.localAddress()).await()) {
        InetSocketAddress wanted = last.localAddress();
        Await.until(
            () -> {
              try (var server = listener.accept().await()) {
                return wanted.equals(remoteOrNull(server));
              }
            },
            "the connection that stands");
      }
    }
  }

  private static @org.jspecify.annotations.Nullable InetSocketAddress remoteOrNull(TcpStream s) {
    try {
      return s.remoteAddress();
    } catch (IOException alreadyGone) {
      return null;
    }
  }

  @Test
  void halves_workApart_andCanBeReunited() throws Exception {
    try (Pair pair = world.pair()) {
      Halves<TcpStream> halves = pair.server().split();
      assertThatThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)).await())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("split");
      var target = ByteBuffer.allocate(4);
      var read = world.runtime.spawn(halves.reader().readFully(target));
      halves.writer().writeAll(bytes("down")).await();
      pair.client().writeAll(bytes("upup")).await();
      read.await();
      assertThat(text(target)).isEqualTo("upup");
      assertThat(readText(pair.client(), 4)).isEqualTo("down");
      TcpStream whole = halves.reader().reunite(halves.writer());
      assertThat(whole).isSameAs(pair.server());
      whole.writeAll(bytes("one")).await();
      assertThat(readText(pair.client(), 3)).isEqualTo("one");
      assertThatThrownBy(() -> halves.reader().read(ByteBuffer.allocate(1)).await())
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aClosedWriterHalf_isTheEndForThePeer_andTheSecondHalfClosesAll() throws Exception {
    try (Pair pair = world.pair();
        Pair other = world.pair()) {
      Halves<TcpStream> halves = pair.server().split();
      Halves<TcpStream> others = other.server().split();
      assertThatThrownBy(() -> halves.reader().reunite(others.writer()))
          .isInstanceOf(IllegalArgumentException.class);
      halves.writer().close();
      assertThat(pair.client().read(ByteBuffer.allocate(1)).await()).isEqualTo(-1);
      pair.client().writeAll(bytes("still")).await();
      var target = ByteBuffer.allocate(5);
      halves.reader().readFully(target).await();
      assertThat(text(target)).isEqualTo("still");
      assertThat(pair.server().isOpen()).isTrue();
      halves.reader().close();
      assertThat(pair.server().isOpen()).isFalse();
      others.reader().close();
      others.writer().close();
      assertThat(other.server().isOpen()).isFalse();
    }
  }
}
