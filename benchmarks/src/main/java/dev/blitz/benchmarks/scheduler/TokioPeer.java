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
   * One of its workloads.
   *
   * @param key what the program knows it as
   * @return the peer
   */
  public static Contender of(String key) {
    return named("Tokio", key);
  }

  static Contender named(String name, String key) {
    return new ExternalPeer(name, List.of(PROGRAM.toString()), key);
  }
}
