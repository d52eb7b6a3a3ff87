package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.bytes;
import static dev.blitz.io.net.SocketWorld.failureOf;
import static dev.blitz.io.net.SocketWorld.loopback;
import static dev.blitz.io.net.SocketWorld.noise;
import static dev.blitz.io.net.SocketWorld.readText;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Done;
import dev.blitz.io.net.SocketWorld.Pair;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** How connections end. */
abstract class EndsConformance extends SocketConformance {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  EndsConformance(String backend) {
    super(backend);
  }

  @Test
  void halfClose_letsTheAnswerThrough() throws Exception {
    try (Pair pair = world.pair()) {
      pair.client().writeAll(bytes("question")).await();
      pair.client().shutdownOutput();
      assertThat(readText(pair.server(), 100)).isEqualTo("question");
      pair.server().writeAll(bytes("answer")).await();
      pair.server().shutdownOutput();
      assertThat(readText(pair.client(), 100)).isEqualTo("answer");
      assertThatThrownBy(() -> pair.client().write(bytes("more")).await())
          .isInstanceOf(SocketException.class);
    }
  }

  @Test
  void shutdownInput_endsAPendingRead() throws Exception {
    try (Pair pair = world.pair()) {
      var read = world.runtime.spawn(pair.server().read(ByteBuffer.allocate(1)));
      awaitIdle("bytes from");
      pair.server().shutdownInput();
      assertThat(read.await()).isEqualTo(-1);
    }
  }

  @Test
  void aReset_endsAPendingRead() throws Exception {
    needsLinger();
    try (Pair pair = world.pair()) {
      var read = world.runtime.spawn(pair.server().read(ByteBuffer.allocate(1)));
      awaitIdle("bytes from");
      pair.client().reset();
      assertThatThrownBy(read::await).hasRootCauseInstanceOf(SocketException.class);
    }
  }

  @Test
  void aReset_endsAPendingWrite() throws Exception {
    needsLinger();
    try (Pair pair = world.pair()) {
      var source = ByteBuffer.allocateDirect(64 << 20);
      var write = world.runtime.spawn(pair.server().writeAll(source));
      awaitIdle("room to write");
      pair.client().reset();
      assertThatThrownBy(write::await).hasRootCauseInstanceOf(SocketException.class);
    }
  }

