package dev.blitz.benchmarks.harness;

/**
 * What a workload's subject is expected to reach.
 *
 * @param kind how the value is meant
 * @param peer the peer compared with, or "" for the kinds that need none
 * @param value the least ratio, or the limit
 */
public record Target(Kind kind, String peer, double value) {
  /** The kinds of targets. */
  public enum Kind {
    /** The ratio to a peer is at least the value. */
    RATIO,
    /** The subject's own value is at most the value. */
    AT_MOST,
    /** The subject allocates nothing per operation. */
    ZERO_BYTES
  }

  static Target ratio(String peer, double value) {
    return new Target(Kind.RATIO, peer, value);
  }

  static Target atMost(double value) {
    return new Target(Kind.AT_MOST, "", value);
  }

  static Target zeroBytes() {
    return new Target(Kind.ZERO_BYTES, "", 0);
  }
}
