package dev.blitz.benchmarks.net;

import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.Workload;
import dev.blitz.io.internal.driver.backends.Backends;
import dev.blitz.io.observe.BackendProbe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Question: what does a request over TCP cost a server, and how long does its answer take? */
public final class NetGroup {
  private static final double C_CPU = 0.95;
  private static final double NETTY_CPU = 1.2;
  private static final double VIRTUAL_CPU = 1.5;
  private static final double C_LATENCY = 2.0;
  private static final double C_PIPELINED = 1.0;
  private static final double TOKIO_ACCEPT = 1.0;
  private static final double VIRTUAL_DIRECT = 1.3;

  /** Requests on their way on each connection of the pipelined rows. */
  private static final int DEPTH = 16;

  /** Clients of the rows of bursts: all they send at once fits into one receive buffer. */
  private static final int BURSTING = 4;

  private static final Path PEERS = Path.of("benchmarks", "peers");
  private static final Path TOKIO_PEER =
      PEERS.resolve(Path.of("tokio", "target", "release", "tokio-peer"));

  private static final EchoServer C =
      EchoServer.program("C epoll", PEERS.resolve(Path.of("c", "target", "epoll-echo")));
  private static final EchoServer TOKIO = EchoServer.program("Tokio", TOKIO_PEER, "echo");
  private static final EchoServer NETTY_EPOLL =
      EchoServer.java("Netty epoll", EchoServers.NETTY_EPOLL);
  private static final EchoServer NETTY_IO_URING =
      EchoServer.java("Netty io_uring", EchoServers.NETTY_IO_URING);
  private static final EchoServer VIRTUAL = EchoServer.java("virtual threads", EchoServers.VIRTUAL);

  private static final double DATAGRAM_CPU = 1.0;
  private static final double UNIX_CPU = 1.0;

  private static final EchoServer TOKIO_UDP =
      EchoServer.program("Tokio", UdpLoad::new, TOKIO_PEER, "udp-echo");
  private static final EchoServer TOKIO_UNIX =
      EchoServer.program("Tokio", EchoLoad::unix, TOKIO_PEER, "unix-echo");
  private static final EchoServer NETTY_EPOLL_UDP =
      EchoServer.udp("Netty epoll", EchoServers.NETTY_EPOLL);
  private static final EchoServer NETTY_IO_URING_UDP =
      EchoServer.udp("Netty io_uring", EchoServers.NETTY_IO_URING);
  private static final EchoServer NIO_UDP = EchoServer.udp("DatagramChannel", EchoServers.NIO);
  private static final EchoServer NETTY_EPOLL_UDP_BATCHES =
      EchoServer.udpBatches("Netty epoll, recvmmsg", EchoServers.NETTY_EPOLL);
  private static final EchoServer NETTY_UNIX =
      EchoServer.unix("Netty epoll", EchoServers.NETTY_EPOLL);
  private static final EchoServer VIRTUAL_UNIX =
      EchoServer.unix("virtual threads", EchoServers.VIRTUAL);

  private static final double TLS_JDK_CPU = 1.1;

  private static final EchoServer NETTY_JDK =
      EchoServer.tls("Netty, JDK's TLS", EchoServers.NETTY_JDK);
  private static final EchoServer NETTY_BORINGSSL =
      EchoServer.tls("Netty, BoringSSL", EchoServers.NETTY_BORINGSSL);

  private final EchoServer blitz;
  private final EchoServer blitzDirect;
  private final EchoServer blitzTls;
  private final List<EchoServer> otherBackends;
  private final List<EchoServer> otherDirect;
  private final List<EchoServer> otherTls;
  private final List<EchoServer> blitzUdp;
  private final List<EchoServer> blitzUdpBatches;
  private final EchoServer blitzUdpSingly;
  private final List<EchoServer> blitzUnix;

  private NetGroup(List<String> backends) {
    blitz = EchoServer.java(Workload.BLITZ, EchoServers.BLITZ + backends.getFirst());
    blitzTls = EchoServer.tls(Workload.BLITZ, EchoServers.BLITZ + backends.getFirst());
    blitzDirect = EchoServer.java(Workload.BLITZ, EchoServers.DIRECT + backends.getFirst());
    List<String> others = backends.subList(1, backends.size());
    blitzUdp =
        backends.stream()
            .map(b -> EchoServer.udp(named(b, backends), EchoServers.BLITZ + b))
            .toList();
    blitzUdpBatches =
        backends.stream()
            .map(b -> EchoServer.udpBatches(named(b, backends), EchoServers.BLITZ + b))
            .toList();
    blitzUdpSingly =
        EchoServer.udp("blitz, one at a time", EchoServers.BLITZ + backends.getFirst());
    blitzUnix =
        backends.stream()
            .map(b -> EchoServer.unix(named(b, backends), EchoServers.BLITZ + b))
            .toList();
    otherTls = others.stream().map(b -> EchoServer.tls(on(b), EchoServers.BLITZ + b)).toList();
    otherBackends =
        others.stream().map(b -> EchoServer.java(on(b), EchoServers.BLITZ + b)).toList();
    otherDirect = others.stream().map(b -> EchoServer.java(on(b), EchoServers.DIRECT + b)).toList();
  }

