package dev.blitz.testkit;

import java.util.SplittableRandom;

/**
 * Where a test takes its randomness from, so that a failure can be replayed.
 *
 * @param value the seed; equal seeds give equal streams
 */
public record TestSeed(long value) {

  /** The system property, or JUnit configuration parameter, that sets the seed of every test. */
  static final String PROPERTY = "blitz.seed";

  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  /**
   * A new generator at the start of this seed's stream.
   *
   * @return a generator for one thread; every call returns the same stream
   */
  public SplittableRandom random() {
    return new SplittableRandom(value);
  }

  /**
   * A seed for one of several users, such as the threads of a {@link Race}.
   *
   * @param stream which one
   * @return a seed that depends on this one and the stream's number alone, whatever the threads'
   *     order
   */
  public TestSeed derive(long stream) {
    return new TestSeed(new SplittableRandom(value ^ ((stream + 1) * GOLDEN_GAMMA)).nextLong());
  }

  /** Says how to replay it. */
  @Override
  public String toString() {
    return "seed " + value + ", replay with -D" + PROPERTY + "=" + value;
  }

  static TestSeed parse(String text) {
    try {
      return new TestSeed(Long.decode(text.strip()));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(PROPERTY + " is not a 64-bit number: " + text, e);
    }
  }
}
