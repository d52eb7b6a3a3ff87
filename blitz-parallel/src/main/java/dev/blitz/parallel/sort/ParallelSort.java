package dev.blitz.parallel.sort;

import dev.blitz.parallel.Pool;
import dev.blitz.parallel.internal.FirstUse;
import dev.blitz.parallel.internal.PoolAccess;
import dev.blitz.parallel.internal.sort.DoubleSort;
import dev.blitz.parallel.internal.sort.IntSort;
import dev.blitz.parallel.internal.sort.KeySort;
import dev.blitz.parallel.internal.sort.LongSort;
import dev.blitz.parallel.internal.sort.ObjectSort;
import dev.blitz.parallel.internal.sort.Split;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.ListIterator;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Sorts, in parallel where it pays.
 *
 * {@snippet :
 * ParallelSort.sortByCachedKey(files, File::getName); // each name is asked for once
 * int[] places = ParallelSort.argsort(prices);        // prices[places[0]] is the least
 * }
 *
 * <p>Memory beside the array, at most: one copy for longs and ints (two of a range that does not
 * begin with the array), two for doubles, one of references for a stable sort, none for an unstable
 * one.
 */
public final class ParallelSort {
  private ParallelSort() {}

  /**
   * Sorts a range.
   *
   * @param array the array
   * @param from the first index
   * @param to the end
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static void sort(int[] array, int from, int to) {
    Objects.checkFromToIndex(from, to, array.length);
    run(to - from, () -> IntSort.sort(array, from, to));
  }

  /**
   * Sorts a range.
   *
   * @param array the array
   * @param from the first index
   * @param to the end
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static void sort(long[] array, int from, int to) {
    Objects.checkFromToIndex(from, to, array.length);
    run(to - from, () -> LongSort.sort(array, from, to));
  }

  /**
   * Sorts a range as {@link Double#compare} does: -0.0 before 0.0, NaNs last.
   *
   * @param array the array
   * @param from the first index
   * @param to the end
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static void sort(double[] array, int from, int to) {
    Objects.checkFromToIndex(from, to, array.length);
    run(to - from, () -> DoubleSort.sort(array, from, to));
  }

  /**
   * Sorts a range by the elements' own order; equal ones keep theirs.
   *
   * @param <T> the elements
   * @param array the array
   * @param from the first index
   * @param to the end
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static <T extends Comparable<? super T>> void sort(T[] array, int from, int to) {
    Objects.checkFromToIndex(from, to, array.length);
    run(to - from, () -> ObjectSort.sort(array, from, to, null));
  }

  /**
   * Sorts a range; equal elements keep their order.
   *
   * @param <T> the elements
   * @param array the array
   * @param from the first index
   * @param to the end
   * @param order the order
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static <T> void sort(T[] array, int from, int to, Comparator<? super T> order) {
    Objects.requireNonNull(order, "order");
    Objects.checkFromToIndex(from, to, array.length);
    run(to - from, () -> ObjectSort.sort(array, from, to, erased(order)));
  }

  /**
   * Sorts a list by the elements' own order; equal ones keep theirs.
   *
   * @param <T> the elements
   * @param list what to sort; its elements can be set
   */
  public static <T extends Comparable<? super T>> void sort(List<T> list) {
    inList(list, elements -> ObjectSort.sort(elements, 0, elements.length, null));
  }

  /**
   * Sorts a list; equal elements keep their order.
   *
   * @param <T> the elements
   * @param list what to sort; its elements can be set
   * @param order the order
   */
  public static <T> void sort(List<T> list, Comparator<? super T> order) {
    Objects.requireNonNull(order, "order");
    inList(list, elements -> ObjectSort.sort(elements, 0, elements.length, erased(order)));
  }

  /**
   * Sorts from the greatest down.
   *
   * @param array the array
   */
  public static void sortDescending(int[] array) {
    sortDescending(array, 0, array.length);
  }

  /**
   * Sorts a range from the greatest down.
   *
   * @param array the array
   * @param from the first index
   * @param to the end
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static void sortDescending(int[] array, int from, int to) {
    Objects.checkFromToIndex(from, to, array.length);
    run(
        to - from,
        () -> {
          IntSort.sort(array, from, to);
          IntSort.reverse(array, from, to);
        });
  }

  /**
   * Sorts from the greatest down.
   *
   * @param array the array
   */
  public static void sortDescending(long[] array) {
    sortDescending(array, 0, array.length);
  }