  private static String named(String backend, List<String> backends) {
    return backend.equals(backends.getFirst()) ? Workload.BLITZ : on(backend);
  }

  private static String on(String backend) {
    return "blitz on " + backend;
  }

  /**
   * The group.
   *
   * @return its definition
   */
  public static Group group() {
    List<String> backends = backends();
    var rows = new NetGroup(backends);
    return Group.of(
        "net",
        "What does a request over TCP cost a server, and how long does its answer take? An echo"
            + " server in a process of its own, one I/O thread each; CPU time of all its threads"
            + " but the JVM's compilers. Server and load have a processor each. blitz is on "
            + backends.getFirst()
            + ", with the same settings in all rows.",
        rows.latency(),
        rows.cpu(64, 64),
        rows.cpu(1_000, 64),
        rows.cpu(10_000, 64),
        rows.cpu(64, 4_096),
        rows.cpu(1_000, 4_096),
        rows.cpu(10_000, 4_096),
        rows.pipelined(64),
        rows.pipelined(1_000),
        rows.connects(),
        rows.direct(64, 64),
        rows.direct(1_000, 64),
        rows.direct(64, 4_096),
        rows.udp(1, 64),
        rows.udp(64, 64),
        rows.udp(64, 1_400),
        rows.udpBursts(64),
        rows.udpBursts(1_400),
        rows.unix(64, 64),
        rows.unix(64, 4_096),
        rows.tls(
            "TLS 1.3 handshake, echo 64 B, close",
            "CPU ns/connection",
            Bout.Shape.CONNECTS,
            port -> new ConnectLoad(port, TlsLoad::new)),
        rows.tls(
            "TLS 1.3 echo, 64 connections, 64 B",
            "CPU ns/request",
            Bout.Shape.SHORT,
            port -> new TlsLoad(port, 64, 64)),
        rows.tls(
            "TLS 1.3 echo, 8 connections, 1 MB",
            "CPU ns/MB",
            Bout.Shape.SHORT,
            port -> new TlsLoad(port, 8, 1 << 20)));
  }

  /** Those that work here, best first; all that exist if none does, so that it says why. */
  private static List<String> backends() {
    List<String> available =
        Backends.probeAll().stream()
            .filter(BackendProbe::available)
            .map(BackendProbe::name)
            .toList();
    return available.isEmpty() ? List.of("epoll") : available;
  }

  private List<EchoServer> servers() {
    List<EchoServer> servers =
        new ArrayList<>(List.of(blitz, C, TOKIO, NETTY_EPOLL, NETTY_IO_URING, VIRTUAL));
    servers.addAll(otherBackends);
    return List.copyOf(servers);
  }

  private Workload latency() {
    var bout = new Bout(servers(), Bout.Shape.SHORT, true, port -> new EchoLoad(port, 1, 64));
    Workload.Builder row =
        Workload.named("round trip, 1 connection, 64 B, p50")
            .unit("us")
            .subject(bout.contender(blitz))
            .peer(bout.contender(C), C_LATENCY)
            .peer(bout.contender(TOKIO))
            .peer(bout.contender(NETTY_EPOLL))
            .peer(bout.contender(NETTY_IO_URING))
            .peer(bout.contender(VIRTUAL));
    otherBackends.forEach(other -> row.peer(bout.contender(other)));
    return row.build();
  }

  private Workload cpu(int connections, int bytes) {
    Bout.Shape shape = connections > 1_000 ? Bout.Shape.CROWD : Bout.Shape.SHORT;
    var bout = new Bout(servers(), shape, false, port -> new EchoLoad(port, connections, bytes));
    return cpu(
            "echo, %,d connections, %,d B".formatted(connections, bytes),
            "CPU ns/request",
            bout,
            C_CPU)
        .peer(bout.contender(TOKIO))
        .build();
  }

  /** As many requests in flight per connection, sent as the answers come. */
  private Workload pipelined(int connections) {
    var bout =
        new Bout(
            servers(), Bout.Shape.SHORT, false, port -> new EchoLoad(port, connections, 64, DEPTH));
    return cpu(
            "pipelined x %d, %,d connections, 64 B".formatted(DEPTH, connections),
            "CPU ns/request",
            bout,
            C_PIPELINED)
        .peer(bout.contender(TOKIO))
        .build();
  }

