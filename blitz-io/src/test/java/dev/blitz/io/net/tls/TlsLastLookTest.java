package dev.blitz.io.net.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.TestBackends;
import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.bytes.GuardedStream;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.shutdown.Shutdown;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a read that is stopped finds below: records that nobody has decrypted, or received. */
@Strict
class TlsLastLookTest {

  /** Does something in the midst of the next read or write. */
  private static final class Interrupted extends GuardedStream {
    private final Wire wire;
    @Nullable Runnable inNextRead;
    @Nullable Runnable inNextWrite;

    Interrupted(Wire wire) {
      this.wire = wire;
    }

    @Override
    protected int doRead(Context cx, ByteBuffer target) throws IOException {
      Runnable now = inNextRead;
      inNextRead = null;
      if (now != null) {
        now.run();
      }
      return wire.pollRead(cx, target);
    }

    @Override
    protected int doWrite(Context cx, ByteBuffer source) throws IOException {
      Runnable now = inNextWrite;
      inNextWrite = null;
      if (now != null) {
        now.run();
      }
      return wire.pollWrite(cx, source);
    }

    @Override
    protected boolean doFlush(Context cx) throws IOException {
      return wire.pollFlush(cx);
    }

    @Override
    protected boolean doShutdown(Context cx) throws IOException {
      return wire.pollShutdown(cx);
    }

    @Override
    public void forgetRead() {
      wire.forgetRead();
    }

    @Override
    public void forgetWrite() {
      wire.forgetWrite();
    }

    @Override
    public void close() {
      wire.close();
    }
  }

  private static Shutdown stopped(BlitzRuntime runtime) {
    Shutdown shutdown = Shutdown.builder().linger(Duration.ZERO).open(runtime);
    shutdown.force();
    return shutdown;
  }

  /** The writer has the stream to itself for a moment; the record is there all the same. */
  @Test
  void aLook_whileTheOtherSideWrites_goesOnAfterIt() throws Exception {
    Wire[] wire = Wire.pair(1 << 17);
    var below = new Interrupted(wire[1]);
    try (var runtime = BlitzRuntime.builder().workers(1).build();
        var shutdown = stopped(runtime);
        var pair = TlsWorld.shake(runtime, TlsWorld.client(), TlsWorld.server(), wire[0], below)) {
      pair.client().writeAll(TlsWorld.bytes("late")).await();
      var wakes = new AtomicInteger();
      var cx = Context.of(wakes::incrementAndGet);
      IoFuture<Integer> read = shutdown.guard(pair.server().read(ByteBuffer.allocate(8)));
      below.inNextWrite =
          () -> {
            try {
              assertThat(read.poll(cx)).isNull();
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          };
      IoFuture<Done> write = pair.server().writeAll(TlsWorld.bytes("answer"));
      assertThat(write.poll(Context.of(() -> {}))).isNotNull();
      assertThat(below.inNextWrite).as("it has been done").isNull();
      assertThat(wakes).hasPositiveValue();
      assertThat(read.poll(cx)).isEqualTo(4);
    }
  }

  /** There is room, but for a moment the reader has the stream to itself. */
  @Test
  void aWrite_whileTheOtherSideReads_goesOnAfterIt() throws Exception {
    Wire[] wire = Wire.pair(1 << 17);
    var below = new Interrupted(wire[1]);
    try (var runtime = BlitzRuntime.builder().workers(1).build();
        var shutdown = stopped(runtime);
        var pair = TlsWorld.shake(runtime, TlsWorld.client(), TlsWorld.server(), wire[0], below)) {
      var wakes = new AtomicInteger();
      var cx = Context.of(wakes::incrementAndGet);
      IoFuture<Integer> write = shutdown.guard(pair.server().write(TlsWorld.bytes("answer")));
      below.inNextRead =
          () -> {
            try {
              assertThat(write.poll(cx)).isNull();
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          };
      IoFuture<Integer> read = pair.server().read(ByteBuffer.allocate(8));
      assertThat(read.poll(Context.of(() -> {}))).as("nothing is there").isNull();
      assertThat(below.inNextRead).as("it has been done").isNull();
      assertThat(wakes).hasPositiveValue();
      assertThat(write.poll(cx)).isEqualTo(6);
      read.drop();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"io_uring", "epoll", "poll", "nio"})
  void aRecord_thatTheKernelHas(String backend) throws Exception {
    TestBackends.assumeAvailable(backend);
    var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (var runtime = TestBackends.builder(backend).workers(2).build();
        var peers = BlitzRuntime.builder().backend("nio").workers(1).build();
        var listener = runtime.run(Futures.lazy(() -> TcpListener.bind(loopback)))) {
      for (int round = 0; round < 10; round++) {
        var remote = listener.localAddress();
        try (var shutdown = Shutdown.builder().linger(Duration.ZERO).open(runtime)) {
          TcpStream near = peers.run(Futures.lazy(() -> TcpStream.connect(remote))).await();
          ByteStream far = listener.accept().await();
          var accepting = runtime.spawn(TlsWorld.server().accept(far));
          try (TlsStream client = peers.run(TlsWorld.client().connect(near, TlsWorld.HOST));
              TlsStream server = accepting.await()) {
            var read = shutdown.guard(server.read(ByteBuffer.allocate(8)));
            var idle = Context.of(() -> {});
            assertThat(runtime.run(Futures.lazy(() -> read.poll(idle) == null))).isTrue();
            shutdown.force();
            client.writeAll(TlsWorld.bytes("late")).await(); // a call of this backend: it is there
            assertThat(runtime.run(read)).isEqualTo(4);
          }
        }
      }
    }
  }
}