  /**
   * Sorts a range from the greatest down.
   *
   * @param array the array
   * @param from the first index
   * @param to the end
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static void sortDescending(long[] array, int from, int to) {
    Objects.checkFromToIndex(from, to, array.length);
    run(
        to - from,
        () -> {
          LongSort.sort(array, from, to);
          LongSort.reverse(array, from, to);
        });
  }

  /**
   * Sorts from the greatest down: NaNs first, 0.0 before -0.0.
   *
   * @param array the array
   */
  public static void sortDescending(double[] array) {
    sortDescending(array, 0, array.length);
  }

  /**
   * Sorts a range from the greatest down: NaNs first, 0.0 before -0.0.
   *
   * @param array the array
   * @param from the first index
   * @param to the end
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static void sortDescending(double[] array, int from, int to) {
    Objects.checkFromToIndex(from, to, array.length);
    run(
        to - from,
        () -> {
          DoubleSort.sort(array, from, to);
          DoubleSort.reverse(array, from, to);
        });
  }

  /**
   * Sorts from the greatest down by the elements' own order; equal ones keep theirs.
   *
   * @param <T> the elements
   * @param array the array
   */
  public static <T extends Comparable<? super T>> void sortDescending(T[] array) {
    sort(array, 0, array.length, Collections.reverseOrder());
  }

  /**
   * Sorts a range from the greatest down by the elements' own order; equal ones keep theirs.
   *
   * @param <T> the elements
   * @param array the array
   * @param from the first index
   * @param to the end
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static <T extends Comparable<? super T>> void sortDescending(T[] array, int from, int to) {
    sort(array, from, to, Collections.reverseOrder());
  }

  /**
   * Sorts by the elements' own order, without memory of its own; equal elements come in any order.
   *
   * @param <T> the elements
   * @param array the array
   */
  public static <T extends Comparable<? super T>> void sortUnstable(T[] array) {
    sortUnstable(array, 0, array.length);
  }

  /**
   * Sorts a range by the elements' own order, without memory of its own; equal elements come in any
   * order.
   *
   * @param <T> the elements
   * @param array the array
   * @param from the first index
   * @param to the end
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static <T extends Comparable<? super T>> void sortUnstable(T[] array, int from, int to) {
    Objects.checkFromToIndex(from, to, array.length);
    run(to - from, () -> ObjectSort.sortUnstable(array, from, to, null));
  }

  /**
   * Sorts without memory of its own; equal elements come in any order.
   *
   * @param <T> the elements
   * @param array the array
   * @param order the order
   */
  public static <T> void sortUnstable(T[] array, Comparator<? super T> order) {
    sortUnstable(array, 0, array.length, order);
  }

  /**
   * Sorts a range without memory of its own; equal elements come in any order.
   *
   * @param <T> the elements
   * @param array the array
   * @param from the first index
   * @param to the end
   * @param order the order
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static <T> void sortUnstable(T[] array, int from, int to, Comparator<? super T> order) {
    Objects.requireNonNull(order, "order");
    Objects.checkFromToIndex(from, to, array.length);
    run(to - from, () -> ObjectSort.sortUnstable(array, from, to, erased(order)));
  }

  /**
   * Sorts by a key that is quick to get: it is asked for at each comparison. Equal keys keep their
   * order.
   *
   * @param <T> the elements
   * @param <K> the keys
   * @param array the array
   * @param key the key of an element
   */
  public static <T, K extends Comparable<? super K>> void sortByKey(
      T[] array, Function<? super T, ? extends K> key) {
    sort(array, 0, array.length, Comparator.<T, K>comparing(key));
  }

  /**
   * Sorts a list by a key that is quick to get: it is asked for at each comparison. Equal keys keep
   * their order.
   *
   * @param <T> the elements
   * @param <K> the keys
   * @param list what to sort; its elements can be set
   * @param key the key of an element
   */
  public static <T, K extends Comparable<? super K>> void sortByKey(
      List<T> list, Function<? super T, ? extends K> key) {
    sort(list, Comparator.<T, K>comparing(key));
  }

  /**
   * Sorts by a key that is asked for once per element, in parallel. Equal keys keep their order.
   * Needs an object per element meanwhile.
   *
   * @param <T> the elements
   * @param <K> the keys
   * @param array the array
   * @param key the key of an element; if it throws, the array is as it was
   */
  public static <T, K extends Comparable<? super K>> void sortByCachedKey(
      T[] array, Function<? super T, ? extends K> key) {
    Objects.requireNonNull(key, "key");
    run(array.length, () -> KeySort.sortByCachedKey(array, erasedKey(key)));
  }