  private Workload connects() {
    var bout =
        new Bout(
            servers(), Bout.Shape.CONNECTS, false, port -> new ConnectLoad(port, EchoLoad::new));
    return cpu("accept, echo 64 B, close", "CPU ns/connection", bout, C_CPU)
        .peer(bout.contender(TOKIO), TOKIO_ACCEPT)
        .build();
  }

  /** A task that waits where it reads: against those of the JDK. */
  private Workload direct(int connections, int bytes) {
    List<EchoServer> servers = new ArrayList<>(List.of(blitzDirect, VIRTUAL));
    servers.addAll(otherDirect);
    var bout =
        new Bout(
            List.copyOf(servers),
            Bout.Shape.SHORT,
            false,
            port -> new EchoLoad(port, connections, bytes));
    Workload.Builder row =
        Workload.named("direct style, %,d connections, %,d B".formatted(connections, bytes))
            .unit("CPU ns/request")
            .subject(bout.contender(blitzDirect))
            .peer(bout.contender(VIRTUAL), VIRTUAL_DIRECT);
    otherDirect.forEach(other -> row.peer(bout.contender(other)));
    return row.build();
  }

  /** One socket answers all. */
  private Workload udp(int clients, int bytes) {
    return others(
        "UDP echo, %,d clients, %,d B".formatted(clients, bytes),
        blitzUdp,
        List.of(TOKIO_UDP, NETTY_EPOLL_UDP, NETTY_IO_URING_UDP, NIO_UDP),
        DATAGRAM_CPU,
        port -> new UdpLoad(port, clients, bytes));
  }

  /** What a batch of datagrams saves: against one at a time, and against Netty's. */
  private Workload udpBursts(int bytes) {
    return others(
        "UDP echo in bursts of %d, %d clients, %,d B".formatted(DEPTH, BURSTING, bytes),
        blitzUdpBatches,
        List.of(blitzUdpSingly, NETTY_EPOLL_UDP_BATCHES, NETTY_EPOLL_UDP, TOKIO_UDP, NIO_UDP),
        DATAGRAM_CPU,
        port -> new UdpLoad(port, BURSTING, bytes, DEPTH));
  }

  private Workload unix(int connections, int bytes) {
    return others(
        "Unix echo, %,d connections, %,d B".formatted(connections, bytes),
        blitzUnix,
        List.of(TOKIO_UNIX, NETTY_UNIX, VIRTUAL_UNIX),
        UNIX_CPU,
        number -> EchoLoad.unix(number, connections, bytes));
  }

  private static Workload others(
      String name,
      List<EchoServer> ours,
      List<EchoServer> peers,
      double target,
      Bout.LoadFactory load) {
    List<EchoServer> servers = new ArrayList<>(ours);
    servers.addAll(peers);
    var bout = new Bout(List.copyOf(servers), Bout.Shape.SHORT, false, load);
    Workload.Builder row =
        Workload.named(name).unit("CPU ns/request").subject(bout.contender(ours.getFirst()));
    peers.forEach(peer -> row.peer(bout.contender(peer), target));
    ours.stream().skip(1).forEach(other -> row.peer(bout.contender(other)));
    return row.build();
  }

  /** AES-128-GCM and a P-256 certificate for all. */
  private Workload tls(String name, String unit, Bout.Shape shape, Bout.LoadFactory load) {
    List<EchoServer> servers = new ArrayList<>(List.of(blitzTls, NETTY_JDK, NETTY_BORINGSSL));
    servers.addAll(otherTls);
    var bout = new Bout(List.copyOf(servers), shape, false, load);
    Workload.Builder row =
        Workload.named(name)
            .unit(unit)
            .subject(bout.contender(blitzTls))
            .peer(bout.contender(NETTY_JDK), TLS_JDK_CPU)
            .peer(bout.contender(NETTY_BORINGSSL));
    otherTls.forEach(other -> row.peer(bout.contender(other)));
    return row.build();
  }

  private Workload.Builder cpu(String name, String unit, Bout bout, double target) {
    Workload.Builder row =
        Workload.named(name)
            .unit(unit)
            .subject(bout.contender(blitz))
            .peer(bout.contender(C), target)
            .peer(bout.contender(NETTY_EPOLL), NETTY_CPU)
            .peer(bout.contender(NETTY_IO_URING), NETTY_CPU)
            .peer(bout.contender(VIRTUAL), VIRTUAL_CPU);
    otherBackends.forEach(other -> row.peer(bout.contender(other)));
    return row;
  }
}
