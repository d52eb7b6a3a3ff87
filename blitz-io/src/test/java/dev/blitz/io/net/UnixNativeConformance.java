package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.bytes;
import static dev.blitz.io.net.SocketWorld.noise;
import static dev.blitz.io.net.SocketWorld.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.net.SocketWorld.Bell;
import dev.blitz.testkit.Await;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What native backends have besides: pairs, abstract names, datagrams, who the peer is. */
abstract class UnixNativeConformance extends UnixConformance {
  UnixNativeConformance(String backend) {
    super(backend);
  }

  private UnixDatagram bound(String name) throws Exception {
    return world.inside(() -> UnixDatagram.bind(directory.resolve(name)));
  }

  private static String receiveText(UnixDatagram socket) throws IOException {
    var buffer = ByteBuffer.allocate(64);
    socket.receive(buffer).await();
    return text(buffer);
  }

  @Test
  void aPair_isConnected_andTheEndOfOneIsSeenByTheOther() throws Exception {
    UnixStream[] pair = world.inside(UnixStream::pair);
    var a = pair[0];
    try (var b = pair[1]) {
      a.writeAll(bytes("pair")).await();
      assertThat(readText(b, 4)).isEqualTo("pair");
      assertThat(a.localAddress()).isEqualTo(UnixAddress.unnamed());
      a.close();
      assertThat(b.read(ByteBuffer.allocate(1)).await()).isEqualTo(-1);
    }
  }

  @Test
  void anAbstractName_isNoFile_andFreeOnceItIsClosed() throws Exception {
    var name = UnixAddress.abstractName("blitz-test-" + ProcessHandle.current().pid() + backend);
    for (int i = 0; i < 2; i++) {
      try (var listener = world.inside(() -> UnixListener.bind(name));
          var client = connecting(name).await();
          var server = listener.accept().await()) {
        assertThat(client.remoteAddress()).isEqualTo(name);
        assertThat(name.isAbstract()).isTrue();
        assertThat(name.path()).isEmpty();
        assertThat(name.toString()).startsWith("@blitz-test-");
        server.writeAll(bytes("hidden")).await();
        assertThat(readText(client, 6)).isEqualTo("hidden");
      }
    }
    assertThatThrownBy(connecting(name)::await).isInstanceOf(ConnectException.class);
  }

  /** Whoever closes, and wherever the accept is pending: the next bind comes at once. */
  @Test
  void anAbstractName_isFree_theMomentItsListenerIsClosed() throws Exception {
    var name = UnixAddress.abstractName("blitz-free-" + ProcessHandle.current().pid() + backend);
    var bell = new Bell();
    for (int i = 0; i < 200; i++) {
      UnixListener listener = world.inside(() -> UnixListener.bind(name));
      assertThat(listener.accept().poll(bell.context())).isNull();
      UnixListener next =
          world.inside(() -> {
            listener.close();
            return UnixListener.bind(name);
          });
      assertThat(next.accept().poll(bell.context())).isNull();
      next.close();
    }
  }

  @Test
  void anAbstractName_isFree_theMomentItsDatagramSocketIsClosed() throws Exception {
    var name = UnixAddress.abstractName("blitz-gone-" + ProcessHandle.current().pid() + backend);
    var buffer = ByteBuffer.allocate(8);
    var bell = new Bell();
    for (int i = 0; i < 200; i++) {
      UnixDatagram socket = world.inside(() -> UnixDatagram.bind(name));
      assertThat(socket.receive(buffer).poll(bell.context())).isNull();
      UnixDatagram next =
          world.inside(() -> {
            socket.close();
            return UnixDatagram.bind(name);
          });
      assertThat(next.receive(buffer).poll(bell.context())).isNull();
      next.close();
    }
  }

  @Test
  void thePeer_isThisProcess() throws Exception {
    int own = (int) ProcessHandle.current().pid();
    int user = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    try (var listener = listen();
        var client = connecting(listener.localAddress()).await();
        var server = listener.accept().await()) {
      assertThat(server.peerCredentials().processId()).isEqualTo(own);
      assertThat(server.peerCredentials().userId()).isEqualTo(user);
      assertThat(client.peerCredentials()).isEqualTo(server.peerCredentials());
    }
  }

