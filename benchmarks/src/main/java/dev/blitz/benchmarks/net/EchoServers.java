package dev.blitz.benchmarks.net;

import dev.blitz.io.internal.driver.backends.Backends;
import dev.blitz.io.observe.BackendProbe;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.util.Optional;

/** The echo servers in Java, each with one thread that does I/O: the argument picks one. */
final class EchoServers {
  static final String BLITZ = "blitz:";

  /** Before the name of a backend, in direct style. */
  static final String DIRECT = "direct:";

  static final String NETTY_EPOLL = "netty-epoll";
  static final String NETTY_IO_URING = "netty-io_uring";
  static final String VIRTUAL = "virtual";

  /** Before the name of one that speaks TLS. */
  static final String TLS = "tls:";

  /** Before the name of one that answers datagrams. */
  static final String UDP = "udp:";

  /** Before the name of one that answers datagrams by batches. */
  static final String UDP_BATCHES = "udp-batches:";

  /** Before the name of one on a Unix socket. */
  static final String UNIX = "unix:";

  /** The one on the JDK's channels. */
  static final String NIO = "nio";

  /** Room for any datagram. */
  static final int DATAGRAM_BYTES = 64 * 1024;

  /** Datagrams in a batch, and room for each. */
  static final int BATCH = 64;

  static final int BATCH_BYTES_EACH = 2_048;

  static final String NETTY_JDK = "netty-jdk";
  static final String NETTY_BORINGSSL = "netty-boringssl";

  private EchoServers() {}

  /** Why a server cannot run here. */
  static Optional<String> absence(String kind) {
    if (kind.startsWith(TLS)) {
      return tlsAbsence(kind.substring(TLS.length()));
    }
    if (kind.startsWith(UDP) || kind.startsWith(UDP_BATCHES) || kind.startsWith(UNIX)) {
      return absence(kind.substring(kind.indexOf(':') + 1));
    }
    return switch (kind) {
      case NETTY_EPOLL ->
          Epoll.isAvailable() ? Optional.empty() : Optional.of("Netty finds no epoll");
      case NETTY_IO_URING ->
          IoUring.isAvailable() ? Optional.empty() : Optional.of("Netty finds no io_uring");
      case VIRTUAL, NIO -> Optional.empty();
      default -> blitzAbsence(kind.substring(kind.indexOf(':') + 1));
    };
  }

  private static Optional<String> blitzAbsence(String backend) {
    return Backends.probeAll().stream()
        .filter(p -> p.name().equals(backend))
        .filter(p -> !p.available())
        .map(BackendProbe::toString)
        .findFirst();
  }

  private static Optional<String> tlsAbsence(String kind) {
    return switch (kind) {
      case NETTY_JDK -> absence(NETTY_EPOLL);
      case NETTY_BORINGSSL ->
          OpenSsl.isAvailable() ? absence(NETTY_EPOLL) : Optional.of("Netty finds no BoringSSL");
      default -> absence(kind);
    };
  }

  public static void main(String[] args) throws Exception {
    String kind = args[0];
    if (kind.startsWith(TLS)) {
      tls(kind.substring(TLS.length()));
      return;
    }
    if (kind.startsWith(UDP)) {
      udp(kind.substring(UDP.length()));
      return;
    }
    if (kind.startsWith(UDP_BATCHES)) {
      udpBatches(kind.substring(UDP_BATCHES.length()));
      return;
    }
    if (kind.startsWith(UNIX)) {
      unix(kind.substring(UNIX.length()));
      return;
    }
    switch (kind) {
      case NETTY_EPOLL -> netty(EpollIoHandler.newFactory(), EpollServerSocketChannel.class);
      case NETTY_IO_URING -> netty(IoUringIoHandler.newFactory(), IoUringServerSocketChannel.class);
      case VIRTUAL -> VirtualEcho.run();
      default -> blitz(kind);
    }
  }

  private static void blitz(String kind) throws Exception {
    if (kind.startsWith(DIRECT)) {
      DirectEcho.run(kind.substring(DIRECT.length()));
    } else {
      BlitzEcho.run(kind.substring(BLITZ.length()));
    }
  }

  private static void tls(String kind) throws Exception {
    switch (kind) {
      case NETTY_JDK -> NettyEcho.runTls(SslProvider.JDK);
      case NETTY_BORINGSSL -> NettyEcho.runTls(SslProvider.OPENSSL);
      default -> BlitzEcho.runTls(kind.substring(BLITZ.length()));
    }
  }

  private static void udp(String kind) throws Exception {
    switch (kind) {
      case NETTY_EPOLL -> NettyEcho.runUdp(EpollIoHandler.newFactory(), EpollDatagramChannel.class);
      case NETTY_IO_URING ->
          NettyEcho.runUdp(IoUringIoHandler.newFactory(), IoUringDatagramChannel.class);
      case NIO -> NioEcho.runUdp();
      default -> BlitzEcho.runUdp(kind.substring(BLITZ.length()));
    }
  }

  private static void udpBatches(String kind) throws Exception {
    if (kind.equals(NETTY_EPOLL)) {
      NettyEcho.runUdpBatches();
    } else {
      BlitzEcho.runUdpBatches(kind.substring(BLITZ.length()));
    }
  }

  private static void unix(String kind) throws Exception {
    switch (kind) {
      case NETTY_EPOLL -> NettyEcho.runUnix();
      case VIRTUAL -> VirtualEcho.runUnix();
      default -> BlitzEcho.runUnix(kind.substring(BLITZ.length()));
    }
  }

  private static void netty(IoHandlerFactory factory, Class<? extends ServerChannel> channel)
      throws InterruptedException {
    NettyEcho.run(factory, channel);
  }

  static void announce(int port) {
    System.out.println("port " + port);
    System.out.flush();
  }
}
