package dev.blitz.benchmarks.net;

import dev.blitz.benchmarks.harness.Contender;
import dev.blitz.benchmarks.harness.Sample;
import dev.blitz.benchmarks.harness.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One row of the group. In each round all its servers take several short turns each, one after the
 * other, so that a disturbance of the machine meets all of them; the round's sample of each is the
 * sum of its turns.
 */
final class Bout {
  /** Makes a load for the server that listens on a port. */
  interface LoadFactory {
    Load open(int port) throws IOException;
  }

  /**
   * How a round is cut.
   *
   * @param turns of each server
   * @param turnNanos length of a turn
   * @param settleNanos load before a turn, for connections that are made anew each time
   * @param keepsOpen whether connections stay open from turn to turn
   * @param warmsUp whether a server is warmed up by this load too, before its first turn
   */
  record Shape(int turns, long turnNanos, long settleNanos, boolean keepsOpen, boolean warmsUp) {
    static final Shape SHORT = new Shape(5, 80_000_000, 5_000_000, true, false);
    static final Shape CROWD = new Shape(1, 500_000_000, 300_000_000, false, false);
    static final Shape CONNECTS = new Shape(3, 150_000_000, 1, false, true);
  }

  /** What one server did in one round. */
  private static final class Tally {
    final Histogram latencies = new Histogram(3);
    long cpuNanos;
    long requests;
  }

  /** The bout whose connections are open; the harness runs one at a time. */
  private static @Nullable Bout open;

  private final List<EchoServer> servers;
  private final Shape shape;
  private final LoadFactory factory;
  private final boolean latency;
  private final Map<String, Load> loads = new HashMap<>();
  private final Set<String> warm = new HashSet<>();
  private final Map<String, Tally> tallies = new HashMap<>();

  /** {@code latency}: the value is the median latency in microseconds, else CPU ns per request. */
  Bout(List<EchoServer> servers, Shape shape, boolean latency, LoadFactory factory) {
    this.servers = servers;
    this.shape = shape;
    this.latency = latency;
    this.factory = factory;
  }

  /** One of the servers, as the harness sees it. */
  Contender contender(EchoServer server) {
    return new Contender() {
      @Override
      public String name() {
        return server.name();
      }

      @Override
      public Optional<String> absence() {
        return server.absence();
      }

      @Override
      public boolean needsWarmUp() {
        return false; // the server has been warmed up when it was started
      }

      @Override
      public Sample sample(Workload workload, long sliceNanos) throws Exception {
        Tally tally = tallies.remove(server.name());
        if (tally == null) {
          try (var _ = Processors.pinLoad()) {
            round();
          }
          tally = tallies.remove(server.name());
        }
        if (tally == null) {
          throw new IllegalStateException(server.name() + " is not of this bout");
        }
        double cpu = (double) tally.cpuNanos / tally.requests;
        double median = tally.latencies.getValueAtPercentile(50) / 1e3;
        return new Sample(latency ? median : cpu, latency ? cpu : Double.NaN, Double.NaN);
      }
    };
  }

  private void round() throws IOException {
    begin();
    List<EchoServer> order =
        new ArrayList<>(servers.stream().filter(s -> s.absence().isEmpty()).toList());
    order.forEach(s -> tallies.put(s.name(), new Tally()));
    for (int turn = 0; turn < shape.turns; turn++) {
      Collections.rotate(order, -1);
      for (EchoServer server : order) {
        Tally tally = tallies.get(server.name());
        if (tally != null) {
          turn(server, tally);
        }
      }
    }
  }

  private void begin() throws IOException {
    if (open != this) {
      if (open != null) {
        open.closeLoads();
      }
      open = this;
    }
  }

  private void turn(EchoServer server, Tally tally) throws IOException {
    ServerProcess process = server.running();
    Load load = loads.get(server.name());
    if (load == null) {
      load = factory.open(process.port());
      loads.put(server.name(), load);
    }
    if (shape.warmsUp && warm.add(server.name())) {
      load.run(server.warmUpNanos());
    }
    load.run(shape.settleNanos);
    Map<String, Long> before = process.cpuByThread();
    load.run(shape.turnNanos);
    tally.cpuNanos += process.cpuSince(before);
    tally.requests += load.requests();
    tally.latencies.add(load.latencies());
    if (!shape.keepsOpen) {
      closeLoads();
    }
  }

  private void closeLoads() throws IOException {
    for (Load load : loads.values()) {
      load.close();
    }
    loads.clear();
  }
}