  @Test
  void datagrams_keepTheirBoundsAndOrder_andTellTheirSender() throws Exception {
    try (var a = bound("a");
        var b = bound("b");
        var nameless = world.inside(UnixDatagram::unbound)) {
      a.sendTo(bytes("one"), b.localAddress()).await();
      nameless.sendTo(bytes(""), b.localAddress()).await();
      nameless.sendTo(bytes("0123456789"), b.localAddress()).await();
      var buffer = ByteBuffer.allocate(4);
      var first = b.receiveFrom(buffer).await();
      assertThat(first).isEqualTo(new Datagram<>(a.localAddress(), 3, false));
      assertThat(text(buffer)).isEqualTo("one");
      assertThat(b.receiveFrom(buffer.clear()).await())
          .isEqualTo(new Datagram<>(UnixAddress.unnamed(), 0, false));
      assertThat(b.peek(buffer.clear()).await()).isEqualTo(10);
      assertThat(b.receiveFrom(buffer.clear()).await().truncated()).isTrue();
      b.connect(a.localAddress());
      b.send(bytes("back")).await();
      assertThat(receiveText(a)).isEqualTo("back");
      b.disconnect();
      assertThatThrownBy(() -> b.send(bytes("x")).await()).isInstanceOf(IOException.class);
    }
  }

  /** A try at a third socket that is full says nothing of the room towards the second. */
  @Test
  void aStrangersFullQueue_holdsUpNoConnectedSend() throws Exception {
    try (var near = bound("near");
        var far = bound("far");
        var sender = bound("sender")) {
      sender.connect(near.localAddress());
      var pending = sender.receive(ByteBuffer.allocate(8));
      assertThat(pending.poll(new Bell().context())).isNull();
      try (var other = world.inside(UnixDatagram::unbound)) {
        fill(other, far.localAddress());
      }
      assertThat(sender.trySendTo(bytes("x"), far.localAddress())).isFalse();
      assertThat(sender.send(bytes("near")).poll(new Bell().context())).isNotNull();
      assertThat(receiveText(near)).isEqualTo("near");
      pending.drop();
    }
  }

