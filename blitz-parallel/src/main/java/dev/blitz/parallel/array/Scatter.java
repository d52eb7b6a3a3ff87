package dev.blitz.parallel.array;

import dev.blitz.parallel.internal.sort.SortTuning;
import dev.blitz.parallel.internal.sort.Split;
import java.lang.reflect.Array;
import java.util.Objects;

/**
 * Moves by index: elements to their places, from their places, and the rows of a table one behind
 * the other.
 *
 * {@snippet :
 * long[] flat = Scatter.flatten(rows);
 * int[] offsets = Scatter.offsets(sizes); // where each row begins; the last is the sum
 * Scatter.scatter(values, places, target); // target[places[i]] = values[i]
 * }
 */
public final class Scatter {
  private Scatter() {}

  /**
   * Where each of several rows begins, if they lie one behind the other.
   *
   * @param sizes of the rows
   * @return a place per row, and at the end the sum of all sizes
   * @throws IllegalArgumentException if a size is negative
   * @throws ArithmeticException if the sum is above 2<sup>31</sup> - 1
   */
  public static int[] offsets(int[] sizes) {
    int[] offsets = new int[sizes.length + 1];
    for (int i = 0; i < sizes.length; i++) {
      if (sizes[i] < 0) {
        throw new IllegalArgumentException("row " + i + " has a negative size: " + sizes[i]);
      }
      offsets[i + 1] = Math.addExact(offsets[i], sizes[i]);
    }
    return offsets;
  }

  /**
   * All rows one behind the other.
   *
   * @return a new array
   * @throws ArithmeticException if it would be longer than 2<sup>31</sup> - 1
   */
  public static int[] flatten(int[][] rows) {
    int[] offsets = offsetsOf(rows);
    int[] flat = new int[offsets[rows.length]];
    copyRows(rows, offsets, flat);
    return flat;
  }

  /**
   * Each row to a place of its own.
   *
   * @param offsets where each begins; they should not overlap
   * @param target an array that has room
   * @throws IndexOutOfBoundsException if a row does not fit; nothing is written then
   */
  public static void flatten(int[][] rows, int[] offsets, int[] target) {
    copyRows(rows, offsets, target);
  }

