package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.TestBackends;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A host with several addresses, some of which are dead. */
@Strict
abstract class StaggeredConformance {
  private final String backend;
  private BlitzRuntime rt;
  private volatile List<InetAddress> addresses = List.of();

  StaggeredConformance(String backend) {
    this.backend = backend;
  }

  @BeforeEach
  void open() {
    TestBackends.assumeAvailable(backend);
    rt =
        TestBackends.builder(backend)
            .workers(1)
            .nameLookup(host -> addresses)
            .nameCache(java.time.Duration.ZERO, java.time.Duration.ZERO)
            .build();
  }

  @AfterEach
  void close() {
    if (rt != null) {
      assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
    }
  }

  private void hostHas(String... literals) {
    addresses = Stream.of(literals).map(InetAddress::ofLiteral).toList();
  }

  private IoFuture<TcpStream> connecting(int port) throws Exception {
    return rt.run(Futures.lazy(() -> List.of(TcpStream.connect("host", port)))).getFirst();
  }

  /** Listens and lets nobody in: its queue is full, and the system does not answer further ones. */
  private static final class Deaf implements AutoCloseable {
    private final ServerSocket server;
    private final List<SocketChannel> queue = new ArrayList<>();

    Deaf(String address, int port) throws IOException {
      server = new ServerSocket(port, 1, InetAddress.ofLiteral(address));
      for (int i = 0; i < 4; i++) {
        var channel = SocketChannel.open();
        channel.configureBlocking(false);
        queue.add(channel);
        channel.connect(server.getLocalSocketAddress());
      }
    }

    @Override
    public void close() throws IOException {
      for (SocketChannel channel : queue) {
        channel.close();
      }
      server.close();
    }
  }

  private static boolean hasIpv6() {
    try (var probe = new ServerSocket(0, 1, InetAddress.ofLiteral("::1"))) {
      return probe.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aDeadFamily_costsOneWait() throws Exception {
    assumeTrue(hasIpv6(), "there is no ::1");
    try (var listener = new ServerSocket(0, 9, InetAddress.ofLiteral("127.0.0.1"));
        var deaf = new Deaf("::1", listener.getLocalPort())) {
      assertThat(deaf.server.getLocalPort()).isEqualTo(listener.getLocalPort());
      hostHas("::1", "127.0.0.1");
      long began = System.nanoTime();
      try (TcpStream stream = connecting(listener.getLocalPort()).await()) {
        assertThat(stream.remoteAddress().getAddress()).isEqualTo(addresses.get(1));
      }
      assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(Stagger.DELAY.toNanos());
    }
  }

  @Test
  void aRefusal_startsTheNextAtOnce_beforeTheWaitIsOver() throws Exception {
    try (var listener = new ServerSocket(0, 9, InetAddress.ofLiteral("127.0.0.1"))) {
      hostHas("127.0.0.9", "127.0.0.8", "127.0.0.7", "127.0.0.1");
      IoFuture<TcpStream> connect = connecting(listener.getLocalPort());
      var bell = new SocketWorld.Bell();
      TcpStream stream = connect.poll(bell.context());
      for (int rings = 0; stream == null; rings = bell.rings()) {
        bell.awaitAfter(rings - 1);
        stream = connect.poll(bell.context());
      }
      try (TcpStream open = stream) {
        assertThat(open.remoteAddress().getAddress()).isEqualTo(addresses.get(3));
      }
    }
  }

  @Test
  void noneThatConnects_failsWithTheFirstReason_andTheOthers() throws Exception {
    int port;
    try (var gone = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      port = gone.getLocalPort();
    }
    hostHas("127.0.0.1", "127.0.0.2", "127.0.0.3");
    IoFuture<TcpStream> connect = connecting(port);
    assertThatThrownBy(connect::await)
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("127.0.0.1")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2));
  }

  @Test
  void dropped_whileTwoAreUnderWay_closesBoth() throws Exception {
    try (var one = new Deaf("127.0.0.1", 0);
        var two = new Deaf("127.0.0.2", one.server.getLocalPort())) {
      hostHas("127.0.0.1", "127.0.0.2");
      IoFuture<TcpStream> connect = connecting(two.server.getLocalPort());
      var bell = new SocketWorld.Bell();
      assertThat(connect.poll(bell.context())).isNull();
      while (!connect.toString().contains("2 attempts")) {
        int before = bell.rings();
        assertThat(connect.poll(bell.context())).isNull();
        if (!connect.toString().contains("2 attempts")) {
          bell.awaitAfter(before);
        }
      }
      connect.drop(); // the descriptors are counted after the test
    }
  }

  @Test
  void aFixedOwnPort_isSharedByTheAttempts() throws Exception {
    assumeTrue(!backend.equals("iocp"), "the JDK's asynchronous channels cannot reset");
    int own;
    try (var free = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      own = free.getLocalPort();
    }
    try (var listener = new ServerSocket(0, 9, InetAddress.ofLiteral("127.0.0.1"));
        var deaf = new Deaf("127.0.0.2", listener.getLocalPort())) {
      hostHas("127.0.0.2", "::1", "127.0.0.1");
      var local = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), own);
      var connect =
          rt.run(
                  Futures.lazy(() ->
                      List.of(
                          TcpStream.builder()
                              .bind(local)
                              .connect("host", deaf.server.getLocalPort()))))
              .getFirst();
      try (TcpStream stream = connect.await()) {
        assertThat(stream.localAddress()).isEqualTo(local);
        assertThat(stream.remoteAddress().getAddress()).isEqualTo(addresses.get(2));
        stream.reset(); // the port need not wait for strays
      }
      assertThatThrownBy(connect::await)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("already awaited");
      hostHas("::1");
      assertThatThrownBy(() ->
              rt.run(
                  Futures.lazy(() -> List.of(TcpStream.builder().bind(local).connect("host", 1)))
                      .andThen(list -> list.getFirst())))
          .isInstanceOf(BindException.class)
          .hasMessageContaining("IPV4");
    }
  }
}
