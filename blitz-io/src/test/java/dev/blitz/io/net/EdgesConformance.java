package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.bytes;
import static dev.blitz.io.net.SocketWorld.failureOf;
import static dev.blitz.io.net.SocketWorld.noise;
import static dev.blitz.io.net.SocketWorld.readText;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.bytes.ByteWriter;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.net.SocketWorld.Bell;
import dev.blitz.io.net.SocketWorld.Pair;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What few programs do and some network does. */
abstract class EdgesConformance extends SocketConformance {
  @Test
  void readsAndWritesOfNothing_onAClosedStream_fail() throws Exception {
    var pair = world.pair();
    pair.close();
    TcpStream stream = pair.client();
    var none = ByteBuffer.allocate(0);
    for (ThrowingSupplier<?> operation :
        List.<ThrowingSupplier<?>>of(
            () -> stream.read(none).await(),
            () -> stream.readFully(none).await(),
            () -> stream.readVectored(none).await(),
            () -> stream.read(MemorySegment.ofBuffer(none)).await(),
            () -> stream.write(none).await(),
            () -> stream.writeAll(none).await(),
            () -> stream.writeVectored(none).await(),
            () -> stream.write(MemorySegment.ofBuffer(none)).await(),
            () -> stream.writeAll(MemorySegment.ofBuffer(none)).await())) {
      assertThatThrownBy(operation::get).isInstanceOf(ClosedChannelException.class);
    }
  }

  @Test
  void aWildcardAddress_takesConnectionsOfBothFamilies() throws Exception {
    try (var listener = world.inside(() -> TcpListener.bind(new InetSocketAddress(0)))) {
      int port = listener.localAddress().getPort();
      for (String host : List.of("127.0.0.1", "::1")) {
        var address = new InetSocketAddress(host, port);
        if (host.contains(":") && !hasIpv6()) {
          continue;
        }
        try (var client = world.connecting(address).await();
            var server = listener.accept().await()) {
          assertThat(server.remoteAddress()).isEqualTo(client.localAddress());
        }
      }
    }
  }

