package dev.blitz.benchmarks.net;

import java.io.IOException;
import org.HdrHistogram.Histogram;

/** Opens some connections, lets each echo one message, closes them, and does so again. */
final class ConnectLoad implements Load {
  private static final int BATCH = 64;
  private static final int BYTES = 64;
  private static final int DIGITS = 3;

  /** Makes loads of so many connections and bytes. */
  interface Connections {
    Load open(int port, int connections, int bytes) throws IOException;
  }

  private final int port;
  private final Connections connections;
  private final Histogram latencies = new Histogram(DIGITS);
  private long requests;

  ConnectLoad(int port, Connections connections) {
    this.port = port;
    this.connections = connections;
  }

  @Override
  public void run(long nanos) throws IOException {
    requests = 0;
    latencies.reset();
    long end = System.nanoTime() + nanos;
    do {
      try (var load = connections.open(port, BATCH, BYTES)) {
        load.run(0); // one message each
        requests += load.requests();
        latencies.add(load.latencies());
      }
    } while (System.nanoTime() - end < 0);
  }

  @Override
  public long requests() {
    return requests;
  }

  @Override
  public Histogram latencies() {
    return latencies;
  }

  @Override
  public void close() {}
}
