package dev.blitz.benchmarks.net;

import dev.blitz.benchmarks.harness.Contender;
import dev.blitz.benchmarks.harness.Sample;
import dev.blitz.benchmarks.harness.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An echo server under load, started when it is first measured and kept for the whole group. */
final class EchoContender {
  private static final long SETTLE_NANOS = 50_000_000;
  private static final long SLICE_NANOS = 300_000_000;
  private static final long FIRST_WARM_UP_NANOS = 2_000_000_000;

  private final String name;
  private final List<String> command;
  private final Supplier<Optional<String>> absence;
  private @Nullable ServerProcess server;

  private EchoContender(String name, List<String> command, Supplier<Optional<String>> absence) {
    this.name = name;
    this.command = command;
    this.absence = absence;
  }

  /** A server of {@link EchoServers}. */
  static EchoContender java(String name, String kind) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms256m",
                "-Xmx256m",
                "-XX:+UseG1GC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                "-cp",
                System.getProperty("java.class.path"),
                EchoServers.class.getName(),
                kind));
    return new EchoContender(name, command, () -> EchoServers.absence(kind));
  }

  /** A program that {@code benchmarks/peers/build} has built. */
  static EchoContender program(String name, Path program) {
    return new EchoContender(
        name,
        List.of(program.toString()),
        () ->
            Files.isExecutable(program)
                ? Optional.empty()
                : Optional.of(program.getFileName() + " is not built"));
  }

  /** CPU nanoseconds of the server per request. */
  Contender cpu(int connections, int bytes) {
    return contender(
        load -> {
          ServerProcess running = running();
          Map<String, Long> before = running.cpuByThread();
          load.run(SLICE_NANOS);
          return (double) running.cpuSince(before) / load.requests();
        },
        connections,
        bytes);
  }

  /** The median round trip, in microseconds. */
  Contender median(int connections, int bytes) {
    return contender(
        load -> {
          load.run(SLICE_NANOS);
          return load.medianMicros();
        },
        connections,
        bytes);
  }

  private interface Figure {
    double of(EchoLoad load) throws IOException;
  }

  private Contender contender(Figure figure, int connections, int bytes) {
    return new Contender() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Optional<String> absence() {
        return absence.get();
      }

      @Override
      public Sample sample(Workload workload, long sliceNanos) throws Exception {
        try (var load = new EchoLoad(running().port(), connections, bytes)) {
          load.run(SETTLE_NANOS);
          return Sample.of(figure.of(load));
        }
      }
    };
  }

  private synchronized ServerProcess running() throws IOException {
    ServerProcess running = server;
    if (running == null) {
      running = ServerProcess.start(command);
      server = running;
      try (var load = new EchoLoad(running.port(), 64, 64)) {
        load.run(FIRST_WARM_UP_NANOS);
      }
    }
    return running;
  }
}
