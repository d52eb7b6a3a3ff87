package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.internal.driver.backends.Backends;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes on workers of the io_uring backend: they are staged, and all that follows comes later. */
@Strict
@OnceIsEnough
class UringSendTest {
  private static final String BACKEND = "io_uring";
  private static final long HELD_UP_NANOS = 200_000_000;

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

  /** What is done to a stream whose pump is held up by its peer. */
  private interface EndBeside {
    void of(TcpStream stream, Socket peer) throws IOException;
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

    void awaitHeldUp() {
      UringSendTest.awaitHeldUp(() -> waits ? written : -1);
    }
  }

  /** Until the kernel's buffers are full: nothing moves on, and for longer than a send takes. */
  private static void awaitHeldUp(IntSupplier written) {
    long[] seen = {-1, System.nanoTime()};
    Await.until(
        () -> {
          int now = written.getAsInt();
          if (now != seen[0] || now < 0) {
            seen[0] = now;
            seen[1] = System.nanoTime();
          }
          return System.nanoTime() - seen[1] > HELD_UP_NANOS;
        },
        "the kernel's buffers to be full");
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
      pump.awaitHeldUp();
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
      pump.awaitHeldUp();
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

  /** As in EdgesConformance, where the writes are not staged. */
  @Test
  void aReset_thatASendHasSeen_isNoEndForTheReader() throws Exception {
    try (var world = new SocketWorld(BACKEND, 1);
        var pair = world.pair()) {
      pair.client().reset();
      var pump = world.runtime.spawn(new Pump(pair.server(), 1 << 20, 100, TcpStream::close));
      assertThatThrownBy(pump::await).hasRootCauseInstanceOf(IOException.class);
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)).await())
            .isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void writeAfterShutdownOutput_fails() throws Exception {
    try (var world = new SocketWorld(BACKEND, 1);
        var pair = world.pair()) {
      pair.server().shutdownOutput();
      for (int i = 0; i < 2; i++) {
        var write = world.runtime.spawn(pair.server().write(SocketWorld.bytes("too late")));
        assertThatThrownBy(write::await).hasRootCauseInstanceOf(IOException.class);
      }
    }
  }

  /** A connection to a peer that does not read, full of what was written, and closed. */
  private static final class HeldUp implements AutoCloseable {
    final SocketWorld world = new SocketWorld(BACKEND, 1);
    final Socket peer;
    final int written;

    HeldUp(TcpBuilder settings, End end) throws Exception {
      this(settings, (stream, peer) -> end.of(stream));
    }

    HeldUp(TcpBuilder settings, EndBeside end) throws Exception {
      try (var listener = world.inside(() -> settings.listen(SocketWorld.loopback(0)))) {
        peer = new Socket();
        peer.connect(listener.localAddress());
        var stream = listener.accept().await();
        var pump = new Pump(stream, Integer.MAX_VALUE, 4096, TcpStream::close);
        var writing = world.runtime.spawn(pump);
        pump.awaitHeldUp();
        end.of(stream, peer);
        assertThatThrownBy(writing::await).isInstanceOf(Exception.class);
        written = pump.written;
      }
    }

    /** What the peer gets before the end, or before a reset. */
    int read() throws IOException {
      byte[] some = new byte[64 * 1024];
      int total = 0;
      for (int n = 0; n >= 0; n = peer.getInputStream().read(some)) {
        total += n;
        got = total;
      }
      return total;
    }

    volatile int got;

    @Override
    public void close() throws IOException {
      peer.close();
      world.close();
    }
  }

  @Test
  void closeOfTheRuntime_letsThePeerReadWhatWasWritten() throws Exception {
    try (var held = new HeldUp(TcpListener.builder(), TcpStream::close)) {
      var workers =
          Thread.getAllStackTraces().keySet().stream()
              .filter(t -> t.getName().contains("worker-0"))
              .toList();
      var closing = Thread.ofPlatform().start(held.world::close);
      Await.until(() -> workers.stream().noneMatch(Thread::isAlive), "the worker to end");
      assertThat(held.read()).isEqualTo(held.written);
      closing.join();
    }
  }

  /** Some may have gone out at the last moment; but a part must not pass for the whole. */
  @Test
  void closeOfTheRuntime_resetsAPeerThatDoesNotReadWhatWasWritten() throws Exception {
    try (var held = new HeldUp(TcpListener.builder(), TcpStream::close)) {
      held.world.close();
      var failure = SocketWorld.failureOf(held::read);
      if (failure == null) {
        assertThat(held.got).isEqualTo(held.written);
      } else {
        assertThat(failure).isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void aConnection_thatHasItsLingerFromTheListener_isResetAtOnce() throws Exception {
    try (var held = new HeldUp(TcpListener.builder().linger(0), TcpStream::close)) {
      Await.until(
          () ->
              SocketWorld.failureOf(() -> {
                held.peer.getOutputStream().write(1);
                return held;
              })
                  != null,
          "the reset, though the peer reads nothing");
    }
  }

  /** What nobody reads makes a close a reset, and a reset waits for no peer that does not read. */
  @Test
  void close_withUnreadBytes_resetsAtOnce_thoughAWriteIsHeldUp() throws Exception {
    var told = new CompletableFuture<IOException>();
    EndBeside end =
        (stream, peer) -> {
          var sent = new AtomicInteger();
          Thread.ofPlatform()
              .start(() -> {
                try {
                  for (byte[] some = new byte[64 * 1024]; ; sent.addAndGet(some.length)) {
                    peer.getOutputStream().write(some);
                  }
                } catch (IOException e) {
                  told.complete(e);
                }
              });
          awaitHeldUp(sent::get);
          stream.close();
        };
    try (var held = new HeldUp(TcpListener.builder(), end)) {
      Await.until(told::isDone, "the peer, which writes and does not read, to learn of the close");
      assertThat(told.join()).hasMessageContaining("reset");
      assertThat(held.written).isPositive();
    }
  }
}
