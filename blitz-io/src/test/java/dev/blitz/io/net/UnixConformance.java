package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.bytes;
import static dev.blitz.io.net.SocketWorld.noise;
import static dev.blitz.io.net.SocketWorld.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.IoFuture;
import dev.blitz.io.net.SocketWorld.Bell;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Await;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What streams between programs of this machine must do on every backend that has them. */
abstract class UnixConformance extends SocketConformance {
  @TempDir Path directory;

  UnixConformance(String backend) {
    super(backend);
  }

  final UnixListener listen() throws Exception {
    return world.inside(() -> UnixListener.bind(directory.resolve("listener")));
  }

  final IoFuture<UnixStream> connecting(UnixAddress to) throws Exception {
    return world.inside(() -> UnixStream.connect(to));
  }

  static String readText(UnixStream stream, int length) throws IOException {
    var buffer = ByteBuffer.allocate(length);
    while (buffer.hasRemaining() && stream.read(buffer).await() >= 0) {
      // go on
    }
    return text(buffer);
  }

  @Test
  void aConnection_carriesBytesBothWays_andKnowsItsName() throws Exception {
    try (var listener = listen();
        var client = connecting(listener.localAddress()).await();
        var server = listener.accept().await()) {
      client.writeAll(bytes("there")).await();
      assertThat(readText(server, 5)).isEqualTo("there");
      server.writeAll(bytes("back")).await();
      assertThat(readText(client, 4)).isEqualTo("back");
      assertThat(listener.localAddress().path()).contains(directory.resolve("listener"));
      assertThat(client.remoteAddress()).isEqualTo(listener.localAddress());
      assertThat(client.localAddress().isUnnamed()).isTrue();
      assertThat(server.remoteAddress().isUnnamed()).isTrue();
      client.shutdownOutput();
      assertThat(server.read(ByteBuffer.allocate(1)).await()).isEqualTo(-1);
      server.writeAll(bytes("still")).await();
      assertThat(readText(client, 5)).isEqualTo("still");
    }
  }

  @Test
  void muchData_arrivesWhole_whileTheReaderIsSlow() throws Exception {
    int length = 4 << 20;
    byte[] data = noise(length, 13);
    try (var listener = listen();
        var server = connecting(listener.localAddress()).await()) {
      var client = listener.accept().await();
      var write = world.runtime.spawn(client.writeAll(ByteBuffer.wrap(data)));
      var target = ByteBuffer.allocate(length);
      while (target.hasRemaining()) {
        target.limit(Math.min(length, target.position() + 100_000));
        server.readFully(target).await();
        target.limit(length);
      }
      write.await();
      assertThat(target.array()).isEqualTo(data);
      client.close();
      assertThat(server.read(ByteBuffer.allocate(1)).await()).isEqualTo(-1);
    }
  }

  @Test
  void aDroppedRead_losesNothing_whereverItIsDropped() throws Exception {
    try (var listener = listen();
        var client = connecting(listener.localAddress()).await();
        var server = listener.accept().await()) {
      for (int polls = 0; polls < 4; polls++) {
        var bell = new Bell();
        var buffer = ByteBuffer.allocate(16);
        var read = server.read(buffer);
        for (int i = 0; i < polls; i++) {
          assertThat(read.poll(bell.context())).isNull();
        }
        int rings = bell.rings();
        client.writeAll(bytes("kept")).await();
        if (polls > 0) {
          bell.awaitAfter(rings);
        }
        read.drop();
        assertThat(buffer.position()).isZero();
        assertThat(readText(server, 4)).isEqualTo("kept");
      }
    }
  }

  @Test
  void aDroppedAccept_leavesTheConnectionToTheNext() throws Exception {
    try (var listener = listen()) {
      for (int polls = 0; polls < 3; polls++) {
        var bell = new Bell();
        var accept = listener.accept();
        for (int i = 0; i < polls; i++) {
          assertThat(accept.poll(bell.context())).isNull();
        }
        try (var client = connecting(listener.localAddress()).await()) {
          if (polls > 0) {
            bell.awaitAfter(0);
          }
          accept.drop();
          try (var server = listener.accept().await()) {
            client.writeAll(bytes("x")).await();
            assertThat(readText(server, 1)).isEqualTo("x");
          }
        }
      }
    }
  }

  @Test
  void aConnectToNobody_isRefused() throws Exception {
    var missing = UnixAddress.of(directory.resolve("missing"));
    assertThatThrownBy(connecting(missing)::await)
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("missing");
    UnixAddress stale;
    try (var listener = listen()) {
      stale = listener.localAddress();
    }
    assertThatThrownBy(connecting(stale)::await).isInstanceOf(ConnectException.class);
    var spent = connecting(stale);
    assertThatThrownBy(spent::await).isInstanceOf(ConnectException.class);
    assertThatThrownBy(spent::await)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("already awaited");
  }

