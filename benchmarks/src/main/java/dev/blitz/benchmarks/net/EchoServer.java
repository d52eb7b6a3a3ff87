package dev.blitz.benchmarks.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An echo server: a process that is started when it is first measured and kept for the group. */
final class EchoServer {
  /** A compiler that shares the processor with the server takes its time. */
  private static final long WARM_UP_NANOS = 6_000_000_000L;

  /** Handshakes of the JDK's TLS run through much code, each part of it seldom. */
  private static final long HANDSHAKE_WARM_UP_NANOS = 15_000_000_000L;

  private static final int WARM_UP_CONNECTIONS = 64;

  private final String name;
  private final List<String> command;
  private final Supplier<Optional<String>> absence;
  private final long warmUpNanos;
  private final long connectNanos;
  private final ConnectLoad.Connections warmUp;
  private @Nullable ServerProcess process;

  private EchoServer(
      String name,
      List<String> command,
      long warmUpNanos,
      long connectNanos,
      ConnectLoad.Connections warmUp,
      Supplier<Optional<String>> absence) {
    this.warmUp = warmUp;
    this.name = name;
    this.command = command;
    this.absence = absence;
    this.warmUpNanos = warmUpNanos;
    this.connectNanos = connectNanos;
  }

  /** A server of {@link EchoServers}. */
  static EchoServer java(String name, String kind) {
    return java(name, kind, 0, EchoLoad::new);
  }

  /** A server of {@link EchoServers} that speaks TLS. */
  static EchoServer tls(String name, String kind) {
    return java(name, EchoServers.TLS + kind, HANDSHAKE_WARM_UP_NANOS, TlsLoad::new);
  }

  /** A server of {@link EchoServers} that answers datagrams. */
  static EchoServer udp(String name, String kind) {
    return java(name, EchoServers.UDP + kind, 0, UdpLoad::new);
  }

  /** A server of {@link EchoServers} that answers datagrams by batches. */
  static EchoServer udpBatches(String name, String kind) {
    return java(name, EchoServers.UDP_BATCHES + kind, 0, UdpLoad::new);
  }

  /** A server of {@link EchoServers} on a Unix socket. */
  static EchoServer unix(String name, String kind) {
    return java(name, EchoServers.UNIX + kind, 0, EchoLoad::unix);
  }

  private static EchoServer java(
      String name, String kind, long connectNanos, ConnectLoad.Connections warmUp) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms256m",
                "-Xmx256m",
                "-XX:+UseG1GC",
                // Pinned to one processor it still behaves as on the whole machine.
                "-XX:ActiveProcessorCount=" + Runtime.getRuntime().availableProcessors(),
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                "-cp",
                System.getProperty("java.class.path"),
                EchoServers.class.getName(),
                kind));
    return new EchoServer(
        name, command, WARM_UP_NANOS, connectNanos, warmUp, () -> EchoServers.absence(kind));
  }

  /** A program that {@code benchmarks/peers/build} has built. */
  static EchoServer program(String name, Path program, String... arguments) {
    return program(name, EchoLoad::new, program, arguments);
  }

  /** As {@link #program(String, Path, String...)}, warmed up by a load of another kind. */
  static EchoServer program(
      String name, ConnectLoad.Connections warmUp, Path program, String... arguments) {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    return new EchoServer(
        name,
        command,
        WARM_UP_NANOS / 20,
        0,
        warmUp,
        () ->
            Files.isExecutable(program)
                ? Optional.empty()
                : Optional.of(program.getFileName() + " is not built"));
  }

  String name() {
    return name;
  }

  /** How long it takes until its code is compiled. */
  long warmUpNanos() {
    return warmUpNanos;
  }

  Optional<String> absence() {
    return absence.get();
  }

  /** Its process, warm. */
  ServerProcess running() throws IOException {
    ServerProcess running = process;
    if (running == null) {
      running = ServerProcess.start(command);
      process = running;
      try (var load = warmUp.open(running.port(), WARM_UP_CONNECTIONS, WARM_UP_CONNECTIONS)) {
        load.run(warmUpNanos);
      }
      if (connectNanos > 0) {
        new ConnectLoad(running.port(), warmUp).run(connectNanos);
      }
    }
    return running;
  }
}
