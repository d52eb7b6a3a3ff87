package dev.blitz.parallel.array;

import dev.blitz.parallel.internal.FirstUse;
import dev.blitz.parallel.internal.array.SetRule;
import dev.blitz.parallel.internal.array.TwoSorted;
import dev.blitz.parallel.internal.array.TwoSortedDoubles;
import dev.blitz.parallel.internal.array.TwoSortedInts;
import dev.blitz.parallel.internal.array.TwoSortedLongs;
import dev.blitz.parallel.internal.array.TwoSortedObjects;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Merges and set operations on two arrays that are sorted already, in parallel where it pays.
 *
 * {@snippet :
 * long[] all = SortedArrays.merge(today, yesterday);
 * int[] common = SortedArrays.intersection(mine, yours);
 * }
 *
 * <p>Elements may come several times. With an element that is {@code m} times in the first array
 * and {@code n} times in the second, it is {@code m + n} times in the merge, {@code max(m, n)}
 * times in the union, {@code min(m, n)} times in the intersection and {@code max(m - n, 0)} times
 * in the difference; so of sets the results are sets.
 *
 * <p>The arguments are not changed. If they are not sorted, the result is some of their elements in
 * some order. Doubles are ordered as {@link Double#compare} orders them: -0.0 is not 0.0, and a NaN
 * equals a NaN. Of equal objects those of the first array are kept, or come first. Memory beside
 * the result: none for a merge, else at most as much again as both arrays.
 */
public final class SortedArrays {
  private SortedArrays() {}

  /**
   * All elements of both, in order.
   *
   * @param left sorted
   * @param right sorted
   * @return a new sorted array
   */
  public static int[] merge(int[] left, int[] right) {
    return run(ints(), SetRule.MERGE, left, right, (long) left.length + right.length);
  }

  /**
   * All elements of both, in order.
   *
   * @param left sorted
   * @param right sorted
   * @return a new sorted array
   */
  public static long[] merge(long[] left, long[] right) {
    return run(longs(), SetRule.MERGE, left, right, (long) left.length + right.length);
  }

  /**
   * All elements of both, in order.
   *
   * @param left sorted
   * @param right sorted
   * @return a new sorted array
   */
  public static double[] merge(double[] left, double[] right) {
    return run(doubles(), SetRule.MERGE, left, right, (long) left.length + right.length);
  }

  /**
   * All elements of both, in order.
   *
   * @param left sorted
   * @param right sorted in the same order
   * @param order the order; if it throws, so does this
   * @return a new sorted array of the first one's type
   */
  public static <T> T[] merge(T[] left, T[] right, Comparator<? super T> order) {
    return runAll(objects(order), SetRule.MERGE, left, right);
  }

  /**
   * What is in either.
   *
   * @param left sorted
   * @param right sorted
   * @return a new sorted array
   */
  public static int[] union(int[] left, int[] right) {
    return run(ints(), SetRule.UNION, left, right, (long) left.length + right.length);
  }

  /**
   * What is in either.
   *
   * @param left sorted
   * @param right sorted
   * @return a new sorted array
   */
  public static long[] union(long[] left, long[] right) {
    return run(longs(), SetRule.UNION, left, right, (long) left.length + right.length);
  }

  /**
   * What is in either.
   *
   * @param left sorted
   * @param right sorted
   * @return a new sorted array
   */
  public static double[] union(double[] left, double[] right) {
    return run(doubles(), SetRule.UNION, left, right, (long) left.length + right.length);
  }

  /**
   * What is in either.
   *
   * @param left sorted
   * @param right sorted in the same order
   * @param order the order; if it throws, so does this
   * @return a new sorted array of the first one's type
   */
  public static <T> T[] union(T[] left, T[] right, Comparator<? super T> order) {
    return runAll(objects(order), SetRule.UNION, left, right);
  }

  /**
   * What is in both.
   *
   * @param left sorted
   * @param right sorted
   * @return a new sorted array
   */
  public static int[] intersection(int[] left, int[] right) {
    return run(ints(), SetRule.INTERSECTION, left, right, (long) left.length + right.length);
  }

  /**
   * What is in both.
   *
   * @param left sorted
   * @param right sorted
   * @return a new sorted array
   */
  public static long[] intersection(long[] left, long[] right) {
    return run(longs(), SetRule.INTERSECTION, left, right, (long) left.length + right.length);
  }

  /**
   * What is in both.
   *
   * @param left sorted
   * @param right sorted
   * @return a new sorted array
   */
  public static double[] intersection(double[] left, double[] right) {
    return run(doubles(), SetRule.INTERSECTION, left, right, (long) left.length + right.length);
  }

  /**
   * What is in both.
   *
   * @param left sorted
   * @param right sorted in the same order
   * @param order the order; if it throws, so does this
   * @return a new sorted array of the first one's type
   */
  public static <T> T[] intersection(T[] left, T[] right, Comparator<? super T> order) {
    return runAll(objects(order), SetRule.INTERSECTION, left, right);
  }

  /**
   * What is in the first and not in the second.
   *
   * @param left sorted
   * @param right sorted
   * @return a new sorted array
   */
  public static int[] difference(int[] left, int[] right) {
    return run(ints(), SetRule.DIFFERENCE, left, right, (long) left.length + right.length);
  }

  /**
   * What is in the first and not in the second.
   *
   * @param left sorted
   * @param right sorted
   * @return a new sorted array
   */
  public static long[] difference(long[] left, long[] right) {
    return run(longs(), SetRule.DIFFERENCE, left, right, (long) left.length + right.length);
  }

  /**
   * What is in the first and not in the second.
   *
   * @param left sorted
   * @param right sorted
   * @return a new sorted array
   */
  public static double[] difference(double[] left, double[] right) {
    return run(doubles(), SetRule.DIFFERENCE, left, right, (long) left.length + right.length);
  }

  /**
   * What is in the first and not in the second.
   *
   * @param left sorted
   * @param right sorted in the same order
   * @param order the order; if it throws, so does this
   * @return a new sorted array of the first one's type
   */
  public static <T> T[] difference(T[] left, T[] right, Comparator<? super T> order) {
    return runAll(objects(order), SetRule.DIFFERENCE, left, right);
  }

  /** Each is asked for before the rule, whose class may be used for the first time. */
  private static TwoSorted<int[]> ints() {
    FirstUse.ofData();
    return TwoSortedInts.INSTANCE;
  }

  private static TwoSorted<long[]> longs() {
    FirstUse.ofData();
    return TwoSortedLongs.INSTANCE;
  }

  private static TwoSorted<double[]> doubles() {
    FirstUse.ofData();
    return TwoSortedDoubles.INSTANCE;
  }

  private static <T> TwoSorted<Object[]> objects(Comparator<? super T> order) {
    FirstUse.ofData();
    @SuppressWarnings("unchecked") // it is given nothing but elements of the arrays
    Comparator<Object> erased = (Comparator<Object>) Objects.requireNonNull(order, "order");
    return new TwoSortedObjects(erased);
  }

  private static <A> A run(TwoSorted<A> sides, SetRule rule, A left, A right, long size) {
    List<A> result = new ArrayList<>(1);
    OnPool.run(size, () -> result.add(sides.run(rule, left, right)));
    return result.getFirst();
  }

  private static <T> T[] runAll(TwoSorted<Object[]> sides, SetRule rule, T[] left, T[] right) {
    Object[] all = run(sides, rule, left, right, (long) left.length + right.length);
    @SuppressWarnings("unchecked") // as left is
    T[] typed = (T[]) Arrays.copyOf(all, all.length, left.getClass());
    return typed;
  }
}