  @Test
  void aLongDatagram_goesWhole_fromTheHeapToo() throws Exception {
    int length = 150_000;
    byte[] data = noise(length, 17);
    UnixDatagram[] pair = world.inside(UnixDatagram::pair);
    try (var a = pair[0];
        var b = pair[1]) {
      for (boolean direct : new boolean[] {false, true}) {
        a.send(direct ? ByteBuffer.allocateDirect(length).put(data).flip() : ByteBuffer.wrap(data))
            .await();
        var target = direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
        assertThat(b.receive(target).await()).isEqualTo(length);
        assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(data));
      }
      assertThatThrownBy(() -> a.send(ByteBuffer.allocate(64 << 20)).await())
          .isInstanceOf(SocketException.class)
          .hasMessageContaining("67108864 bytes");
    }
  }

  @Test
  void sends_waitWhileTheReceiverIsFull_andNoneIsLost() throws Exception {
    int count = 500;
    try (var receiver = bound("receiver");
        var sender = world.inside(UnixDatagram::unbound);
        var connected = world.inside(UnixDatagram::unbound)) {
      connected.connect(receiver.localAddress());
      for (UnixDatagram from : new UnixDatagram[] {sender, connected}) {
        var to = receiver.localAddress();
        var sends =
            world.runtime.spawn(() -> {
              for (int i = 0; i < count; i++) {
                var number = ByteBuffer.allocate(4).putInt(i).flip();
                (from == sender ? from.sendTo(number, to) : from.send(number)).await();
              }
            });
        awaitIdle("to be sent by");
        var buffer = ByteBuffer.allocate(4);
        for (int i = 0; i < count; i++) {
          receiver.receive(buffer.clear()).await();
          assertThat(buffer.flip().getInt()).isEqualTo(i);
        }
        sends.await();
      }
    }
  }

  /** Fills the receiver's queue. */
  private static void fill(UnixDatagram sender, UnixAddress to) throws IOException {
    while (sender.trySendTo(bytes("f"), to)) {
      // go on
    }
  }

  @Test
  void aDroppedSend_hasSentNothing_andItsTurnIsPassedOn() throws Exception {
    try (var receiver = bound("receiver");
        var sender = world.inside(UnixDatagram::unbound)) {
      UnixAddress to = receiver.localAddress();
      for (int polls = 0; polls < 3; polls++) {
        fill(sender, to);
        var bell = new Bell();
        var source = bytes("dropped");
        var send = sender.sendTo(source, to);
        for (int i = 0; i < polls; i++) {
          assertThat(send.poll(bell.context())).isNull();
        }
        send.drop();
        assertThat(source.position()).isZero();
        var buffer = ByteBuffer.allocate(16);
        while (receiver.tryReceive(buffer.clear()) != DatagramIo.PENDING) {
          assertThat(text(buffer)).isEqualTo("f");
        }
        sender.sendTo(bytes("next"), to).await();
        assertThat(receiveText(receiver)).isEqualTo("next");
      }
    }
  }

  @Test
  void aSendThatWaits_endsWithItsSocketOrItsRuntime() throws Exception {
    var receiver = bound("receiver");
    UnixAddress to = receiver.localAddress();
    var sender = world.inside(UnixDatagram::unbound);
    var other = world.inside(UnixDatagram::unbound);
    fill(sender, to);
    var bell = new Bell();
    var first = sender.sendTo(bytes("x"), to);
    var second = other.sendTo(bytes("x"), to);
    assertThat(first.poll(bell.context())).isNull();
    assertThat(second.poll(bell.context())).isNull();
    sender.close();
    assertThatThrownBy(first::await).isInstanceOf(ClosedChannelException.class);
    var send = world.runtime.spawn(other.sendTo(bytes("y"), to));
    Await.until(() -> send.isDone() || world.runtime.dump().size() > 0, "it waits in line");
    world.runtime.close();
    assertThatThrownBy(second::await).isInstanceOf(ClosedChannelException.class);
    receiver.close();
    other.close();
  }

  /** Its queue has room for a few: the rest waits, connected or not. */
  @Test
  void aBatchOfDatagrams_longerThanTheReceiversQueue_arrivesInOrder() throws Exception {
    try (var a = bound("a");
        var b = bound("b")) {
      for (boolean isConnected : new boolean[] {false, true}) {
        if (isConnected) {
          b.connect(a.localAddress());
        }
        DatagramBatch<UnixAddress> batch = DatagramBatch.allocate(100, 8);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          sent.add("" + i);
          if (isConnected) {
            batch.add(bytes("" + i));
          } else {
            batch.add(bytes("" + i), a.localAddress());
          }
        }
        var sending = world.runtime.spawn(b.sendMany(batch));
        DatagramBatch<UnixAddress> received = DatagramBatch.allocate(16, 2);
        assertThat(BatchConformance.receive(a, received, 100)).isEqualTo(sent);
        assertThat(received.datagram(0)).isEqualTo(new Datagram<>(b.localAddress(), 2, false));
        sending.await();
        assertThat(batch.size()).isZero();
      }
    }
  }

  @Test
  void datagramsToNobody_andTakenNames_areTold() throws Exception {
    try (var a = bound("a")) {
      var missing = UnixAddress.of(directory.resolve("missing"));
      assertThatThrownBy(() -> a.sendTo(bytes("x"), missing).await())
          .isInstanceOf(ConnectException.class)
          .hasMessageContaining("missing");
      assertThatThrownBy(() -> a.connect(missing)).isInstanceOf(ConnectException.class);
      assertThatThrownBy(() -> bound("a")).isInstanceOf(BindException.class);
      UnixAddress stale;
      try (var b = bound("b")) {
        stale = b.localAddress();
      }
      assertThatThrownBy(() -> a.sendTo(bytes("x"), stale).await())
          .isInstanceOf(SocketException.class);
    }
  }

  @Test
  void aDroppedReceive_losesNothing() throws Exception {
    UnixDatagram[] pair = world.inside(UnixDatagram::pair);
    try (var a = pair[0];
        var b = pair[1]) {
      for (int polls = 0; polls < 4; polls++) {
        var bell = new Bell();
        var receive = b.receive(ByteBuffer.allocate(8));
        for (int i = 0; i < polls; i++) {
          assertThat(receive.poll(bell.context())).isNull();
        }
        int rings = bell.rings();
        a.send(bytes("kept")).await();
        if (polls > 0) {
          bell.awaitAfter(rings);
        }
        receive.drop();
        assertThat(receiveText(b)).isEqualTo("kept");
      }
    }
  }
}