  /**
   * Sorts a list by a key that is asked for once per element, in parallel. Equal keys keep their
   * order. Needs an object per element meanwhile.
   *
   * @param <T> the elements
   * @param <K> the keys
   * @param list what to sort; its elements can be set
   * @param key the key of an element; if it throws, the list is as it was
   */
  public static <T, K extends Comparable<? super K>> void sortByCachedKey(
      List<T> list, Function<? super T, ? extends K> key) {
    Objects.requireNonNull(key, "key");
    inList(list, elements -> KeySort.sortByCachedKey(elements, erasedKey(key)));
  }

  /**
   * Sorts by a number that is asked for once per element, in parallel: the quickest way to sort
   * objects. Equal numbers keep their order. Needs some 30 bytes per element meanwhile.
   *
   * {@snippet :
   * ParallelSort.sortByLong(orders, Order::timestamp);
   * }
   *
   * @param <T> the elements
   * @param array the array
   * @param key the number of an element; if it throws, the array is as it was
   */
  public static <T> void sortByLong(T[] array, ToLongFunction<? super T> key) {
    Objects.requireNonNull(key, "key");
    run(array.length, () -> KeySort.sortByLong(array, erasedNumber(key)));
  }

  /**
   * Sorts a list by a number that is asked for once per element, in parallel. Equal numbers keep
   * their order. Needs some 30 bytes per element meanwhile.
   *
   * @param <T> the elements
   * @param list what to sort; its elements can be set
   * @param key the number of an element; if it throws, the list is as it was
   */
  public static <T> void sortByLong(List<T> list, ToLongFunction<? super T> key) {
    Objects.requireNonNull(key, "key");
    inList(list, elements -> KeySort.sortByLong(elements, erasedNumber(key)));
  }

  /**
   * Where each element would come from if the array were sorted; equal ones by index.
   *
   * @param array the array; it is not changed
   * @return the index of the least, of the next...
   */
  public static int[] argsort(int[] array) {
    int[] places = new int[array.length];
    run(array.length, () -> KeySort.argsort(KeySort.keys(array), places));
    return places;
  }

  /**
   * Where each element would come from if the array were sorted; equal ones by index.
   *
   * @param array the array; it is not changed
   * @return the index of the least, of the next...
   */
  public static int[] argsort(long[] array) {
    int[] places = new int[array.length];
    run(array.length, () -> KeySort.argsort(array.clone(), places));
    return places;
  }

  /**
   * Where each element would come from if the array were sorted as {@link Double#compare} does;
   * equal ones by index.
   *
   * @param array the array; it is not changed
   * @return the index of the least, of the next...
   */
  public static int[] argsort(double[] array) {
    int[] places = new int[array.length];
    run(array.length, () -> KeySort.argsort(KeySort.keys(array), places));
    return places;
  }

  /**
   * Where each element would come from if the array were sorted by the elements' own order; equal
   * ones by index.
   *
   * @param <T> the elements
   * @param array the array; it is not changed
   * @return the index of the least, of the next...
   */
  public static <T extends Comparable<? super T>> int[] argsort(T[] array) {
    return argsort(array, Comparator.<T>naturalOrder());
  }

  /**
   * Where each element would come from if the array were sorted; equal ones by index.
   *
   * @param <T> the elements
   * @param array the array; it is not changed
   * @param order the order
   * @return the index of the least, of the next...
   */
  public static <T> int[] argsort(T[] array, Comparator<? super T> order) {
    Objects.requireNonNull(order, "order");
    int[] places = new int[array.length];
    run(array.length, () -> KeySort.argsort(array, erased(order), places));
    return places;
  }

  /** Sorts a copy, whose elements then go to their places. */
  @SuppressWarnings("unchecked") // the elements came from this list
  private static <T> void inList(List<T> list, Consumer<Object[]> sort) {
    Object[] elements = list.toArray();
    run(elements.length, () -> sort.accept(elements));
    ListIterator<T> places = list.listIterator();
    for (Object element : elements) {
      places.next();
      places.set((T) element);
    }
  }

  private static void run(int count, Runnable sort) {
    FirstUse.ofData();
    Split.run(count, () -> PoolAccess.core(Pool.common()), sort);
  }

  @SuppressWarnings("unchecked") // it is given nothing but elements of the array
  private static Comparator<Object> erased(Comparator<?> order) {
    return (Comparator<Object>) order;
  }

  @SuppressWarnings("unchecked") // it is given nothing but elements of the array
  private static Function<Object, Comparable<Object>> erasedKey(Function<?, ?> key) {
    return (Function<Object, Comparable<Object>>) key;
  }

  @SuppressWarnings("unchecked") // it is given nothing but elements of the array
  private static ToLongFunction<Object> erasedNumber(ToLongFunction<?> key) {
    return (ToLongFunction<Object>) key;
  }
}
