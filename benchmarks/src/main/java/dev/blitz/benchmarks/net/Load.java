package dev.blitz.benchmarks.net;

import java.io.IOException;
import org.HdrHistogram.Histogram;

/** What a server is made to do. Closed loop: each request waits for the answer before it. */
interface Load extends AutoCloseable {
  /** Keeps the server busy for {@code nanos}; nothing is on its way when this returns. */
  void run(long nanos) throws IOException;

  /** How many requests the last run made. */
  long requests();

  /** How long each of them took, in nanoseconds. */
  Histogram latencies();

  @Override
  void close() throws IOException;
}
