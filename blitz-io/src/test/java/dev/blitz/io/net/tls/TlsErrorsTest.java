package dev.blitz.io.net.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.DeepStack;
import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.direct.ChildJvm;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The stack or the memory ends in the midst of something. No runtime: one thread does it all. */
@Strict
class TlsErrorsTest {
  private static final int LEVELS = 1_500;
  private static final Context CX = Context.of(() -> {});

  private static TlsWorld.Pair pair() throws Exception {
    Wire[] wire = Wire.pair(1 << 17);
    return shake(
        TlsWorld.client().connect(wire[0], TlsWorld.HOST), TlsWorld.server().accept(wire[1]));
  }

  static TlsWorld.Pair shake(IoFuture<TlsStream> client, IoFuture<TlsStream> server)
      throws IOException {
    TlsStream connected = null;
    TlsStream accepted = null;
    try {
      for (int i = 0; connected == null || accepted == null; i++) {
        if (connected == null) {
          connected = client.poll(CX);
        }
        if (accepted == null) {
          accepted = server.poll(CX);
        }
        if (i == 100) {
          throw new AssertionError("the handshake does not end");
        }
      }
      return new TlsWorld.Pair(connected, accepted);
    } catch (Throwable t) {
      end(client, connected);
      end(server, accepted);
      throw t;
    }
  }

  private static void end(IoFuture<TlsStream> future, @Nullable TlsStream stream) {
    if (stream == null) {
      future.drop();
    } else {
      stream.close();
    }
  }

  /** Bytes that count: each is one more than the one before. */
  private static final class Count {
    private int next;
    private final ByteBuffer one = ByteBuffer.allocate(1);

    /** What the position says was taken goes to the peer. */
    void write(TlsStream to) throws IOException {
      one.clear().put((byte) next).flip();
      var write = to.write(one);
      try {
        if (write.poll(CX) == null) {
          write.drop();
        }
      } finally {
        next += one.position();
      }
    }

    /** A read that returned has read; one that threw has not. */
    boolean read(ByteReader from) throws IOException {
      one.clear();
      var read = from.read(one);
      Integer n = read.poll(CX);
      if (n == null) {
        read.drop();
        return false;
      }
      assertThat(n).isEqualTo(1);
      assertThat(one.get(0)).isEqualTo((byte) next);
      next++;
      return true;
    }
  }

  @Test
  @OnceIsEnough
  void theEndOfTheStack_losesNoByte_andNoTurn() throws Exception {
    try (var pair = pair()) {
      for (TlsStream[] way :
          new TlsStream[][] {{pair.client(), pair.server()}, {pair.server(), pair.client()}}) {
        var written = new Count();
        var read = new Count();
        assertThat(DeepStack.climb(LEVELS, level -> written.write(way[0]))).isPositive();
        assertThat(written.next).isPositive();
        assertThat(DeepStack.climb(LEVELS, level -> read.read(way[1]))).isPositive();
        while (read.next < written.next) {
          assertThat(read.read(way[1])).as("one more is there").isTrue();
        }
        assertThat(read.read(way[1])).as("no more").isFalse();
        assertThat(DeepStack.climb(LEVELS, level -> way[0].forgetRead())).isPositive();
        assertThat(DeepStack.climb(LEVELS, level -> way[0].forgetWrite())).isPositive();
        written.write(way[0]);
        assertThat(read.read(way[1])).isTrue();
      }
      assertThat(DeepStack.climb(LEVELS, level -> pair.client().close())).isPositive();
      assertThat(pair.client().isOpen()).isFalse();
      assertThat(pair.server().read(ByteBuffer.allocate(1)).await()).isEqualTo(-1);
    }
  }

  /** What is left to be sent is sent by whoever makes room, also with little stack. */
  @Test
  @OnceIsEnough
  void theEndOfTheStack_whenRoomIsMade_leavesAStreamThatCanGoOn() throws Exception {
    Wire[] wire = Wire.pair(20_000);
    try (var pair =
        shake(
            TlsWorld.client().connect(wire[0], TlsWorld.HOST), TlsWorld.server().accept(wire[1]))) {
      var source = ByteBuffer.allocate(200_000);
      var target = ByteBuffer.allocate(200_000);
      int overflows = 0;
      while (source.hasRemaining()) {
        var write = pair.client().write(source);
        if (write.poll(CX) == null) {
          write.drop();
          overflows +=
              DeepStack.climb(
                  LEVELS,
                  level -> {
                    var read = pair.server().read(target);
                    if (read.poll(CX) == null) {
                      read.drop();
                    }
                  });
        }
      }
      pair.client().flush().poll(CX);
      while (target.position() < source.position()) {
        Integer n = pair.server().read(target).poll(CX);
        if (n == null) {
          assertThat(pair.client().flush().poll(CX)).isNotNull();
        }
      }
      assertThat(overflows).isPositive();
    }
  }

  @Test
  @OnceIsEnough
  void littleMemory_breaksNothingForOthers() throws Exception {
    var options = List.of("-Xmx20m", "-XX:+UseSerialGC", "-XX:-UseTLAB", "-XX:-UseGCOverheadLimit");
    var result = ChildJvm.run(TlsLittleMemory.class, options, List.of());
    assertThat(result.output()).contains("refused: true").contains("wrong: none");
  }

  /** A transport that has no memory for its n-th call. */
  @Test
  void aTransportWithoutMemory_isToldOf_andNobodyWaits() throws Exception {
    int ended = 0;
    for (int n = 0; ended < 3; n++) {
      Wire[] wire = Wire.pair(1 << 17);
      var failing = new FailingStream(wire[0], n);
      try (var pair =
          shake(
              TlsWorld.client().connect(failing, TlsWorld.HOST),
              TlsWorld.server().accept(wire[1]))) {
        var written = new Count();
        var read = new Count();
        for (int i = 0; i < 3; i++) {
          try {
            written.write(pair.client());
            written.write(pair.client());
          } catch (OutOfMemoryError e) {
            pair.client().flush().poll(CX); // what was taken goes on
          }
        }
        while (read.read(pair.server())) {
          // all that was written, and in order
        }
        assertThat(read.next).isEqualTo(written.next);
        ended++;
      } catch (OutOfMemoryError e) {
        assertThat(wire[0].isClosed() && wire[1].isClosed()).as("call " + n).isTrue();
      }
      assertThat(n).isLessThan(200);
    }
  }
}
