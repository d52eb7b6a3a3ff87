package dev.blitz.benchmarks.scheduler;

import dev.blitz.benchmarks.harness.Contender;
import dev.blitz.benchmarks.harness.ExternalPeer;
import java.nio.file.Path;
import java.util.List;

/** Tokio, as {@code benchmarks/peers/build} has built it; skipped where that could not. */
public final class TokioPeer {
  private static final Path PROGRAM =
      Path.of("benchmarks", "peers", "tokio", "target", "release", "tokio-peer");

  private TokioPeer() {}

  /**
   * Tokio under its own name.
   *
   * @param key the workload, as the peer calls it
   * @return the contender
   */
  public static Contender of(String key) {
    return named("Tokio", key);
  }

  /**
   * One of several ways to do it with Tokio.
   *
   * @param name the name in tables
   * @param key the workload, as the peer calls it
   * @return the contender
   */
  public static Contender named(String name, String key) {
    return new ExternalPeer(name, List.of(PROGRAM.toString()), key);
  }
}
