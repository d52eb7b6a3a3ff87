package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BackendProbe;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.internal.driver.Backends;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes on workers of the io_uring backend: they are staged, and all that follows comes later. */
@Strict
class UringSendTest {
  private static final String BACKEND = "io_uring";

  @BeforeEach
  void hasUring() {
    assumeTrue(
        Backends.probeAll().stream().anyMatch(p -> p.name().equals(BACKEND) && p.available()),
        () -> Backends.probeAll().stream().map(BackendProbe::toString).toList().toString());
  }

  /** What a pump does when everything is written. */
  private interface End {
    void of(TcpStream stream) throws IOException;
  }

  /** Writes numbered bytes in pieces, and ends. */
  private static final class Pump implements Future<Done> {
    private final TcpStream stream;
    private final int total;
    private final End end;
    private final ByteBuffer piece;
    private int filled;
    volatile int written;
    volatile boolean waits;

    Pump(TcpStream stream, int total, int pieceBytes, End end) {
      this.stream = stream;
      this.total = total;
      this.end = end;
      piece = ByteBuffer.allocateDirect(pieceBytes).limit(0);
    }

    @Override
    public @Nullable Done poll(Context cx) throws IOException {
      waits = false;
      while (written < total) {
        if (!piece.hasRemaining()) {
          piece.clear().limit(Math.min(piece.capacity(), total - filled));
          while (piece.hasRemaining()) {
            piece.put((byte) (filled++ * 31));
          }
          piece.flip();
        }
        int n = stream.pollWrite(cx, piece);
        if (n == TcpStream.PENDING) {
          waits = true;
          return null;
        }
        int now = written + n; // no one else writes it
        written = now;
      }
      end.of(stream);
      return Done.DONE;
    }
  }

  private static void assertNumbered(TcpStream from, int total) throws IOException {
    var buffer = ByteBuffer.allocateDirect(32 * 1024);
    int at = 0;
    while (from.read(buffer.clear()).await() >= 0) {
      buffer.flip();
      while (buffer.hasRemaining()) {
        if (buffer.get() != (byte) (at * 31)) {
          throw new AssertionError("another byte than expected at " + at);
        }
        at++;
      }
    }
    assertThat(at).as("bytes until the end").isEqualTo(total);
  }

  @Test
  void writeAndClose_everythingArrives() throws Exception {
    for (int pieceBytes : new int[] {1, 100, 16 * 1024, 16 * 1024 + 1}) {
      try (var world = new SocketWorld(BACKEND, 2);
          var pair = world.pair()) {
        int total = Math.min(300_000, pieceBytes * 500);
        var pump =
            world.runtime.spawn(new Pump(pair.server(), total, pieceBytes, TcpStream::close));
        assertNumbered(pair.client(), total);
        pump.await();
      }
    }
  }

  @Test
  void writeAndShutdownOutput_everythingArrives_andReadingGoesOn() throws Exception {
    try (var world = new SocketWorld(BACKEND, 2);
        var pair = world.pair()) {
      var pump =
          world.runtime.spawn(new Pump(pair.server(), 50_000, 1000, TcpStream::shutdownOutput));
      assertNumbered(pair.client(), 50_000);
      pump.await();
      pair.client().writeAll(SocketWorld.bytes("still there")).await();
      assertThat(SocketWorld.readText(pair.server(), 11)).isEqualTo("still there");
    }
  }

  @Test
  void peerThatDoesNotRead_holdsTheWriterUp_untilItReads() throws Exception {
    int total = 16 << 20;
    try (var world = new SocketWorld(BACKEND, 1);
        var pair = world.pair()) {
      var pump = new Pump(pair.server(), total, 4096, TcpStream::close);
      var done = world.runtime.spawn(pump);
      Await.until(() -> pump.waits, "the kernel's buffers to be full");
      assertThat(pump.written).isLessThan(total);
      assertNumbered(pair.client(), total);
      done.await();
    }
  }

  @Test
  void reset_withAWriteThatIsHeldUp_reachesThePeer() throws Exception {
    try (var world = new SocketWorld(BACKEND, 1);
        var pair = world.pair()) {
      var pump = new Pump(pair.server(), Integer.MAX_VALUE, 4096, TcpStream::close);
      var writing = world.runtime.spawn(pump);
      Await.until(() -> pump.waits, "the kernel's buffers to be full");
      pair.server().reset();
      assertThatThrownBy(writing::await).isInstanceOf(Exception.class);
      assertThatThrownBy(() -> assertNumbered(pair.client(), -1)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void failureToSend_isThrownByALaterWrite() throws Exception {
    try (var world = new SocketWorld(BACKEND, 1);
        var pair = world.pair()) {
      pair.client().reset();
      var pump = world.runtime.spawn(new Pump(pair.server(), 1 << 20, 100, TcpStream::close));
      assertThatThrownBy(pump::await).hasRootCauseInstanceOf(IOException.class);
    }
  }
}
