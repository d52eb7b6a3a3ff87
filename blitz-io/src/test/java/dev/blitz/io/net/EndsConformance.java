package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.bytes;
import static dev.blitz.io.net.SocketWorld.failureOf;
import static dev.blitz.io.net.SocketWorld.noise;
import static dev.blitz.io.net.SocketWorld.readText;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.net.SocketWorld.Pair;
import dev.blitz.testkit.Await;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

/** How connections end. */
abstract class EndsConformance extends SocketConformance {
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
    try (Pair pair = world.pair()) {
      var read = world.runtime.spawn(pair.server().read(ByteBuffer.allocate(1)));
      awaitIdle("bytes from");
      pair.client().reset();
      assertThatThrownBy(read::await).hasRootCauseInstanceOf(SocketException.class);
    }
  }

  @Test
  void aReset_endsAPendingWrite() throws Exception {
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