  /**
   * Each value to a place: {@code target[places[i]] = values[i]}.
   *
   * @param places as many; each at most once, or some value of several gets there
   * @param target an array that has room
   * @throws IndexOutOfBoundsException if a place is outside; nothing is written then
   */
  public static void scatter(int[] values, int[] places, int[] target) {
    check(values.length, places, target.length);
    OnPool.each(
        places.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            target[places[i]] = values[i];
          }
        });
  }

  /**
   * A value from each place: {@code target[i] = values[places[i]]}.
   *
   * @param values what is there
   * @param places any number
   * @param target as long; another array than the values
   * @throws IndexOutOfBoundsException if a place is outside; nothing is written then
   */
  public static void gather(int[] values, int[] places, int[] target) {
    check(target.length, places, values.length);
    OnPool.each(
        places.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            target[i] = values[places[i]];
          }
        });
  }

  /**
   * All rows one behind the other.
   *
   * @return a new array
   * @throws ArithmeticException if it would be longer than 2<sup>31</sup> - 1
   */
  public static long[] flatten(long[][] rows) {
    int[] offsets = offsetsOf(rows);
    long[] flat = new long[offsets[rows.length]];
    copyRows(rows, offsets, flat);
    return flat;
  }

  /**
   * Each row to a place of its own.
   *
   * @param offsets where each begins; they should not overlap
   * @param target an array that has room
   * @throws IndexOutOfBoundsException if a row does not fit; nothing is written then
   */
  public static void flatten(long[][] rows, int[] offsets, long[] target) {
    copyRows(rows, offsets, target);
  }

  /**
   * Each value to a place: {@code target[places[i]] = values[i]}.
   *
   * @param places as many; each at most once, or some value of several gets there
   * @param target an array that has room
   * @throws IndexOutOfBoundsException if a place is outside; nothing is written then
   */
  public static void scatter(long[] values, int[] places, long[] target) {
    check(values.length, places, target.length);
    OnPool.each(
        places.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            target[places[i]] = values[i];
          }
        });
  }

  /**
   * A value from each place: {@code target[i] = values[places[i]]}.
   *
   * @param values what is there
   * @param places any number
   * @param target as long; another array than the values
   * @throws IndexOutOfBoundsException if a place is outside; nothing is written then
   */
  public static void gather(long[] values, int[] places, long[] target) {
    check(target.length, places, values.length);
    OnPool.each(
        places.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            target[i] = values[places[i]];
          }
        });
  }

  /**
   * All rows one behind the other.
   *
   * @return a new array
   * @throws ArithmeticException if it would be longer than 2<sup>31</sup> - 1
   */
  public static double[] flatten(double[][] rows) {
    int[] offsets = offsetsOf(rows);
    double[] flat = new double[offsets[rows.length]];
    copyRows(rows, offsets, flat);
    return flat;
  }

  /**
   * Each row to a place of its own.
   *
   * @param offsets where each begins; they should not overlap
   * @param target an array that has room
   * @throws IndexOutOfBoundsException if a row does not fit; nothing is written then
   */
  public static void flatten(double[][] rows, int[] offsets, double[] target) {
    copyRows(rows, offsets, target);
  }

  /**
   * Each value to a place: {@code target[places[i]] = values[i]}.
   *
   * @param places as many; each at most once, or some value of several gets there
   * @param target an array that has room
   * @throws IndexOutOfBoundsException if a place is outside; nothing is written then
   */
  public static void scatter(double[] values, int[] places, double[] target) {
    check(values.length, places, target.length);
    OnPool.each(
        places.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            target[places[i]] = values[i];
          }
        });
  }

  /**
   * A value from each place: {@code target[i] = values[places[i]]}.
   *
   * @param values what is there
   * @param places any number
   * @param target as long; another array than the values
   * @throws IndexOutOfBoundsException if a place is outside; nothing is written then
   */
  public static void gather(double[] values, int[] places, double[] target) {
    check(target.length, places, values.length);
    OnPool.each(
        places.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            target[i] = values[places[i]];
          }
        });
  }

  /**
   * All rows one behind the other.
   *
   * @return a new array
   * @throws ArithmeticException if it would be longer than 2<sup>31</sup> - 1
   */
  public static <T> T[] flatten(T[][] rows) {
    int[] offsets = offsetsOf(rows);
    @SuppressWarnings("unchecked") // a row has elements of the component type of its table
    T[] flat =
        (T[])
            Array.newInstance(
                rows.getClass().componentType().componentType(), offsets[rows.length]);
    copyRows(rows, offsets, flat);
    return flat;
  }

  /**
   * Each row to a place of its own.
   *
   * @param offsets where each begins; they should not overlap
   * @param target an array that has room
   * @throws IndexOutOfBoundsException if a row does not fit; nothing is written then
   */
  public static <T> void flatten(T[][] rows, int[] offsets, T[] target) {
    copyRows(rows, offsets, target);
  }

  /**
   * Each value to a place: {@code target[places[i]] = values[i]}.
   *
   * @param places as many; each at most once, or some value of several gets there
   * @param target an array that has room
   * @throws IndexOutOfBoundsException if a place is outside; nothing is written then
   */
  public static <T> void scatter(T[] values, int[] places, T[] target) {
    check(values.length, places, target.length);
    OnPool.each(
        places.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            target[places[i]] = values[i];
          }
        });
  }

  /**
   * A value from each place: {@code target[i] = values[places[i]]}.
   *
   * @param values what is there
   * @param places any number
   * @param target as long; another array than the values
   * @throws IndexOutOfBoundsException if a place is outside; nothing is written then
   */
  public static <T> void gather(T[] values, int[] places, T[] target) {
    check(target.length, places, values.length);
    OnPool.each(
        places.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            target[i] = values[places[i]];
          }
        });
  }

  private static int[] offsetsOf(Object[] rows) {
    int[] sizes = new int[rows.length];
    for (int i = 0; i < rows.length; i++) {
      sizes[i] = Array.getLength(rows[i]);
    }
    return offsets(sizes);
  }

  /** Rows and target are arrays of the same primitive type, or of objects. */
  private static void copyRows(Object[] rows, int[] offsets, Object target) {
    if (offsets.length < rows.length) {
      throw new IllegalArgumentException(
          rows.length + " rows have " + offsets.length + " offsets only");
    }
    int room = Array.getLength(target);
    long all = 0;
    for (int i = 0; i < rows.length; i++) {
      int size = Array.getLength(rows[i]);
      Objects.checkFromIndexSize(offsets[i], size, room);
      all += size;
    }
    long average = Math.max(1, all / Math.max(1, rows.length));
    int together = (int) Math.max(1, SortTuning.PIECE / average);
    OnPool.run(
        all,
        () ->
            Split.each(
                0,
                rows.length,
                together,
                (from, to) -> {
                  for (int i = from; i < to; i++) {
                    copyRow(rows[i], target, offsets[i]);
                  }
                }));
  }

  @SuppressWarnings("SuspiciousSystemArraycopy") // both are arrays of one type, see the callers
  private static void copyRow(Object row, Object target, int offset) {
    int size = Array.getLength(row);
    Split.each(
        0,
        size,
        4 * SortTuning.PIECE,
        (from, to) -> System.arraycopy(row, from, target, offset + from, to - from));
  }

  private static void check(int values, int[] places, int room) {
    if (values != places.length) {
      throw new IllegalArgumentException(values + " values have " + places.length + " places");
    }
    OnPool.each(
        places.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            Objects.checkIndex(places[i], room);
          }
        });
  }
}
