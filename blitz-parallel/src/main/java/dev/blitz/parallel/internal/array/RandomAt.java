package dev.blitz.parallel.internal.array;

/**
 * Random numbers by index: a counter that is mixed until every bit depends on every bit.
 *
 * @param start of the counter
 */
/*
 * Implementation notes
 *
 * Lineage: the counter and mixer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators;
 * the constants are Stafford's variant 13). The seed is mixed too, so that seeds which differ by the increment do not
 * yield the same numbers one index apart.
 */
public record RandomAt(long start) {
  private static final long INCREMENT = 0x9E3779B97F4A7C15L;
  private static final int DOUBLE_BITS = 53;

  /**
   * The numbers of a seed.
   *
   * @param seed any
   */
  public static RandomAt of(long seed) {
    return new RandomAt(mix(seed ^ INCREMENT));
  }

  /**
   * Other numbers of the same seed.
   *
   * @param stream which
   */
  RandomAt stream(long stream) {
    return new RandomAt(mix(start ^ mix(stream + INCREMENT)));
  }

  /**
   * Any number.
   *
   * @return always the same there
   */
  public long longAt(long index) {
    return mix(start + (index + 1) * INCREMENT);
  }

  /**
   * A number from 0; none is likelier than another by more than the 2^-32nd part of it.
   *
   * @param range the end, from 1 to 2^32
   * @return always the same there
   */
  public long below(long index, long range) {
    return Math.unsignedMultiplyHigh(longAt(index), range);
  }

  /**
   * A number from 0.0 to below 1.0.
   *
   * @return always the same there
   */
  public double doubleAt(long index) {
    return (longAt(index) >>> (Long.SIZE - DOUBLE_BITS)) * 0x1.0p-53;
  }

  private static long mix(long bits) {
    long z = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
