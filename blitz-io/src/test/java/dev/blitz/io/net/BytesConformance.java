package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.bytes;
import static dev.blitz.io.net.SocketWorld.noise;
import static dev.blitz.io.net.SocketWorld.readText;
import static dev.blitz.io.net.SocketWorld.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.net.SocketWorld.Bell;
import dev.blitz.io.net.SocketWorld.Pair;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bytes get from one end to the other. */
abstract class BytesConformance extends SocketConformance {
  BytesConformance(String backend) {
    super(backend);
  }

  @Test
  void backend_isTheOneThatWasAskedFor() {
    assertThat(world.runtime.backend().name()).isEqualTo(backend);
    assertThat(world.runtime.backend().available()).isTrue();
  }

  @Test
  void bytes_arriveInOrder_bothWays() throws Exception {
    try (Pair pair = world.pair()) {
      pair.client().writeAll(bytes("ping")).await();
      assertThat(readText(pair.server(), 4)).isEqualTo("ping");
      pair.server().writeAll(bytes("pong")).await();
      assertThat(readText(pair.client(), 4)).isEqualTo("pong");
    }
  }

  @Test
  void stacklessEcho_answersManyConnections() throws Exception {
    try (var listener = world.listen()) {
      var server =
          world.runtime.spawn(
              Futures.loop(() ->
                  listener
                      .accept()
                      .andThen(stream -> {
                        world.runtime.spawn(echo(stream)).detach();
                        return Futures.more();
                      })));
      List<TcpStream> clients = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        clients.add(world.connecting(listener.localAddress()).await());
      }
      for (int round = 0; round < 20; round++) {
        for (int i = 0; i < clients.size(); i++) {
          clients.get(i).writeAll(bytes("%02d/%02d".formatted(i, round))).await();
        }
        for (int i = 0; i < clients.size(); i++) {
          assertThat(readText(clients.get(i), 5)).isEqualTo("%02d/%02d".formatted(i, round));
        }
      }
      clients.forEach(TcpStream::close);
      server.cancel();
    }
  }

  private static void echoDirectly(TcpStream stream) throws IOException {
    try (stream) {
      var buffer = ByteBuffer.allocateDirect(4096);
      while (stream.read(buffer).await() >= 0) {
        stream.writeAll(buffer.flip()).await();
        buffer.clear();
      }
    }
  }

  @Test
  void directEcho_answersManyConnections() throws Exception {
    world.runtime.run(() -> {
      try (var listener = TcpListener.bind(0)) {
        int port = listener.localAddress().getPort();
        var server =
            Task.spawn(() -> {
              for (int i = 0; i < 20; i++) {
                var stream = listener.accept().await();
                Task.spawn(() -> echoDirectly(stream)).detach();
              }
            });
        for (int i = 0; i < 20; i++) {
          try (var client = TcpStream.connect("localhost", port).await()) {
            for (int round = 0; round < 10; round++) {
              client.writeAll(bytes("round " + round)).await();
              assertThat(readText(client, 7)).isEqualTo("round " + round);
            }
          }
        }
        server.await();
      }
    });
  }

  @Test
  void everyKindOfMemory_canBeReadAndWritten() throws Exception {
    try (Pair pair = world.pair();
        var arena = Arena.ofShared()) {
      byte[] data = noise(1000, 1);
      var direct = ByteBuffer.allocateDirect(1000).put(data).flip();
      pair.client().writeAll(direct).await();
      var heap = ByteBuffer.allocate(1000);
      pair.server().readFully(heap).await();
      assertThat(heap.array()).isEqualTo(data);

      pair.client().writeAll(ByteBuffer.wrap(data).asReadOnlyBuffer()).await();
      var directTarget = ByteBuffer.allocateDirect(1000);
      pair.server().readFully(directTarget).await();
      assertThat(directTarget.flip()).isEqualTo(ByteBuffer.wrap(data));

      MemorySegment out = arena.allocate(1000);
      MemorySegment.copy(MemorySegment.ofArray(data), 0, out, 0, 1000);
      pair.client().writeAll(out).await();
      MemorySegment in = arena.allocate(1000);
      long got = 0;
      while (got < 1000) {
        got += pair.server().read(in.asSlice(got)).await();
      }
      assertThat(in.mismatch(out)).isEqualTo(-1);

      assertThat(pair.client().write(MemorySegment.ofArray(data)).await()).isEqualTo(1000);
      MemorySegment heapSegment = MemorySegment.ofArray(new byte[1000]);
      assertThat(pair.server().read(heapSegment).await()).isPositive();
    }
  }

  @Test
  void aReadOnlyTarget_isRefused() throws Exception {
    try (Pair pair = world.pair()) {
      assertThatThrownBy(() -> pair.client().read(ByteBuffer.allocate(1).asReadOnlyBuffer()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void vectors_areFilledAndEmptiedInOrder() throws Exception {
    try (Pair pair = world.pair()) {
      long sent =
          pair.client()
              .writeVectored(
                  ByteBuffer.allocateDirect(2).put((byte) 'a').put((byte) 'b').flip(),
                  ByteBuffer.allocate(0),
                  ByteBuffer.allocateDirect(1).put((byte) 'c').flip())
              .await();
      assertThat(sent).isEqualTo(3);
      assertThat(pair.client().writeVectored(bytes("d"), bytes("e")).await()).isEqualTo(2);
      var one = ByteBuffer.allocateDirect(1);
      var two = ByteBuffer.allocateDirect(2);
      Await.until(
          () -> pair.server().peek(ByteBuffer.allocate(8)).await() >= 4, "all that was sent");
      assertThat(pair.server().readVectored(one, two).await()).isEqualTo(3);
      assertThat(text(one) + text(two)).isEqualTo("abc");
      assertThat(pair.server().readVectored().await()).isZero();
    }
  }

  /** Sixteen buffers of both kinds, and more than the staging area holds. */
  @Test
  void vectors_ofEveryKindOfMemory_goInOneCall_andLoseNothing() throws Exception {
    byte[] data = noise(150_000, 5);
    try (Pair pair = world.pair()) {
      ByteBuffer[] sources = new ByteBuffer[30];
      ByteBuffer[] targets = new ByteBuffer[30];
      for (int i = 0; i < 30; i++) {
        var part = ByteBuffer.wrap(data, i * 5000, 5000);
        sources[i] = i % 3 == 0 ? ByteBuffer.allocateDirect(5000).put(part).flip() : part;
        targets[i] = i % 2 == 0 ? ByteBuffer.allocateDirect(5000) : ByteBuffer.allocate(5000);
      }
      long first = pair.client().writeVectored(sources).await();
      assertThat(first).isEqualTo(80_000);
      var rest = world.runtime.spawn(pair.client().writeAllVectored(sources));
      while (targets[29].hasRemaining()) {
        assertThat(pair.server().readVectored(targets).await()).isPositive();
      }
      rest.await();
      for (int i = 0; i < 30; i++) {
        assertThat(targets[i].flip()).isEqualTo(ByteBuffer.wrap(data, i * 5000, 5000));
      }
    }
  }

  @Test
  void tryRead_andTryWrite_needNoTask_andDoNotWait() throws Exception {
    try (Pair pair = world.pair()) {
      var target = ByteBuffer.allocate(8);
      assertThat(pair.server().tryRead(target)).isEqualTo(TcpStream.PENDING);
      assertThat(pair.client().tryWrite(bytes("now"))).isEqualTo(3);
      Await.until(() -> pair.server().tryRead(target) == 3, "what was written");
      assertThat(text(target)).isEqualTo("now");
      var much = ByteBuffer.allocateDirect(1 << 20);
      Await.until(
          () -> pair.client().tryWrite(much.clear()) == TcpStream.PENDING,
          "the buffers to be full");
      pair.client().close();
      assertThatThrownBy(() -> pair.client().tryWrite(much.clear()))
          .isInstanceOf(ClosedChannelException.class);
    }
  }

  @Test
  void memoryOfAnotherThread_isRefused_withTheReason() throws Exception {
    try (Pair pair = world.pair();
        var arena = Arena.ofConfined()) {
      ByteBuffer confined = arena.allocate(8).asByteBuffer();
      for (var operation :
          List.<IoFuture<?>>of(
              pair.client().writeAll(confined.duplicate()),
              pair.client().writeVectored(bytes("x"), confined.duplicate()))) {
        assertThatThrownBy(() -> world.runtime.run(operation))
            .isInstanceOf(WrongThreadException.class)
            .hasMessageContaining("Arena.ofShared");
      }
      pair.client().writeAll(confined.duplicate()).await(); // on its own thread
      assertThat(readText(pair.server(), 8)).hasSize(8);
    }
  }

  @Test
  void peek_leavesTheBytes() throws Exception {
    try (Pair pair = world.pair()) {
      pair.client().writeAll(bytes("look")).await();
      var looked = ByteBuffer.allocate(4);
      Await.until(() -> pair.server().peek(looked.clear()).await() == 4, "all four");
      assertThat(text(looked)).isEqualTo("look");
      assertThat(readText(pair.server(), 4)).isEqualTo("look");
      pair.client().close();
      assertThat(pair.server().peek(ByteBuffer.allocate(1)).await()).isEqualTo(-1);
    }
  }

  @Test
  void emptyBuffers_moveNothing_andDoNotWait() throws Exception {
    try (Pair pair = world.pair()) {
      var empty = ByteBuffer.allocate(0);
      assertThat(pair.server().read(empty).await()).isZero();
      assertThat(pair.server().write(empty).await()).isZero();
      pair.server().writeAll(empty).await();
      pair.server().readFully(empty).await();
      assertThat(pair.server().read(MemorySegment.ofArray(new byte[0])).await()).isZero();
      pair.client().close();
      assertThat(pair.server().read(empty).await()).isZero();
      assertThat(pair.server().read(ByteBuffer.allocate(1)).await()).isEqualTo(-1);
    }
  }

  @Test
  void aHugeWrite_waitsForASlowReader_andArrivesWhole() throws Exception {
    int length = 24 << 20;
    byte[] data = noise(length, 7);
    for (boolean onHeap : new boolean[] {false, true}) {
      try (Pair pair = world.pair()) {
        pair.server().receiveBuffer(64 * 1024); // or the kernel may let it grow and take everything
        var source =
            onHeap ? ByteBuffer.wrap(data) : ByteBuffer.allocateDirect(length).put(data).flip();
        var writer = world.runtime.spawn(pair.client().writeAll(source));
        var target = ByteBuffer.allocate(length);
        target.limit(1);
        pair.server().readFully(target).await();
        Await.until(() -> source.position() > 0, "the kernel's buffers to be full");
        assertThat(writer.isDone()).as("%s bytes were taken", source.position()).isFalse();
        while (target.position() < length) {
          target.limit(Math.min(length, target.position() + 300_000));
          pair.server().readFully(target).await();
        }
        writer.await();
        assertThat(target.array()).isEqualTo(data);
      }
    }
  }

  @Test
  void readFully_failsWithEof_whenTheStreamEndsBefore() throws Exception {
    try (Pair pair = world.pair()) {
      pair.client().writeAll(bytes("half")).await();
      pair.client().close();
      var target = ByteBuffer.allocate(8);
      assertThatThrownBy(() -> pair.server().readFully(target).await())
          .isInstanceOf(EOFException.class);
      assertThat(text(target)).isEqualTo("half");
      assertThat(pair.server().read(ByteBuffer.allocate(1)).await()).isEqualTo(-1);
      assertThat(pair.server().read(ByteBuffer.allocate(1)).await()).isEqualTo(-1);
    }
  }

  /**
   * The end comes with the last bytes, in one event: it must not be mistaken for a drained stream.
   */
  @Test
  void theEnd_isSeen_whenItComesWithTheLastBytes() throws Exception {
    for (int i = 0; i < 200; i++) {
      try (Pair pair = world.pair()) {
        pair.client().writeAll(bytes("x")).await();
        pair.client().close();
        var target = ByteBuffer.allocateDirect(64);
        assertThat(pair.server().read(target).await()).isEqualTo(1);
        assertThat(pair.server().read(target).await()).isEqualTo(-1);
      }
    }
  }

  @Test
  void pollRead_needsNoFuture() throws Exception {
    try (Pair pair = world.pair()) {
      var bell = new Bell();
      var target = ByteBuffer.allocateDirect(16);
      assertThat(pair.server().pollRead(bell.context(), target)).isEqualTo(TcpStream.PENDING);
      assertThat(pair.client().pollWrite(bell.context(), bytes("int"))).isEqualTo(3);
      bell.awaitAfter(0);
      assertThat(pair.server().pollRead(bell.context(), target)).isEqualTo(3);
      pair.client().close();
      int rings = bell.rings();
      if (pair.server().pollRead(bell.context(), target) == TcpStream.PENDING) {
        bell.awaitAfter(rings);
        assertThat(pair.server().pollRead(bell.context(), target)).isEqualTo(-1);
      }
    }
  }
}
