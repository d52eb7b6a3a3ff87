package dev.blitz.parallel.array;

import dev.blitz.parallel.internal.array.Permutation;
import dev.blitz.parallel.internal.array.RandomAt;

/**
 * Random numbers by index: what is at an index depends on the seed and nothing else, so arrays are
 * filled and shuffled in parallel with the same result for any number of workers, on any machine.
 *
 * {@snippet :
 * var random = SeededRandom.of(42);
 * random.fill(longs);
 * random.shuffle(cards);
 * double[] noise = Parallel.rangeLong(0, n).mapToDouble(random::doubleAt).toArray();
 * }
 *
 * <p>The numbers are good enough for simulations and tests, and no secret. Immutable; for any
 * thread.
 */
public final class SeededRandom {
  private final RandomAt numbers;
  private final long seed;

  private SeededRandom(long seed) {
    this.seed = seed;
    this.numbers = RandomAt.of(seed);
  }

  /**
   * The numbers of a seed.
   *
   * @param seed any number; near ones have nothing in common
   */
  public static SeededRandom of(long seed) {
    return new SeededRandom(seed);
  }

  /**
   * Any number.
   *
   * @return always the same there
   */
  public long longAt(long index) {
    return numbers.longAt(index);
  }

  /**
   * A number of a range.
   *
   * @param from the least
   * @param to the end
   * @return always the same there
   * @throws IllegalArgumentException if the range is empty
   */
  public int intAt(long index, int from, int to) {
    checkRange(from, to);
    return from + (int) numbers.below(index, (long) to - from);
  }

  /**
   * A number from 0.0, to but without 1.0.
   *
   * @return always the same there
   */
  public double doubleAt(long index) {
    return numbers.doubleAt(index);
  }

  private static void checkRange(int from, int to) {
    if (from >= to) {
      throw new IllegalArgumentException("an empty range: " + from + " to " + to);
    }
  }

  /**
   * Fills an array with {@link #longAt} of its indices.
   *
   * @param array what to fill
   */
  public void fill(long[] array) {
    OnPool.each(
        array.length,
        (start, end) -> {
          for (int i = start; i < end; i++) {
            array[i] = numbers.longAt(i);
          }
        });
  }

  /**
   * Fills an array with {@link #intAt} of its indices.
   *
   * @param array what to fill
   * @param from the least number
   * @param to the end of the numbers
   * @throws IllegalArgumentException if the range is empty
   */
  public void fill(int[] array, int from, int to) {
    checkRange(from, to);
    long range = (long) to - from;
    OnPool.each(
        array.length,
        (start, end) -> {
          for (int i = start; i < end; i++) {
            array[i] = from + (int) numbers.below(i, range);
          }
        });
  }

  /**
   * Fills an array with {@link #doubleAt} of its indices.
   *
   * @param array what to fill
   */
  public void fill(double[] array) {
    OnPool.each(
        array.length,
        (start, end) -> {
          for (int i = start; i < end; i++) {
            array[i] = numbers.doubleAt(i);
          }
        });
  }

  /**
   * The indices of an array in random order, each order as likely as any other.
   *
   * @param size how many
   * @return 0 to {@code size - 1}, shuffled
   * @throws IllegalArgumentException if the size is negative
   */
  public int[] permutation(int size) {
    if (size < 0) {
      throw new IllegalArgumentException("a size must not be negative: " + size);
    }
    int[] places = new int[size];
    OnPool.run(size, () -> Permutation.fill(places, seed));
    return places;
  }

  /**
   * Puts an array into random order: that of {@link #permutation}. Needs a copy and 4 bytes per
   * element meanwhile.
   *
   * @param array what to shuffle
   */
  public void shuffle(int[] array) {
    int[] places = permutation(array.length);
    Scatter.gather(array.clone(), places, array);
  }

  /**
   * Puts an array into random order: that of {@link #permutation}. Needs a copy and 4 bytes per
   * element meanwhile.
   *
   * @param array what to shuffle
   */
  public void shuffle(long[] array) {
    int[] places = permutation(array.length);
    Scatter.gather(array.clone(), places, array);
  }

  /**
   * Puts an array into random order: that of {@link #permutation}. Needs a copy and 4 bytes per
   * element meanwhile.
   *
   * @param array what to shuffle
   */
  public void shuffle(double[] array) {
    int[] places = permutation(array.length);
    Scatter.gather(array.clone(), places, array);
  }

  /**
   * Puts an array into random order: that of {@link #permutation}. Needs a copy and 4 bytes per
   * element meanwhile.
   *
   * @param array what to shuffle
   */
  public <T> void shuffle(T[] array) {
    int[] places = permutation(array.length);
    Scatter.gather(array.clone(), places, array);
  }
}