  @Test
  void aPathThatIsTaken_orTooLong_orNowhere_isToldClearly() throws Exception {
    try (var listener = listen()) {
      UnixAddress taken = listener.localAddress();
      assertThatThrownBy(() -> world.inside(() -> UnixListener.bind(taken)))
          .isInstanceOf(BindException.class)
          .hasMessageContaining(taken.toString());
    }
    var nowhere = UnixAddress.of(directory.resolve("none").resolve("s"));
    assertThatThrownBy(() -> world.inside(() -> UnixListener.bind(nowhere)))
        .isInstanceOf(SocketException.class);
    var tooLong = UnixAddress.of(directory.resolve("x".repeat(120)));
    assertThatThrownBy(() -> world.inside(() -> UnixListener.bind(tooLong)))
        .isInstanceOf(SocketException.class)
        .hasMessageContaining(tooLong.toString());
    assertThatThrownBy(connecting(tooLong)::await)
        .isInstanceOf(SocketException.class)
        .hasMessageContaining(tooLong.toString());
    assertThatThrownBy(() -> UnixAddress.of(Path.of("")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aFileThatIsInTheWay_isToldAndKept() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "contents");
    var address = UnixAddress.of(file);
    assertThatThrownBy(() -> world.inside(() -> UnixListener.bind(address)))
        .isInstanceOf(BindException.class)
        .hasMessageContaining(address.toString());
    assertThatThrownBy(connecting(address)::await)
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining(address.toString());
    assertThat(file).hasContent("contents");
    UnixAddress stale;
    try (var listener = listen()) {
      stale = listener.localAddress();
    }
    assertThatThrownBy(() -> world.inside(() -> UnixListener.bind(stale)))
        .as("what an ended listener leaves behind")
        .isInstanceOf(BindException.class);
    Files.delete(directory.resolve("listener"));
    world.inside(() -> UnixListener.bind(stale)).close();
  }

  /** The system does not queue whoever finds a full queue, nor tell when it has room. */
  @Test
  void connects_waitWhileTheQueueIsFull_andAllOfThemComeIn() throws Exception {
    var local = UnixAddress.of(directory.resolve("full"));
    try (var listener = world.inside(() -> UnixListener.bind(local, 1))) {
      var connects = new ArrayList<JoinHandle<UnixStream>>();
      List<UnixStream> ends = new ArrayList<>();
      try {
        for (int i = 0; i < 8; i++) {
          connects.add(world.runtime.spawn(UnixStream.connect(local)));
        }
        awaitIdle("a connection to " + local);
        for (int i = 0; i < 8; i++) {
          ends.add(listener.accept().await());
        }
        for (var connect : connects) {
          ends.add(connect.await());
        }
        assertThat(ends).hasSize(16);
      } finally {
        ends.forEach(UnixStream::close);
      }
    }
  }

  @Test
  void aConnectThatWaitsForRoom_canBeDropped_andEndsWithTheRuntime() throws Exception {
    var local = UnixAddress.of(directory.resolve("full"));
    var listener = world.inside(() -> UnixListener.bind(local, 1));
    var bell = new Bell();
    List<UnixStream> first = new ArrayList<>();
    IoFuture<UnixStream> waiting = connecting(local);
    for (UnixStream s; (s = waiting.poll(bell.context())) != null; waiting = connecting(local)) {
      first.add(s);
    }
    for (int polls = 0; polls < 3; polls++) {
      var dropped = connecting(local);
      for (int i = 0; i < polls; i++) {
        assertThat(dropped.poll(bell.context())).isNull();
      }
      dropped.drop();
    }
    int rings = bell.rings();
    world.runtime.close();
    bell.awaitAfter(rings);
    assertThatThrownBy(waiting::await).isInstanceOf(ClosedChannelException.class);
    first.forEach(UnixStream::close);
    listener.close();
  }

  @Test
  void closing_endsWhoeverWaits() throws Exception {
    var listener = listen();
    try (var client = connecting(listener.localAddress()).await()) {
      var server = listener.accept().await();
      var read = world.runtime.spawn(server.read(ByteBuffer.allocate(4)));
      var accept = world.runtime.spawn(listener.accept());
      awaitIdle("bytes from");
      awaitIdle("a connection to");
      server.close();
      listener.close();
      assertThatThrownBy(read::await).hasRootCauseInstanceOf(ClosedChannelException.class);
      assertThatThrownBy(accept::await).hasRootCauseInstanceOf(ClosedChannelException.class);
      assertThat(client.read(ByteBuffer.allocate(1)).await()).isEqualTo(-1);
      assertThat(server).hasToString("UnixStream[closed]");
    }
  }

  @Test
  void options_ofTheSystem_areThere_andThoseOfTheNetworkAreRefused() throws Exception {
    try (var listener = listen();
        var client = connecting(listener.localAddress()).await();
        var server = listener.accept().await()) {
      client.option(StandardSocketOptions.SO_SNDBUF, 40_000);
      assertThat(client.option(StandardSocketOptions.SO_SNDBUF)).isGreaterThanOrEqualTo(40_000);
      assertThatThrownBy(() -> server.option(StandardSocketOptions.TCP_NODELAY, true))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining(backend)
          .hasMessageContaining("TCP_NODELAY");
    }
  }

  @Test
  void manyConnections_echo() throws Exception {
    int connections = 50;
    try (var listener = listen()) {
      var server =
          world.runtime.spawn(() -> {
            List<UnixStream> open = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
              UnixStream stream = listener.accept().await();
              open.add(stream);
              var buffer = ByteBuffer.allocate(8);
              stream.readFully(buffer).await();
              stream.writeAll(buffer.flip()).await();
            }
            open.forEach(UnixStream::close);
          });
      var clients = new ArrayList<JoinHandle<Long>>();
      for (int i = 0; i < connections; i++) {
        long number = i;
        clients.add(
            world.runtime.spawn(() -> {
              try (var stream = UnixStream.connect(listener.localAddress()).await()) {
                var buffer = ByteBuffer.allocate(8).putLong(number).flip();
                stream.writeAll(buffer).await();
                stream.readFully(buffer.clear()).await();
                return buffer.flip().getLong();
              }
            }));
      }
      for (int i = 0; i < connections; i++) {
        assertThat(clients.get(i).await()).isEqualTo(i);
      }
      server.await();
      Await.until(server::isDone, "the server's end");
    }
  }
}
