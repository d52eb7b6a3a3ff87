package dev.blitz.io.internal.driver.iocp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.nio.NioBackend;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class IocpDriverTest {
  private static final long LONG = TimeUnit.HOURS.toNanos(1);

  private static final int SMALL = 4096;

  private static final Waker NOBODY = () -> {};

  private static IocpDriver driver(long lingerNanos, long lastLingerNanos) {
    var nio = new NioBackend();
    var probe = new IocpBackend(nio).probe();
    var seats = new Seats(1, TimeSource.system());
    return new IocpDriver(nio.create(seats, probe), probe, lingerNanos, lastLingerNanos);
  }

  /** A stream whose peer does not read, with something on its way. */
  private static StreamEndpoint filled(IocpDriver driver, ServerSocket server) throws IOException {
    StreamEndpoint stream = driver.openStream(AddressFamily.IPV4);
    stream.setOption(StandardSocketOptions.SO_SNDBUF, SMALL);
    Await.until(() -> stream.pollConnect(server.getLocalSocketAddress(), NOBODY), "the connection");
    var much = ByteBuffer.allocate(1 << 20);
    assertThat(stream.pollWrite(much, null)).isEqualTo(IocpTuning.MOST_OUT);
    assertThat(stream.pollWrite(much, null)).isEqualTo(StreamEndpoint.PENDING);
    return stream;
  }

  /** Its connections take little, so that what is written to them waits. */
  private static ServerSocket narrowServer() throws IOException {
    var server = new ServerSocket();
    server.setReceiveBufferSize(SMALL);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4);
    return server;
  }

  @Test
  void aClosedStream_whosePeerDoesNotRead_hasItsTime_andNoMore() throws Exception {
    try (var driver = driver(TimeUnit.MILLISECONDS.toNanos(50), LONG);
        var server = narrowServer()) {
      StreamEndpoint stream = filled(driver, server);
      try (Socket peer = server.accept()) {
        long begin = System.nanoTime();
        stream.close();
        assertThat(stream.isOpen()).isFalse();
        assertThat(driver.lingering()).isEqualTo(1);
        Await.until(() -> driver.lingering() == 0, "it to be given up");
        assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(50));
        assertThat(peer.getInputStream().readAllBytes().length)
            .as("what it had got before")
            .isLessThan(IocpTuning.MOST_OUT);
      }
    }
  }

  @Test
  void aClosedStream_sendsAllItHasTaken_ifThePeerReadsAtLast() throws Exception {
    try (var driver = driver(LONG, LONG);
        var server = narrowServer()) {
      StreamEndpoint stream = driver.openStream(AddressFamily.IPV4);
      Await.until(
          () -> stream.pollConnect(server.getLocalSocketAddress(), NOBODY), "the connection");
      long taken = 0;
      var much = ByteBuffer.allocate(1 << 20);
      for (long n = 0; n >= 0; n = stream.pollWrite(much.clear(), null)) {
        taken += n;
      }
      stream.close();
      try (Socket peer = server.accept()) {
        assertThat(peer.getInputStream().readAllBytes()).hasSize((int) taken);
      }
      Await.until(() -> driver.lingering() == 0, "its close");
    }
  }

  @Test
  void closingTheDriver_givesThemUp_andEndsItsThreads() throws Exception {
    var driver = driver(LONG, TimeUnit.MILLISECONDS.toNanos(20));
    try (var server = narrowServer()) {
      filled(driver, server).close();
      StreamEndpoint open = filled(driver, server);
      driver.close();
      assertThat(open.isOpen()).isFalse();
      assertThat(driver.lingering()).isZero();
      assertThatThrownBy(() -> driver.openStream(AddressFamily.IPV4))
          .isInstanceOf(ClosedChannelException.class);
      driver.close();
    }
  }

  @Test
  void aDriverThatNobodyUses_opensNothing_andClosed_makesNothing() {
    var driver = driver(LONG, LONG);
    assertThat(driver.takesDescriptors()).isFalse();
    driver.close();
    assertThatThrownBy(() -> driver.openListener(AddressFamily.IPV6))
        .isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void whatArrived_staysInItsPlace_alsoWhenMoreIsFetchedBesideIt() {
    var in = new IncomingBytes();
    in.room(3).put(new byte[] {1, 2, 3});
    in.received(3);
    var target = new byte[2];
    var segments =
        new java.lang.foreign.MemorySegment[] {java.lang.foreign.MemorySegment.ofArray(target)};
    assertThat(in.copyTo(segments, true)).isEqualTo(2);
    assertThat(in.copyTo(segments, false)).isEqualTo(2);
    in.room(IocpTuning.MOST_IN).put(new byte[] {4, 5}); // has to move
    in.received(2);
    assertThat(in.copyTo(segments, false)).isEqualTo(2);
    assertThat(target).containsExactly(3, 4);
    assertThat(in.size()).isEqualTo(1);
  }
}
