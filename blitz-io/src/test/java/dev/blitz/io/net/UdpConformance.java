package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.bytes;
import static dev.blitz.io.net.SocketWorld.loopback;
import static dev.blitz.io.net.SocketWorld.noise;
import static dev.blitz.io.net.SocketWorld.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.net.SocketWorld.Bell;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Await;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What UDP must do on every backend that has it. */
abstract class UdpConformance extends SocketConformance {
  private static final int LONGEST = 65_507;

  UdpConformance(String backend) {
    super(backend);
  }

  private UdpSocket bound() throws Exception {
    return world.inside(() -> UdpSocket.bind(loopback(0)));
  }

  private UdpSocket connected(UdpSocket to) throws Exception {
    return world.inside(() -> UdpSocket.connected(to.localAddress()));
  }

  private static String receiveText(DatagramIo<?> socket) throws IOException {
    var buffer = ByteBuffer.allocate(64);
    assertThat(socket.receive(buffer).await()).isLessThanOrEqualTo(64);
    return text(buffer);
  }

  @Test
  void aDatagram_arrivesWhole_andTellsItsSender_inBothFamilies() throws Exception {
    for (String host : List.of("127.0.0.1", "::1")) {
      var local = new InetSocketAddress(InetAddress.ofLiteral(host), 0);
      try (var a = world.inside(() -> UdpSocket.bind(local));
          var b = world.inside(() -> UdpSocket.bind(local))) {
        for (boolean direct : new boolean[] {false, true}) {
          byte[] data = noise(1000, 3);
          var source =
              direct ? ByteBuffer.allocateDirect(1000).put(data).flip() : ByteBuffer.wrap(data);
          a.sendTo(source, b.localAddress()).await();
          assertThat(source.hasRemaining()).isFalse();
          var target = direct ? ByteBuffer.allocateDirect(1500) : ByteBuffer.allocate(1500);
          var datagram = b.receiveFrom(target).await();
          assertThat(datagram).isEqualTo(new Datagram<>(a.localAddress(), 1000, false));
          assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(data));
        }
      }
    }
  }

  @Test
  void aPort_isFree_theMomentItsSocketIsClosed() throws Exception {
    var bell = new Bell();
    var buffer = ByteBuffer.allocate(8);
    var socket = bound();
    InetSocketAddress local = socket.localAddress();
    for (int i = 0; i < 100; i++) {
      assertThat(socket.receiveFrom(buffer).poll(bell.context())).isNull();
      var before = socket;
      socket =
          world.inside(() -> {
            before.close();
            return UdpSocket.bind(local);
          });
    }
    socket.close();
  }

  @Test
  void aPortAlone_takesBothFamilies_andAnswersThem() throws Exception {
    try (var all = world.inside(() -> UdpSocket.bind(0))) {
      int port = all.localAddress().getPort();
      for (String host : List.of("127.0.0.1", "::1")) {
        var address = new InetSocketAddress(InetAddress.ofLiteral(host), port);
        try (var client = world.inside(() -> UdpSocket.connected(address))) {
          client.send(bytes(host)).await();
          var buffer = ByteBuffer.allocate(64);
          var datagram = all.receiveFrom(buffer).await();
          assertThat(datagram.sender()).isEqualTo(client.localAddress());
          all.sendTo(buffer.flip(), datagram.sender()).await();
          assertThat(receiveText(client)).isEqualTo(host);
        }
      }
    }
  }

  @Test
  void aConnectedSocket_hearsItsPeerAlone_untilItIsDisconnected() throws Exception {
    try (var a = bound();
        var b = bound();
        var stranger = bound()) {
      a.connect(b.localAddress());
      assertThat(a.remoteAddress()).isEqualTo(b.localAddress());
      stranger.sendTo(bytes("no"), a.localAddress()).await();
      b.sendTo(bytes("yes"), a.localAddress()).await();
      assertThat(receiveText(a)).isEqualTo("yes");
      a.send(bytes("back")).await();
      assertThat(receiveText(b)).isEqualTo("back");
      a.disconnect();
      assertThatThrownBy(() -> a.send(bytes("whom")).await()).isInstanceOf(IOException.class);
      var again = a.localAddress();
      assertThat(again.getPort()).isPositive();
    }
  }

  @Test
  void anEmptyDatagram_isOne() throws Exception {
    try (var a = bound();
        var b = connected(a)) {
      if (isOfTheJdk()) { // which sends none while it is connected
        b.disconnect();
        b.sendTo(ByteBuffer.allocate(0), a.localAddress()).await();
        b.connect(a.localAddress());
      } else {
        b.send(ByteBuffer.allocate(0)).await();
      }
      b.send(bytes("x")).await();
      assertThat(a.receive(ByteBuffer.allocate(4)).await()).isZero();
      assertThat(receiveText(a)).isEqualTo("x");
    }
  }

  @Test
  void aDatagramThatDoesNotFit_showsIt() throws Exception {
    try (var a = bound();
        var b = connected(a)) {
      for (boolean direct : new boolean[] {false, true}) {
        for (int i = 0; i < 3; i++) {
          b.send(bytes("0123456789")).await();
        }
        var small = direct ? ByteBuffer.allocateDirect(4) : ByteBuffer.allocate(4);
        assertThat(a.receive(small).await()).isEqualTo(10);
        assertThat(text(small)).isEqualTo("0123");
        var whole = a.receiveFrom(small.clear()).await();
        assertThat(whole).isEqualTo(new Datagram<>(b.localAddress(), 10, true));
        assertThat(a.receive(ByteBuffer.allocate(0)).await()).isEqualTo(10);
      }
      b.send(bytes("next")).await();
      assertThat(receiveText(a)).isEqualTo("next");
    }
  }

  @Test
  void theLongestDatagram_goes_andALongerOneIsRefused() throws Exception {
    byte[] data = noise(LONGEST, 5);
    try (var a = bound();
        var b = connected(a)) {
      for (boolean direct : new boolean[] {false, true}) {
        b.send(direct ? ByteBuffer.allocateDirect(LONGEST).put(data).flip() : ByteBuffer.wrap(data))
            .await();
        var target = direct ? ByteBuffer.allocateDirect(LONGEST) : ByteBuffer.allocate(70_000);
        assertThat(a.receive(target).await()).isEqualTo(LONGEST);
        assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(data));
        var tooLong =
            direct ? ByteBuffer.allocateDirect(LONGEST + 1) : ByteBuffer.allocate(LONGEST + 1);
        assertThatThrownBy(() -> b.send(tooLong).await())
            .isInstanceOf(SocketException.class)
            .hasMessageContaining("65508 bytes");
        assertThat(tooLong.position()).isZero();
      }
      b.send(bytes("next")).await();
      assertThat(receiveText(a)).isEqualTo("next");
    }
  }

  @Test
  void theLongestDatagramOfIpv6_goes_andALongerOneIsRefused() throws Exception {
    int longest = 65_527;
    var local = new InetSocketAddress(InetAddress.ofLiteral("::1"), 0);
    try (var a = world.inside(() -> UdpSocket.bind(local));
        var b = connected(a)) {
      byte[] data = noise(longest, 5); // longer than the path takes in one piece
      b.send(ByteBuffer.wrap(data)).await();
      var target = ByteBuffer.allocate(longest);
      assertThat(a.receive(target).await()).isEqualTo(longest);
      assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(data));
      assertThatThrownBy(() -> b.send(ByteBuffer.allocate(longest + 1)).await())
          .isInstanceOf(SocketException.class)
          .hasMessageContaining("65528 bytes");
      assertThatThrownBy(() -> b.trySend(ByteBuffer.allocate(1 << 20)))
          .isInstanceOf(SocketException.class)
          .hasMessageContaining("1048576 bytes");
      b.send(bytes("next")).await();
      assertThat(receiveText(a)).isEqualTo("next");
    }
  }

  @Test
  void aSendToNobody_isToldByTheNextOperation() throws Exception {
    InetSocketAddress nobody;
    try (var gone = bound()) {
      nobody = gone.localAddress();
    }
    try (var a = world.inside(() -> UdpSocket.connected(nobody))) {
      var receive = world.runtime.spawn(a.receive(ByteBuffer.allocate(4)));
      awaitIdle("a datagram for");
      a.send(bytes("x")).await();
      assertThatThrownBy(receive::await).hasRootCauseInstanceOf(PortUnreachableException.class);
    }
  }

  @Test
  void peek_leavesTheDatagram() throws Exception {
    try (var a = bound();
        var b = connected(a)) {
      b.send(bytes("look")).await();
      var buffer = ByteBuffer.allocate(2);
      assertThat(a.peek(buffer).await()).isEqualTo(4);
      assertThat(text(buffer)).isEqualTo("lo");
      assertThat(a.peekFrom(buffer.clear()).await().sender()).isEqualTo(b.localAddress());
      assertThat(receiveText(a)).isEqualTo("look");
    }
  }

  @Test
  void tries_needNoTask_andDoNotWait() throws Exception {
    try (var a = bound();
        var b = connected(a)) {
      var buffer = ByteBuffer.allocate(8);
      assertThat(a.tryReceive(buffer)).isEqualTo(DatagramIo.PENDING);
      assertThat(a.tryReceiveFrom(buffer)).isNull();
      assertThat(b.trySend(bytes("one"))).isTrue();
      Await.until(() -> a.tryReceive(buffer) == 3, "the first");
      assertThat(text(buffer)).isEqualTo("one");
      assertThat(b.trySendTo(bytes("two"), a.localAddress())).isTrue();
      Await.until(() -> a.tryReceiveFrom(buffer.clear()) != null, "the second");
    }
    var closed = bound();
    closed.close();
    assertThatThrownBy(() -> closed.trySendTo(bytes("x"), loopback(9)))
        .isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> closed.tryReceive(ByteBuffer.allocate(4)))
        .isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void aDroppedReceive_losesNothing_whereverItIsDropped() throws Exception {
    try (var a = bound();
        var b = connected(a)) {
      for (int polls = 0; polls < 4; polls++) {
        for (boolean awaitData : new boolean[] {false, true}) {
          var bell = new Bell();
          var buffer = ByteBuffer.allocate(16);
          var receive = a.receiveFrom(buffer);
          for (int i = 0; i < polls; i++) {
            assertThat(receive.poll(bell.context())).isNull();
          }
          int rings = bell.rings();
          b.send(bytes("kept")).await();
          if (awaitData && polls > 0) {
            bell.awaitAfter(rings);
          }
          receive.drop();
          assertThat(buffer.position()).isZero();
          assertThat(receiveText(a)).isEqualTo("kept");
        }
      }
    }
  }

  @Test
  void receives_waitInLine_andADroppedOnePassesItsTurnOn() throws Exception {
    try (var a = bound();
        var b = connected(a)) {
      var bell = new Bell();
      List<IoFuture<Integer>> waiting = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        IoFuture<Integer> receive = a.receive(ByteBuffer.allocate(4));
        assertThat(receive.poll(bell.context())).isNull();
        waiting.add(receive);
      }
      assertThat(a.tryReceive(ByteBuffer.allocate(4))).isEqualTo(DatagramIo.PENDING);
      waiting.get(0).drop();
      waiting.get(1).drop();
      b.send(bytes("1")).await();
      Await.until(() -> waiting.get(2).poll(bell.context()) != null, "its turn");
      b.send(bytes("2")).await();
      assertThat(receiveText(a)).isEqualTo("2");
    }
  }

  @Test
  void manyTasks_shareASocket_andEachDatagramComesOnce() throws Exception {
    int tasks = 8;
    int each = 40;
    try (var a = world.inside(() -> UdpSocket.builder().receiveBuffer(4 << 20).bind(loopback(0)));
        var b = connected(a)) {
      var seen = new BitSet();
      var receivers = new ArrayList<JoinHandle<List<Integer>>>();
      for (int t = 0; t < tasks; t++) {
        receivers.add(
            world.runtime.spawn(() -> {
              List<Integer> got = new ArrayList<>();
              var buffer = ByteBuffer.allocateDirect(4);
              for (int i = 0; i < each; i++) {
                a.receive(buffer.clear()).await();
                got.add(buffer.flip().getInt());
              }
              return got;
            }));
      }
      for (int i = 0; i < tasks * each; i++) {
        b.send(ByteBuffer.allocate(4).putInt(i).flip()).await();
      }
      for (var receiver : receivers) {
        for (int number : receiver.await()) {
          assertThat(seen.get(number)).as("%s came before", number).isFalse();
          seen.set(number);
        }
      }
      assertThat(seen.cardinality()).isEqualTo(tasks * each);
    }
  }

  @Test
  void closing_endsWhoeverWaits() throws Exception {
    var a = bound();
    var first = world.runtime.spawn(a.receive(ByteBuffer.allocate(4)));
    var second = world.runtime.spawn(a.receiveFrom(ByteBuffer.allocate(4)));
    awaitIdle("a datagram for");
    a.close();
    a.close();
    assertThatThrownBy(first::await).hasRootCauseInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(second::await).hasRootCauseInstanceOf(ClosedChannelException.class);
    assertThat(a.isOpen()).isFalse();
    assertThat(a).hasToString("UdpSocket[closed]");
    assertThatThrownBy(() -> a.sendTo(bytes("x"), loopback(9)).await())
        .isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(a::localAddress).isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void aTimeout_dropsTheReceive_andTheNextOneGoesOn() throws Exception {
    try (var a = bound();
        var b = connected(a)) {
      var limited = a.receive(ByteBuffer.allocate(4)).timeout(Duration.ofMillis(20));
      assertThatThrownBy(() -> world.runtime.run(limited)).isInstanceOf(TimedOutException.class);
      b.send(bytes("late")).await();
      assertThat(receiveText(a)).isEqualTo("late");
    }
  }

  @Test
  void closingTheRuntime_endsWhoeverWaitsOutside() throws Exception {
    var a = bound();
    var bell = new Bell();
    var receive = a.receive(ByteBuffer.allocate(4));
    assertThat(receive.poll(bell.context())).isNull();
    world.runtime.close();
    bell.awaitAfter(0);
    assertThatThrownBy(() -> receive.poll(bell.context()))
        .isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void options_areSetAndTold() throws Exception {
    try (var a =
        world.inside(() ->
            UdpSocket.builder()
                .reuseAddress(true)
                .reusePort(true)
                .receiveBuffer(50_000)
                .option(StandardSocketOptions.IP_MULTICAST_TTL, 3)
                .option(StandardSocketOptions.IP_MULTICAST_LOOP, false)
                .option(StandardSocketOptions.IP_TOS, 0x10)
                .bind(loopback(0)))) {
      assertThat(a.option(StandardSocketOptions.SO_BROADCAST)).isFalse();
      assertThat(a.broadcast(true).option(StandardSocketOptions.SO_BROADCAST)).isTrue();
      assertThat(a.option(StandardSocketOptions.SO_RCVBUF)).isGreaterThanOrEqualTo(50_000);
      assertThat(a.option(StandardSocketOptions.IP_MULTICAST_TTL)).isEqualTo(3);
      assertThat(a.option(StandardSocketOptions.IP_MULTICAST_LOOP)).isFalse();
      assertThat(a.option(StandardSocketOptions.IP_TOS)).isEqualTo(0x10);
      var twin =
          world.inside(
              () -> UdpSocket.builder().reusePort(true).reuseAddress(true).bind(a.localAddress()));
      twin.close();
    }
  }

  @Test
  void anOptionThatIsNotThere_isRefusedByName() throws Exception {
    var own = new OwnOption();
    try (var a = bound()) {
      for (ThrowingCallable asks :
          List.<ThrowingCallable>of(() -> a.option(own), () -> a.option(own, "x"))) {
        assertThatThrownBy(asks)
            .isInstanceOf(UnsupportedOperationException.class)
            .hasMessageContaining(backend)
            .hasMessageContaining("X_NO_SUCH");
      }
    }
  }

  private record OwnOption() implements java.net.SocketOption<String> {
    @Override
    public String name() {
      return "X_NO_SUCH";
    }

    @Override
    public Class<String> type() {
      return String.class;
    }
  }

  /** A machine's own device is enough: what is sent to a group by it comes back by it. */
  @Test
  void aMember_hearsTheGroup_andNoLongerOnceItHasLeft() throws Exception {
    NetworkInterface device = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
    InetAddress group = InetAddress.ofLiteral("239.255.31.7");
    try (var member = world.inside(() -> UdpSocket.builder().reuseAddress(true).bind(0));
        var sender =
            world.inside(() ->
                UdpSocket.builder()
                    .option(StandardSocketOptions.IP_MULTICAST_IF, device)
                    .bind(loopback(0)))) {
      var target = new InetSocketAddress(group, member.localAddress().getPort());
      assertThat(sender.option(StandardSocketOptions.IP_MULTICAST_IF)).isEqualTo(device);
      member.join(group, device);
      sender.sendTo(bytes("members"), target).await();
      var buffer = ByteBuffer.allocate(16);
      assertThat(member.receiveFrom(buffer).await().sender()).isEqualTo(sender.localAddress());
      assertThat(text(buffer)).isEqualTo("members");
      member.leave(group, device);
      sender.sendTo(bytes("others"), target).await();
      var direct = new InetSocketAddress(InetAddress.getLoopbackAddress(), target.getPort());
      sender.sendTo(bytes("direct"), direct).await();
      assertThat(receiveText(member)).isEqualTo("direct");
      assertThatThrownBy(() -> member.join(InetAddress.getLoopbackAddress(), device))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aTakenPort_andAnUnknownHost_areToldClearly() throws Exception {
    try (var a = bound()) {
      InetSocketAddress taken = a.localAddress();
      assertThatThrownBy(() -> world.inside(() -> UdpSocket.bind(taken)))
          .isInstanceOf(BindException.class)
          .hasMessageContaining(String.valueOf(taken.getPort()));
      var unknown = InetSocketAddress.createUnresolved("no-such-host.invalid", 9);
      assertThatThrownBy(() -> a.sendTo(bytes("x"), unknown).await())
          .isInstanceOf(UnknownHostException.class);
      assertThatThrownBy(() -> world.inside(() -> UdpSocket.connected(unknown)))
          .isInstanceOf(UnknownHostException.class)
          .hasMessageContaining("Hosts.resolve");
      assertThatThrownBy(() -> a.receive(ByteBuffer.allocate(4).asReadOnlyBuffer()))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> UdpSocket.bind(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anEcho_ofManyTasks_losesNothing_whileEachWaitsForItsAnswer() throws Exception {
    try (var server = bound()) {
      var echo =
          world.runtime.spawn(() -> {
            var buffer = ByteBuffer.allocateDirect(64);
            while (true) {
              var datagram = server.receiveFrom(buffer.clear()).await();
              server.sendTo(buffer.flip(), datagram.sender()).await();
            }
          });
      var clients = new ArrayList<JoinHandle<Integer>>();
      for (int c = 0; c < 8; c++) {
        int number = c;
        clients.add(
            world.runtime.spawn(() -> {
              try (var client = UdpSocket.connected(server.localAddress())) {
                var buffer = ByteBuffer.allocateDirect(8);
                int good = 0;
                for (int i = 0; i < 200; i++) {
                  client.send(buffer.clear().putInt(number).putInt(i).flip()).await();
                  assertThat(client.receive(buffer.clear()).await()).isEqualTo(8);
                  good += buffer.flip().getInt() == number && buffer.getInt() == i ? 1 : 0;
                }
                return good;
              }
            }));
      }
      for (var client : clients) {
        assertThat(client.await()).isEqualTo(200);
      }
      echo.cancel();
      Await.until(echo::isDone, "its end");
    }
  }
}