  @SuppressWarnings("AddressSelection") // a literal address
  private static boolean hasIpv6() throws IOException {
    try (var probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress("::1", 0));
      return true;
    } catch (SocketException e) {
      return false;
    }
  }

  EdgesConformance(String backend) {
    super(backend);
  }

  /** Whether what follows an urgent byte may have to wait until something else arrives. */
  boolean waitsAtUrgentBytes() {
    return false;
  }

  /** The kernel ends a read at the place of an urgent byte, whatever lies behind it. */
  @Test
  void anUrgentByte_doesNotHideWhatFollows() throws Exception {
    assumeTrue(!backend.equals("iocp"), "the JDK's asynchronous channels have no SO_OOBINLINE");
    try (var listener = world.listen()) {
      for (int round = 0; round < 30; round++) {
        try (var client =
                new Socket(InetAddress.getLoopbackAddress(), listener.localAddress().getPort());
            var server = listener.accept().await()) {
          urgentRound(client, server);
        }
      }
    }
  }

  private void urgentRound(Socket client, TcpStream server) throws Exception {
    client.setTcpNoDelay(true);
    var bell = new Bell();
    var pending = server.read(ByteBuffer.allocate(16));
    assertThat(pending.poll(bell.context())).isNull();
    client.getOutputStream().write("abc".getBytes(US_ASCII));
    client.sendUrgentData('!');
    client.getOutputStream().write("def".getBytes(US_ASCII));
    bell.awaitAfter(0);
    pending.drop();
    var all = ByteBuffer.allocate(7);
    var read = world.runtime.spawn(server.readFully(all));
    Await.until(
        () -> {
          if (waitsAtUrgentBytes()) {
            client.getOutputStream().write('.');
          }
          return read.isDone();
        },
        "what follows the urgent byte");
    read.await();
    assertThat(SocketWorld.text(all)).isEqualTo("abc!def");
  }

  /** The kernel tells of a reset once; a clean end must not be what the other side is told. */
  @Test
  void aReset_thatTheWriterHasSeen_isNoEndForTheReader() throws Exception {
    needsLinger();
    try (Pair pair = world.pair()) {
      pair.client().reset();
      Throwable failure = null;
      for (int i = 0; i < 1000 && failure == null; i++) {
        failure = failureOf(() -> pair.server().writeAll(bytes("into the void")).await());
      }
      assertThat(failure).isInstanceOf(SocketException.class);
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)).await())
            .isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> pair.server().peek(ByteBuffer.allocate(1)).await())
            .isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> pair.server().readVectored(ByteBuffer.allocate(1)).await())
            .isInstanceOf(SocketException.class);
      }
    }
  }

  @Test
  void aReset_staysAReset() throws Exception {
    needsLinger();
    try (Pair pair = world.pair()) {
      pair.client().reset();
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)).await())
            .isInstanceOf(SocketException.class);
      }
    }
  }

  /** Makes a connection whose close has something to wait for: nobody reads what was written. */
  private static void fill(TcpStream stream) throws IOException {
    var bell = new Bell();
    var write = stream.writeAll(ByteBuffer.allocateDirect(64 << 20));
    assertThat(write.poll(bell.context())).isNull();
    write.drop();
  }

  @Test
  void aPendingWrite_learnsThatItsOutputHasEnded() throws Exception {
    try (Pair pair = world.pair()) {
      fill(pair.client());
      JoinHandle<Done> writing = world.runtime.spawn(writeForEver(pair.client()));
      awaitIdle("room to write");
      pair.client().shutdownOutput();
      assertThat(failureOf(writing::await)).isNotNull();
    }
  }

  @Test
  void aPendingWriteOfAHalf_endsWithTheHalf() throws Exception {
    try (Pair pair = world.pair()) {
      fill(pair.client());
      var half = pair.client().split().writer();
      JoinHandle<Done> writing = world.runtime.spawn(writeForEver(half));
      awaitIdle("room to write");
      half.close();
      assertThat(failureOf(writing::await)).isNotNull();
    }
  }

  private static Future<Done> writeForEver(ByteWriter writer) {
    var bytes = ByteBuffer.allocateDirect(1000);
    return Futures.loop(() -> writer.writeAll(bytes.clear()).andThen(done -> Futures.more()));
  }

  @Test
  void pollsInVain_takeNoMemory() throws Exception {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Pair pair = world.pair()) {
      var target = ByteBuffer.allocateDirect(16);
      var cx = new Bell().context();
      int polls = 2000;
      long begin = 0;
      for (int i = -polls; i < polls; i++) {
        if (i == 0) {
          begin = threads.getCurrentThreadAllocatedBytes();
        }
        if (pair.server().pollRead(cx, target) != TcpStream.PENDING) {
          throw new AssertionError("nothing was sent");
        }
      }
      assertThat((threads.getCurrentThreadAllocatedBytes() - begin) / polls).isLessThan(16);
    }
  }

  @Test
  void aLingeringClose_keepsNoWorkerWaiting() throws Exception {
    needsLinger();
    try (var small = new SocketWorld(backend, 1);
        var pair = small.pair()) {
      JoinHandle<Integer> read = small.runtime.spawn(pair.server().read(ByteBuffer.allocate(1)));
      fill(pair.server());
      pair.server().linger(20);
      pair.server().close();
      assertThat(pair.server().isOpen()).isFalse();
      assertThat(failureOf(read::await)).isNotNull();
      for (int i = 0; i < 20; i++) {
        var work =
            small.runtime.spawn(
                Futures.lazy(() -> "done").timeout(Timeouts.scaled(Duration.ofSeconds(5))));
        assertThat(work.await()).isEqualTo("done");
      }
    } // the peer's close ends the waiting
  }

  @Test
  void aLingeringConnection_doesNotHoldUpTheRuntimesClose() throws Exception {
    needsLinger();
    var pair = world.pair();
    try (var peer = new SocketWorld(backend, 1);
        var listener = peer.listen()) {
      var stream = world.connecting(listener.localAddress()).await();
      try (var accepted = listener.accept().await()) {
        fill(stream);
        stream.linger(30);
        long begin = System.nanoTime();
        world.runtime.close();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Timeouts.MEDIUM);
        assertThat(accepted.read(ByteBuffer.allocate(1)).await()).isEqualTo(1);
      }
    }
    assertThat(pair.client().isOpen()).isFalse();
  }

  @Test
  void memoryThatIsGone_isRefused_andNothingIsLost() throws Exception {
    try (Pair pair = world.pair()) {
      ByteBuffer one;
      ByteBuffer two;
      try (var arena = Arena.ofShared()) {
        one = arena.allocate(2).asByteBuffer();
        two = arena.allocate(2).asByteBuffer();
      }
      pair.client().writeAll(bytes("data")).await();
      assertThat(pair.server().peek(ByteBuffer.allocate(4)).await()).isPositive();
      assertThatThrownBy(() -> pair.server().readVectored(one, two).await())
          .isInstanceOf(IllegalStateException.class);
      var good = ByteBuffer.allocate(2);
      assertThatThrownBy(() -> pair.server().readVectored(good, two).await())
          .isInstanceOf(IllegalStateException.class);
      assertThat(good.position()).isZero();
      assertThatThrownBy(() -> pair.server().read(one).await())
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> pair.server().writeVectored(one, two).await())
          .isInstanceOf(IllegalStateException.class);
      assertThat(one.position()).isZero();
      assertThat(readText(pair.server(), 4)).isEqualTo("data");
    }
  }

  /** Nobody sends more than 2 GB in a call, but a mapped file may be larger than that. */
  @Test
  void aSegmentAboveTwoGigabytes_isTakenInParts(@TempDir Path folder) throws Exception {
    long size = 3L << 30;
    try (Pair pair = world.pair();
        var arena = Arena.ofShared();
        var file =
            FileChannel.open(
                folder.resolve("sparse"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.SPARSE)) {
      file.write(bytes("!"), size - 1);
      MemorySegment huge = file.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
      int sent = pair.client().write(huge).await();
      assertThat(sent).isPositive();
      var target = ByteBuffer.allocateDirect(sent);
      pair.server().readFully(target).await();
      pair.client().writeAll(bytes("end")).await();
      assertThat(pair.server().read(huge).await()).isEqualTo(3);
      var bell = new Bell();
      var write = pair.client().writeAll(huge);
      assertThat(write.poll(bell.context())).isNull();
      write.drop();
    }
  }

  /** A worker that does not end at the deadline must not keep ports and connections open. */
  @Test
  void closingTheRuntime_closesItsSockets_evenIfAWorkerIsStuck() throws Exception {
    var release = new CountDownLatch(1);
    try (var peer = new SocketWorld(backend, 1);
        var peerListener = peer.listen()) {
      var listener = world.listen();
      var stream = world.connecting(peerListener.localAddress()).await();
      try (var accepted = peerListener.accept().await()) {
        JoinHandle<Integer> read = world.runtime.spawn(stream.read(ByteBuffer.allocate(1)));
        awaitIdle("bytes from");
        var stuck = new CountDownLatch(1);
        var hog =
            world.runtime.spawn(
                Futures.lazy(() -> {
                  stuck.countDown();
                  while (release.getCount() > 0) {
                    Thread.onSpinWait(); // deaf to interrupts
                  }
                  return true;
                }));
        stuck.await();
        assertThat(world.runtime.close(Duration.ofMillis(200)).clean()).isFalse();
        assertThat(listener.isOpen()).isFalse();
        assertThat(stream.isOpen()).isFalse();
        assertThat(peer.runtime.run(accepted.read(ByteBuffer.allocate(1)).timeout(Timeouts.MEDIUM)))
            .isEqualTo(-1);
        assertThat(failureOf(read::await)).isNotNull();
        assertThat(hog.isDone()).isFalse();
      }
    } finally {
      release.countDown();
    }
  }

  /** A peer that accepts and resets at once: the connect stands or fails, and nobody waits on. */
  @Test
  void aConnection_thatIsResetAtOnce_leavesNobodyWaiting() throws Exception {
    int rounds = 100;
    try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Race.run(
          who -> {
            for (int i = 0; i < rounds; i++) {
              var accepted = server.accept();
              accepted.setSoLinger(true, 0);
              accepted.close();
            }
          },
          who -> {
            for (int i = 0; i < rounds; i++) {
              var connect = world.connecting(SocketWorld.loopback(server.getLocalPort()));
              Throwable failure =
                  failureOf(() -> {
                    try (var stream = connect.await()) {
                      return stream.read(ByteBuffer.allocate(1)).await();
                    }
                  });
              assertThat(failure).isInstanceOf(SocketException.class);
            }
          });
    }
  }

  /** A reader and a writer on other threads, and a number that is given out again at once. */
  @Test
  void closing_whileOthersReadAndWrite_endsBoth_andTouchesNoStranger() throws Exception {
    for (int round = 0; round < 40; round++) {
      var pair = world.pair();
      Race.run(
          who -> {
            var target = ByteBuffer.allocateDirect(64);
            Throwable failure =
                failureOf(() -> {
                  while (true) {
                    if (pair.server().read(target.clear()).await() < 0) {
                      return -1;
                    }
                  }
                });
            assertThat(failure).isInstanceOf(ClosedChannelException.class);
          },
          who -> {
            Throwable failure =
                failureOf(() -> {
                  while (true) {
                    pair.server().writeAll(ByteBuffer.allocateDirect(256)).await();
                  }
                });
            assertThat(failure).isInstanceOf(ClosedChannelException.class);
          },
          who -> {
            pair.client().writeAll(bytes("something")).await();
            pair.server().close();
            try (Pair stranger = world.pair()) {
              stranger.client().writeAll(bytes("untouched")).await();
              stranger.client().shutdownOutput();
              assertThat(readText(stranger.server(), 100)).isEqualTo("untouched");
            }
          });
      pair.close();
    }
  }

  @Test
  void aVectoredWrite_goesOnWhereItStopped() throws Exception {
    int length = 600_000;
    byte[] data = noise(20 * length, 5);
    ByteBuffer[] sources = new ByteBuffer[20];
    for (int i = 0; i < sources.length; i++) {
      sources[i] =
          i % 7 == 3
              ? ByteBuffer.wrap(data, i * length, length)
              : ByteBuffer.allocateDirect(length).put(data, i * length, length).flip();
    }
    try (Pair pair = world.pair()) {
      var target = ByteBuffer.allocate(data.length);
      var read = world.runtime.spawn(pair.server().readFully(target));
      long sent = 0;
      while (sent < data.length) {
        sent += pair.client().writeVectored(sources).await();
      }
      read.await();
      assertThat(target.array()).isEqualTo(data);
      assertThat(sources).noneMatch(ByteBuffer::hasRemaining);
    }
  }
}
