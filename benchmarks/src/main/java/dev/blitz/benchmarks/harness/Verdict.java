package dev.blitz.benchmarks.harness;

/** What became of a target. */
public enum Verdict {
  /** The median reaches the target and the lower quartile 0.95 of it. */
  HOLDS,
  /** It does not. */
  MISS,
  /** There is no target, or the row is only reported. */
  REPORTED,
  /** A contender could not run here. */
  SKIPPED;

  /** A lower quartile this far below the target is still noise. */
  static final double SPREAD_ALLOWED = 0.95;

  /** Less than this per operation is the noise of the JVM's own threads: no object is so small. */
  static final double ZERO_BYTES_BELOW = 0.05;

  static Verdict ofRatio(Quartiles ratio, double target) {
    boolean holds = ratio.median() >= target && ratio.lower() >= SPREAD_ALLOWED * target;
    return holds ? HOLDS : MISS;
  }

  static Verdict ofBytes(Quartiles bytes) {
    return bytes.median() < ZERO_BYTES_BELOW ? HOLDS : MISS;
  }
}
