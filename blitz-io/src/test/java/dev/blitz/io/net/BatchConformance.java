package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.bytes;
import static dev.blitz.io.net.SocketWorld.loopback;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.IoFuture;
import dev.blitz.io.net.SocketWorld.Bell;
import dev.blitz.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several datagrams by one call, with one call of the system or without: the same on each. */
abstract class BatchConformance extends SocketConformance {
  private static final int LONGEST = 65_507;

  BatchConformance(String backend) {
    super(backend);
  }

  private UdpSocket bound() throws Exception {
    return world.inside(() -> UdpSocket.bind(loopback(0)));
  }

  private UdpSocket connected(UdpSocket to) throws Exception {
    return world.inside(() -> UdpSocket.connected(to.localAddress()));
  }

  private static DatagramBatch<InetSocketAddress> batch(int most, int bytesEach) {
    return DatagramBatch.allocate(most, bytesEach);
  }

  static List<String> texts(DatagramBatch<?> batch) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      texts.add(StandardCharsets.UTF_8.decode(batch.bytes(i)).toString());
    }
    return texts;
  }

  /** Receives until {@code count} have come, however many come at a time. */
  static <A extends SocketAddress> List<String> receive(
      DatagramIo<A> socket, DatagramBatch<A> batch, int count) throws IOException {
    List<String> texts = new ArrayList<>();
    while (texts.size() < count) {
      int n = socket.receiveMany(batch).await();
      assertThat(n).isEqualTo(batch.size()).isBetween(1, batch.capacity());
      texts.addAll(texts(batch));
    }
    return texts;
  }

  @Test
  void whatIsThere_comesTogether_withItsSendersAndItsLengths_inBothFamilies() throws Exception {
    for (String host : List.of("127.0.0.1", "::1")) {
      var local = new InetSocketAddress(InetAddress.ofLiteral(host), 0);
      try (var a = world.inside(() -> UdpSocket.bind(local));
          var b = world.inside(() -> UdpSocket.bind(local));
          var c = world.inside(() -> UdpSocket.bind(local))) {
        var batch = batch(8, 4);
        Await.until(
            () -> {
              b.sendTo(bytes("one"), a.localAddress()).await();
              c.sendTo(bytes(""), a.localAddress()).await();
              b.sendTo(bytes("0123456789"), a.localAddress()).await();
              if (a.receiveMany(batch).await() == 3) {
                return true;
              }
              while (a.tryReceive(ByteBuffer.allocate(4)) >= 0) {
                // the system has been slow: once more
              }
              return false;
            },
            "three that came together");
        assertThat(texts(batch)).containsExactly("one", "", "0123");
        assertThat(batch.datagram(0)).isEqualTo(new Datagram<>(b.localAddress(), 3, false));
        assertThat(batch.datagram(1)).isEqualTo(new Datagram<>(c.localAddress(), 0, false));
        assertThat(batch.datagram(2)).isEqualTo(new Datagram<>(b.localAddress(), 10, true));
        assertThatThrownBy(() -> batch.datagram(3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> batch.bytes(3)).isInstanceOf(IndexOutOfBoundsException.class);
      }
    }
  }

  @Test
  void moreThanThereIsRoomFor_comeWithTheNext_inTheirOrder() throws Exception {
    try (var a = bound();
        var b = connected(a)) {
      List<String> sent = new ArrayList<>();
      for (int i = 0; i < 11; i++) {
        sent.add("number " + i);
        b.send(bytes("number " + i)).await();
      }
      assertThat(receive(a, batch(4, 16), 11)).isEqualTo(sent);
    }
  }

  @Test
  void whatWasReceived_canBeSentBack_eachToItsSender() throws Exception {
    try (var server = bound();
        var one = connected(server);
        var two = connected(server)) {
      var echo =
          world.runtime.spawn(() -> {
            var batch = batch(8, 64);
            while (true) {
              server.receiveMany(batch).await();
              server.sendMany(batch).await();
              assertThat(batch.size()).isZero();
            }
          });
      for (int i = 0; i < 20; i++) {
        one.sendMany(batch(2, 8).add(bytes("a" + i)).add(bytes("b" + i))).await();
        two.send(bytes("c" + i)).await();
        assertThat(receive(one, batch(4, 8), 2)).containsExactly("a" + i, "b" + i);
        assertThat(receive(two, batch(1, 8), 1)).containsExactly("c" + i);
      }
      echo.cancel();
      Await.until(echo::isDone, "its end");
    }
  }

  @Test
  void eachGoes_toItsOwnAddress() throws Exception {
    try (var a = bound();
        var b = bound();
        var c = bound()) {
      var batch = batch(3, 8);
      batch.add(bytes("b1"), b.localAddress());
      batch.add(bytes("c"), c.localAddress());
      ByteBuffer source = bytes("b2");
      batch.add(source, b.localAddress());
      assertThat(source.remaining()).as("it was copied").isEqualTo(2);
      a.sendMany(batch).await();
      assertThat(receive(b, batch(2, 8), 2)).containsExactly("b1", "b2");
      assertThat(receive(c, batch(2, 8), 1)).containsExactly("c");
    }
  }

  @Test
  void aBatch_hasBounds() throws Exception {
    for (int[] sizes : new int[][] {{0, 1}, {1025, 1}, {1, 0}, {1, 65_537}}) {
      assertThatThrownBy(() -> batch(sizes[0], sizes[1]))
          .isInstanceOf(IllegalArgumentException.class);
    }
    var batch = batch(2, 4);
    assertThatThrownBy(() -> batch.add(bytes("01234")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5 bytes");
    batch.add(bytes("0")).add(bytes("1"));
    assertThat(batch.isFull()).isTrue();
    assertThatThrownBy(() -> batch.add(bytes("2"))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> batch.datagram(0)).isInstanceOf(IllegalStateException.class);
    batch.removeFirst();
    assertThat(texts(batch)).containsExactly("1");
    batch.clear();
    assertThat(batch).hasToString("0 of 2 datagrams");
    assertThatThrownBy(batch::removeFirst).isInstanceOf(IndexOutOfBoundsException.class);
    try (var a = bound()) {
      a.sendMany(batch).await();
      assertThat(a.trySendMany(batch)).isZero();
    }
  }

  @Test
  void oneThatCannotBeSent_isTheFirstOfWhatIsLeft() throws Exception {
    try (var a = bound();
        var b = connected(a)) {
      var batch = batch(3, LONGEST + 1);
      batch.add(bytes("before"));
      batch.add(ByteBuffer.allocate(LONGEST + 1));
      batch.add(bytes("after"));
      assertThatThrownBy(() -> b.sendMany(batch).await())
          .isInstanceOf(SocketException.class)
          .hasMessageContaining("65508 bytes");
      assertThat(batch.size()).isEqualTo(2);
      batch.removeFirst();
      b.sendMany(batch).await();
      assertThat(receive(a, batch(4, 8), 2)).containsExactly("before", "after");

      batch.add(bytes("known"), a.localAddress());
      batch.add(bytes("x"), InetSocketAddress.createUnresolved("no-such-host.invalid", 9));
      try (var free = bound()) {
        assertThatThrownBy(() -> free.sendMany(batch).await())
            .isInstanceOf(UnknownHostException.class);
      }
      assertThat(texts(batch)).containsExactly("x");
      assertThat(receive(a, batch(4, 8), 1)).containsExactly("known");
    }
  }

  @Test
  void aSendToNobody_isToldByTheNextReceive() throws Exception {
    InetSocketAddress nobody;
    try (var gone = bound()) {
      nobody = gone.localAddress();
    }
    try (var a = world.inside(() -> UdpSocket.connected(nobody))) {
      var receive = world.runtime.spawn(a.receiveMany(batch(4, 4)));
      awaitIdle("a datagram for");
      a.send(bytes("x")).await();
      assertThatThrownBy(receive::await).hasRootCauseInstanceOf(PortUnreachableException.class);
    }
  }

  /** Whichever of the two the system tells first. */
  @Test
  void aFailure_andWhatHadCome_areBothTold() throws Exception {
    var a = bound();
    InetSocketAddress there = a.localAddress();
    try (var b = connected(a)) {
      a.sendTo(bytes("last"), b.localAddress()).await();
      b.peek(ByteBuffer.allocate(4)).await(); // it is there
      a.close();
      b.sendTo(bytes("x"), there).await(); // and now nobody is
      var batch = batch(4, 4);
      List<String> told = new ArrayList<>();
      while (told.size() < 2) {
        try {
          b.receiveMany(batch).await();
          told.addAll(texts(batch));
        } catch (PortUnreachableException e) {
          told.add("nobody");
        }
      }
      assertThat(told).containsExactlyInAnyOrder("last", "nobody");
    }
  }

  @Test
  void aDroppedReceive_losesNothing_whereverItIsDropped_andLeavesTheBatchAlone() throws Exception {
    try (var a = bound();
        var b = connected(a)) {
      for (int polls = 0; polls < 4; polls++) {
        for (boolean awaitData : new boolean[] {false, true}) {
          var bell = new Bell();
          var batch = batch(4, 8).add(bytes("mine"));
          IoFuture<Integer> receive = a.receiveMany(batch);
          for (int i = 0; i < polls; i++) {
            assertThat(receive.poll(bell.context())).isNull();
          }
          int rings = bell.rings();
          b.sendMany(batch(2, 8).add(bytes("kept")).add(bytes("too"))).await();
          if (awaitData && polls > 0) {
            bell.awaitAfter(rings);
          }
          receive.drop();
          assertThat(texts(batch)).containsExactly("mine");
          assertThat(receive(a, batch, 2)).containsExactly("kept", "too");
        }
      }
    }
  }

  @Test
  void receives_ofOneAndOfMany_waitInOneLine() throws Exception {
    try (var a = bound();
        var b = connected(a)) {
      var bell = new Bell();
      var batch = batch(4, 8);
      var one = a.receive(ByteBuffer.allocate(8));
      var many = a.receiveMany(batch);
      assertThat(one.poll(bell.context())).isNull();
      assertThat(many.poll(bell.context())).isNull();
      assertThat(a.tryReceiveMany(batch(1, 8))).as("others wait").isZero();
      b.sendMany(batch(3, 8).add(bytes("1")).add(bytes("2")).add(bytes("3"))).await();
      Await.until(() -> one.poll(bell.context()) != null, "the first");
      Await.until(() -> many.poll(bell.context()) != null, "the others");
      assertThat(texts(batch)).startsWith("2");
    }
  }

  @Test
  void tries_needNoTask_andDoNotWait() throws Exception {
    try (var a = bound();
        var b = connected(a)) {
      var batch = batch(4, 8);
      assertThat(a.tryReceiveMany(batch)).isZero();
      assertThat(b.trySendMany(batch.add(bytes("one")).add(bytes("two")))).isEqualTo(2);
      assertThat(batch.size()).isZero();
      List<String> got = new ArrayList<>();
      Await.until(
          () -> {
            a.tryReceiveMany(batch);
            got.addAll(texts(batch));
            batch.clear();
            return got.size() == 2;
          },
          "both");
      assertThat(got).containsExactly("one", "two");
    }
  }

  @Test
  void closing_endsWhoeverWaits() throws Exception {
    var a = bound();
    var receive = world.runtime.spawn(a.receiveMany(batch(4, 8)));
    awaitIdle("a datagram for");
    a.close();
    assertThatThrownBy(receive::await).hasRootCauseInstanceOf(ClosedChannelException.class);
    var batch = batch(2, 4).add(bytes("x"), loopback(9)).add(bytes("y"), loopback(9));
    assertThatThrownBy(() -> a.sendMany(batch).await()).isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> a.tryReceiveMany(batch)).isInstanceOf(ClosedChannelException.class);
    assertThat(batch.size()).isEqualTo(2);
  }

  /** One call takes no more than its batch has room for, so a flood does not keep a worker. */
  @Test
  void theLargestBatch_isFilledAndSent() throws Exception {
    try (var a = world.inside(() -> UdpSocket.builder().receiveBuffer(4 << 20).bind(loopback(0)));
        var b = connected(a)) {
      var batch = batch(1024, 8);
      List<String> sent = new ArrayList<>();
      for (int i = 0; i < 1024; i++) {
        sent.add("" + i);
        batch.add(bytes("" + i));
        if (i % 64 == 63) { // what the receiver's buffer holds, whatever the system grants
          b.sendMany(batch).await();
          assertThat(receive(a, batch(64, 8), 64)).isEqualTo(sent);
          sent.clear();
        }
      }
      for (int i = 0; i < 1024; i++) {
        batch.add(bytes("x"));
      }
      b.sendMany(batch).await();
      assertThat(batch.size()).isZero();
      assertThat(a.receiveMany(batch).await()).isPositive();
    }
  }
}