  @Test
  void aReset_isSeenByTheNextRead_whenNobodyWaited() throws Exception {
    needsLinger();
    try (Pair pair = world.pair()) {
      pair.client().reset();
      assertThatThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)).await())
          .isInstanceOf(SocketException.class);
    }
  }

  @Test
  void writingToAClosedPeer_fails_andKillsNobody() throws Exception {
    try (Pair pair = world.pair()) {
      pair.client().close();
      Throwable failure = null;
      for (int i = 0; i < 1000 && failure == null; i++) {
        failure = failureOf(() -> pair.server().writeAll(bytes("into the void")).await());
      }
      assertThat(failure).isInstanceOf(SocketException.class);
    }
  }

  /** Bytes of the one that failed are missing: what came later would be out of place. */
  @Test
  void afterAWriteHasFailed_everyWriteFails() throws Exception {
    try (Pair pair = world.pair()) {
      pair.client().close();
      var server = pair.server();
      world
          .runtime
          .spawn(() -> {
            Throwable failure = null;
            for (int i = 0; i < 1000 && failure == null; i++) {
              failure = failureOf(() -> server.writeAll(bytes("into the void")).await());
            }
            assertThat(failure).isInstanceOf(SocketException.class);
            for (int i = 0; i < 10; i++) {
              assertThat(failureOf(() -> server.writeAll(bytes("again")).await()))
                  .as("write %d after it", i)
                  .isInstanceOf(SocketException.class);
            }
          })
          .await();
    }
  }

  @Test
  @SuppressWarnings("try") // closing in the middle is the point
  void closing_endsAPendingReadWriteAndAccept() throws Exception {
    try (Pair pair = world.pair();
        var listener = world.listen()) {
      var read = world.runtime.spawn(pair.server().read(ByteBuffer.allocate(1)));
      var write = world.runtime.spawn(pair.server().writeAll(ByteBuffer.allocateDirect(64 << 20)));
      var accept = world.runtime.spawn(listener.accept());
      awaitIdle("bytes from");
      awaitIdle("room to write");
      awaitIdle("a connection to");
      pair.server().close();
      listener.close();
      assertThatThrownBy(read::await).hasRootCauseInstanceOf(ClosedChannelException.class);
      assertThatThrownBy(write::await).hasRootCauseInstanceOf(ClosedChannelException.class);
      assertThatThrownBy(accept::await).hasRootCauseInstanceOf(ClosedChannelException.class);
      assertThatThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)).await())
          .isInstanceOf(ClosedChannelException.class);
      assertThatThrownBy(() -> pair.server().noDelay(true))
          .isInstanceOf(ClosedChannelException.class);
      assertThat(pair.server().isOpen()).isFalse();
      pair.server().close();
      assertThat(pair.server().toString()).contains("closed");
    }
  }

  @Test
  void closing_withUnreadBytes_resetsTheConnection() throws Exception {
    for (int read = 0; read < 2; read++) {
      try (var listener = world.listen();
          var client = new Socket(LOOPBACK, listener.localAddress().getPort())) {
        TcpStream server = listener.accept().await();
        client.getOutputStream().write(new byte[1000]);
        var some = ByteBuffer.allocate(1);
        assertThat(world.runtime.<Integer>run(server.peek(some))).isEqualTo(1);
        for (int i = 0; i < read; i++) {
          some.clear();
          assertThat(world.runtime.<Integer>run(server.read(some))).isEqualTo(1);
        }
        server.close();
        assertThatThrownBy(() -> client.getInputStream().read())
            .as("after %s bytes", read)
            .isInstanceOf(SocketException.class)
            .hasMessageContaining("reset");
      }
    }
  }

  @Test
  void closing_whenAllWasRead_isAnEndForThePeer() throws Exception {
    try (var listener = world.listen();
        var client = new Socket(LOOPBACK, listener.localAddress().getPort())) {
      TcpStream server = listener.accept().await();
      client.getOutputStream().write(new byte[1000]);
      world.runtime.run(server.readFully(ByteBuffer.allocate(1000)));
      server.close();
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }

  /**
   * As with the JDK's channels: nothing is read after it, whether it came before or comes later.
   */
  @Test
  void afterShutdownInput_readsSayEnd_whateverHasCome() throws Exception {
    try (Pair pair = world.pair()) {
      world.runtime.run(pair.client().writeAll(bytes("unread")));
      var some = ByteBuffer.allocate(10);
      assertThat(world.runtime.<Integer>run(pair.server().peek(some))).isPositive();
      pair.server().shutdownInput();
      some.clear();
      assertThat(world.runtime.<Integer>run(pair.server().read(some))).isEqualTo(-1);
      world.runtime.run(pair.client().writeAll(bytes("late")));
      assertThat(world.runtime.<Integer>run(pair.server().read(some))).isEqualTo(-1);
      assertThat(world.runtime.<Integer>run(pair.server().peek(some))).isEqualTo(-1);
      world.runtime.run(pair.server().writeAll(bytes("still there")));
      assertThat(readText(pair.client(), 11)).isEqualTo("still there");
    }
  }

  @Test
  void aPort_canBeBoundAgain_rightAfterItsListenerWasClosed() throws Exception {
    var first = world.listen();
    int port = first.localAddress().getPort();
    var waiting =
        world.runtime.spawn(first.accept().map(TcpStream::isOpen).recover(closed -> false));
    awaitIdle("a connection to");
    world.inside(() -> {
      first.close();
      for (int i = 0; i < 50; i++) {
        try (TcpListener next = TcpListener.bind(loopback(port))) {
          var accept = next.accept();
          accept.poll(new SocketWorld.Bell().context());
          accept.drop();
        }
      }
      return Done.DONE;
    });
    assertThat(waiting.await()).isFalse();
  }

  /** One worker, and the task that closes goes on computing until the peer has seen the end. */
  @Test
  void closing_tellsThePeerAtOnce_thoughTheTaskGoesOnComputing() throws Exception {
    try (var one = new SocketWorld(backend, 1);
        var listener = one.listen();
        var client = new Socket(LOOPBACK, listener.localAddress().getPort())) {
      TcpStream server = listener.accept().await();
      client.getOutputStream().write('x');
      var ended = new AtomicBoolean();
      var reading =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  ended.set(client.getInputStream().read() < 0);
                } catch (IOException e) {
                  // it has not ended
                }
              });
      var buffer = ByteBuffer.allocate(1);
      long deadline = Timeouts.SHORT.toNanos();
      boolean seen =
          one.runtime.run(
              server
                  .read(buffer)
                  .andThen(n -> {
                    var more = server.read(buffer.clear());
                    more.poll(new SocketWorld.Bell().context()); // arms what brings more
                    more.drop();
                    return Task.yieldNow();
                  })
                  .map(done -> {
                    server.close();
                    long begun = System.nanoTime();
                    while (!ended.get() && System.nanoTime() - begun < deadline) {
                      Thread.onSpinWait();
                    }
                    return ended.get();
                  }));
      assertThat(seen).isTrue();
      reading.join();
    }
  }

  @Test
  void whatNobodyClosesOrHasAnyMore_isClosedByTheCollector() throws Exception {
    List<SocketChannel> clients = new ArrayList<>();
    try (var listener = world.listen()) {
      int forgotten = forgetListener();
      for (int i = 0; i < 20; i++) {
        var client = SocketChannel.open(listener.localAddress());
        clients.add(client);
        client.write(bytes("x"));
        client.configureBlocking(false);
        readAndForget(listener);
      }
      Await.untilCollected(
          () -> clients.stream().allMatch(EndsConformance::hasEnded) && isRefused(forgotten),
          "all to be closed");
    } finally {
      for (var client : clients) {
        client.close();
      }
    }
  }

  /** A stream is kept for whoever waits for it, though nobody else has it. */
  @Test
  void aStreamThatSomebodyWaitsFor_isKept() throws Exception {
    try (var listener = world.listen();
        var client = SocketChannel.open(listener.localAddress())) {
      var reading = readLater(listener);
      awaitIdle("bytes from");
      for (int i = 0; i < 3; i++) {
        System.gc();
      }
      client.write(bytes("x"));
      assertThat(reading.await()).isEqualTo(1);
    }
  }

  private JoinHandle<Integer> readLater(TcpListener listener) throws Exception {
    return world.runtime.spawn(listener.accept().await().read(ByteBuffer.allocate(1)));
  }

  private int forgetListener() throws Exception {
    return world.listen().localAddress().getPort();
  }

  private void readAndForget(TcpListener listener) throws Exception {
    world.runtime.run(listener.accept().await().read(ByteBuffer.allocate(1)));
  }

  private static boolean hasEnded(SocketChannel client) {
    try {
      return client.read(ByteBuffer.allocate(1)) < 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isRefused(int port) {
    try {
      SocketChannel.open(loopback(port)).close();
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void bytesWrittenBeforeAClose_stillArrive() throws Exception {
    byte[] data = noise(200_000, 3);
    try (Pair pair = world.pair()) {
      var reader = world.runtime.spawn(pair.client().readFully(ByteBuffer.allocate(data.length)));
      pair.server().writeAll(ByteBuffer.wrap(data)).await();
      pair.server().close();
      reader.await();
      assertThat(pair.client().read(ByteBuffer.allocate(1)).await()).isEqualTo(-1);
    }
  }

  @Test
  void closingTheRuntime_closesWhatIsOpen_andEndsThoseWhoWait() throws Exception {
    var pair = world.pair();
    var listener = world.listen();
    Throwable[] failure = new Throwable[1];
    Thread waiting =
        Thread.ofPlatform()
            .start(() ->
                failure[0] = failureOf(() -> pair.server().read(ByteBuffer.allocate(1)).await()));
    Await.untilWaiting(waiting);
    world.runtime.close();
    waiting.join();
    assertThat(failure[0]).isInstanceOf(ClosedChannelException.class);
    assertThat(listener.isOpen()).isFalse();
    assertThat(pair.client().isOpen()).isFalse();
    assertThatThrownBy(() -> pair.client().write(bytes("late")).await())
        .isInstanceOf(ClosedChannelException.class);
  }
}
