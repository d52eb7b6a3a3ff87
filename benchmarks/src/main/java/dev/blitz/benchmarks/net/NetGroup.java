package dev.blitz.benchmarks.net;

import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.Workload;
import dev.blitz.io.BackendProbe;
import dev.blitz.io.internal.driver.Backends;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** Question: what does a request over TCP cost a server, and how long does its answer take? */
public final class NetGroup {
  private static final double C_CPU = 0.95;
  private static final double NETTY_CPU = 1.2;
  private static final double VIRTUAL_CPU = 1.5;
  private static final double C_LATENCY = 2.0;

  private static final EchoContender C =
      EchoContender.program("C epoll", Path.of("benchmarks", "peers", "c", "target", "epoll-echo"));
  private static final EchoContender NETTY_EPOLL =
      EchoContender.java("Netty epoll", EchoServers.NETTY_EPOLL);
  private static final EchoContender NETTY_IO_URING =
      EchoContender.java("Netty io_uring", EchoServers.NETTY_IO_URING);
  private static final EchoContender VIRTUAL =
      EchoContender.java("virtual threads", EchoServers.VIRTUAL);

  private NetGroup() {}

  /**
   * The group.
   *
   * @return its definition
   */
  public static Group group() {
    List<String> names = backends();
    EchoContender blitz = EchoContender.java(Workload.BLITZ, EchoServers.BLITZ + names.getFirst());
    List<EchoContender> others =
        names.stream()
            .skip(1)
            .map(name -> EchoContender.java("blitz on " + name, EchoServers.BLITZ + name))
            .toList();
    return Group.of(
        "net",
        "What does a request over TCP cost a server, and how long does its answer take? An echo"
            + " server in a process of its own, one I/O thread each; CPU time of all its threads."
            + " blitz is on "
            + names.getFirst()
            + ".",
        median(blitz, others),
        cpu(blitz, others, 1, 64).reportOnly().build(),
        cpu(blitz, others, 64, 64).build(),
        cpu(blitz, others, 1_000, 64).build(),
        cpu(blitz, others, 64, 4_096).build(),
        cpu(blitz, others, 1_000, 4_096).build());
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

  private static Workload median(EchoContender blitz, List<EchoContender> others) {
    Workload.Builder row =
        Workload.named("round trip, 1 connection, 64 B, p50")
            .unit("us")
            .subject(blitz.median(1, 64))
            .peer(C.median(1, 64), C_LATENCY)
            .peer(NETTY_EPOLL.median(1, 64))
            .peer(NETTY_IO_URING.median(1, 64))
            .peer(VIRTUAL.median(1, 64));
    others.forEach(other -> row.peer(other.median(1, 64)));
    return row.build();
  }

  private static Workload.Builder cpu(
      EchoContender blitz, List<EchoContender> others, int connections, int bytes) {
    Function<EchoContender, dev.blitz.benchmarks.harness.Contender> of =
        c -> c.cpu(connections, bytes);
    Workload.Builder row =
        Workload.named("echo, %,d connections, %,d B".formatted(connections, bytes))
            .unit("CPU ns/request")
            .subject(of.apply(blitz))
            .peer(of.apply(C), C_CPU)
            .peer(of.apply(NETTY_EPOLL), NETTY_CPU)
            .peer(of.apply(NETTY_IO_URING), NETTY_CPU)
            .peer(of.apply(VIRTUAL), VIRTUAL_CPU);
    others.forEach(other -> row.peer(of.apply(other)));
    return row;
  }
}
