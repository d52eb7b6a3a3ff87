package dev.blitz.parallel.iter;

import dev.blitz.parallel.internal.sort.IntSort;
import dev.blitz.parallel.internal.spin.Cell;
import dev.blitz.parallel.internal.spin.Ends;
import dev.blitz.parallel.internal.spin.Form;
import dev.blitz.parallel.internal.spin.Kind;
import dev.blitz.parallel.internal.spin.Op;
import dev.blitz.parallel.internal.spin.Pipe;
import dev.blitz.parallel.internal.spin.Scan;
import dev.blitz.parallel.internal.spin.Source;
import dev.blitz.parallel.internal.spin.Where;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.IntBinaryOperator;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A parallel pipeline of {@code int}s; nothing is boxed.
 *
 * {@snippet :
 * int[] twice = Parallel.range(0, 1_000_000).map(i -> i * 2).toArray();
 * }
 */
public final class IntIter extends BaseIter<IntIter> {
  /** The array of a pipeline that is nothing else, if there is one. */
  private final int @Nullable [] bare;

  IntIter(Pipe pipe, Where where) {
    super(pipe, where);
    this.bare = null;
  }

  private IntIter(int[] array) {
    super(anywhere());
    this.bare = Objects.requireNonNull(array, "array");
  }

  @Override
  Pipe makePipe() {
    return Pipe.of(source(Objects.requireNonNull(bare)));
  }

  /** The whole source, if all there is to do is to go through a short array here. */
  private int @Nullable [] few() {
    return isFew(bare == null ? Integer.MAX_VALUE : bare.length) ? bare : null;
  }

  /** The same if it is a part of an array. */
  private @Nullable Source fewOf() {
    Source source = bare == null ? pipe().bareSource() : null;
    return source != null && source.form() == Source.Form.INTS && isFewHere(source.size())
        ? source
        : null;
  }

  @Override
  IntIter make(Pipe changed, Where there) {
    return new IntIter(changed, there);
  }

  /** Over an array. */
  public static IntIter of(int[] array) {
    return new IntIter(array);
  }

  /**
   * Over a range of an array.
   *
   * @param array the source
   * @param from the first index
   * @param to the end
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static IntIter of(int[] array, int from, int to) {
    Objects.checkFromToIndex(from, to, array.length);
    Where there = anywhere();
    return new IntIter(Pipe.of(source(array).slice(from, to)), there);
  }

  /**
   * Over what a stream yields; it is run at once.
   *
   * {@snippet :
   * long spaces = IntIter.from(text.chars()).filter(Character::isWhitespace).count();
   * }
   *
   * @param stream the source
   */
  public static IntIter from(IntStream stream) {
    return of(stream.toArray());
  }

  private static Source source(int[] array) {
    return new Source(Source.Form.INTS, array, 0, 1, array.length);
  }

  /**
   * Over the numbers of a range.
   *
   * @param from the first
   * @param to the end
   * @return a pipeline, empty if {@code to} is not above {@code from}
   */
  public static IntIter range(int from, int to) {
    Where there = anywhere();
    long size = Math.max(0, (long) to - from);
    return new IntIter(
        Pipe.of(new Source(Source.Form.INT_RANGE, IntIter.class, from, 1, size)), there);
  }

  /**
   * Over the numbers of a range, both ends included.
   *
   * @param from the first
   * @param last the last
   * @return a pipeline, empty if {@code last} is below {@code from}
   */
  public static IntIter rangeClosed(int from, int last) {
    // A loop over ints ends at an int.
    return last < Integer.MAX_VALUE
        ? range(from, last + 1)
        : LongIter.rangeClosed(from, last).mapToInt(x -> (int) x);
  }

  /**
   * Each element made another.
   *
   * @param function from number to number
   */
  public IntIter map(IntUnaryOperator function) {
    return make(pipe().then(Op.MAP_II, Kind.INT, function));
  }

  /**
   * Each element made a {@code long}.
   *
   * @param function from number to number
   */
  public LongIter mapToLong(IntToLongFunction function) {
    return new LongIter(pipe().then(Op.MAP_IL, Kind.LONG, function), where);
  }

  /**
   * Each element made a {@code double}.
   *
   * @param function from number to number
   */
  public DoubleIter mapToDouble(IntToDoubleFunction function) {
    return new DoubleIter(pipe().then(Op.MAP_ID, Kind.DOUBLE, function), where);
  }

  /**
   * Each element made an object.
   *
   * @param <R> the objects
   * @param function from number to object
   */
  public <R> Iter<R> mapToObj(IntFunction<? extends R> function) {
    return new Iter<>(pipe().then(Op.MAP_IR, Kind.REF, function), where);
  }

  /**
   * Only what passes.
   *
   * @param predicate true: it stays
   */
  public IntIter filter(IntPredicate predicate) {
    return make(pipe().then(Op.FILTER_I, Kind.INT, predicate));
  }

  /**
   * All elements of a pipeline for each element.
   *
   * @param function makes the pipelines; it is run by the worker that has the element
   */
  public IntIter flatMap(IntFunction<IntIter> function) {
    return make(
        pipe().thenFlat(Kind.INT, function, (bits, ref) -> function.apply((int) bits).pipe()));
  }

  /**
   * Each element combined with the one of the same index in an array, as far as both go.
   *
   * @param others the second
   * @param function combines two
   */
  public IntIter zip(int[] others, IntBinaryOperator function) {
    return make(pipe().zip(source(others), function));
  }

  /**
   * All elements before the first that fails.
   *
   * @param predicate false ends it
   */
  public IntIter takeWhile(IntPredicate predicate) {
    return make(pipe().takeWhile(predicate));
  }

  /**
   * The first element that fails, and all after it. Functions before may be called twice for some.
   *
   * @param predicate false ends what is left out; it may be asked about elements after that one
   */
  public IntIter dropWhile(IntPredicate predicate) {
    return make(pipe().dropWhile(predicate));
  }

  /** From the least to the greatest. */
  public IntIter sorted() {
    return make(
        Pipe.defer(
            Kind.INT,
            there -> {
              int[] all = (int[]) Ends.toArray(pipe(), there);
              there.run(all.length, () -> IntSort.sort(all, 0, all.length));
              return Pipe.of(source(all));
            }));
  }

  /**
   * Each element combined with all before it, itself included: the running total, if the combiner
   * adds.
   *
   * @param combiner associative
   * @return as many results as there are elements
   */
  public IntIter scan(IntBinaryOperator combiner) {
    Objects.requireNonNull(combiner, "combiner");
    return make(Pipe.defer(Kind.INT, there -> Pipe.of(source(Scan.ints(pipe(), there, combiner)))));
  }

  /**
   * The sum, which does not overflow.
   *
   * @return 0 of no elements
   */
  public long sum() {
    int[] few = few();
    return few != null ? Few.sum(few, 0, few.length) : sumAll();
  }

  private long sumAll() {
    Source few = fewOf();
    if (few != null) {
      int from = (int) few.base();
      return Few.sum((int[]) few.data(), from, from + (int) few.size());
    }
    return Ends.reduce(pipe(), where, Form.SUM, null).bits();
  }

  /**
   * The mean.
   *
   * @return none of no elements
   */
  public OptionalDouble average() {
    IntSummaryStatistics all = summaryStatistics();
    return all.getCount() == 0 ? OptionalDouble.empty() : OptionalDouble.of(all.getAverage());
  }

  private static OptionalInt optional(Cell cell) {
    return cell.isPresent() ? OptionalInt.of((int) cell.bits()) : OptionalInt.empty();
  }

  /**
   * The least element.
   *
   * @return none of no elements
   */
  public OptionalInt min() {
    int[] few = few();
    if (few != null && few.length > 0) {
      return OptionalInt.of(Few.min(few));
    }
    return optional(Ends.reduce(pipe(), where, Form.MIN, null));
  }

  /**
   * The greatest element.
   *
   * @return none of no elements
   */
  public OptionalInt max() {
    int[] few = few();
    if (few != null && few.length > 0) {
      return OptionalInt.of(Few.max(few));
    }
    return optional(Ends.reduce(pipe(), where, Form.MAX, null));
  }

  /**
   * The element with the least key, the first of several.
   *
   * @param key asked for once per element
   * @return none of no elements
   */
  public OptionalInt minBy(IntToLongFunction key) {
    Objects.requireNonNull(key, "key");
    return optional(Ends.reduce(pipe(), where, Form.MIN_BY, key));
  }

  /**
   * The element with the greatest key, the first of several.
   *
   * @param key asked for once per element
   * @return none of no elements
   */
  public OptionalInt maxBy(IntToLongFunction key) {
    Objects.requireNonNull(key, "key");
    return optional(Ends.reduce(pipe(), where, Form.MAX_BY, key));
  }

  /**
   * Combines all elements in order.
   *
   * @param combiner associative
   * @return the result; none of no elements
   */
  public OptionalInt reduce(IntBinaryOperator combiner) {
    Objects.requireNonNull(combiner, "combiner");
    return optional(Ends.reduce(pipe(), where, Form.REDUCE, combiner));
  }

  /**
   * Combines all elements in order.
   *
   * @param empty the result of no elements, which changes nothing when combined
   * @param combiner associative
   */
  public int reduce(int empty, IntBinaryOperator combiner) {
    OptionalInt all = reduce(combiner);
    if (all.isEmpty()) {
      return empty;
    }
    return where.isHere()
        ? combiner.applyAsInt(empty, all.getAsInt())
        : where.call(() -> combiner.applyAsInt(empty, all.getAsInt()));
  }

  /**
   * Whether some element passes; the others are then left.
   *
   * @return false of no elements
   */
  public boolean anyMatch(IntPredicate predicate) {
    return filter(predicate).findsAny();
  }

  /**
   * Whether all elements pass; after the first that fails the others are left.
   *
   * @return true of no elements
   */
  public boolean allMatch(IntPredicate predicate) {
    return !make(pipe().then(Op.REJECT_I, Kind.INT, predicate)).findsAny();
  }

  /**
   * Whether no element passes.
   *
   * @return true of no elements
   */
  public boolean noneMatch(IntPredicate predicate) {
    return !anyMatch(predicate);
  }

  private boolean findsAny() {
    return Ends.first(pipe(), where, true).isPresent();
  }

  /**
   * The first element.
   *
   * @return none of no elements
   */
  public OptionalInt findFirst() {
    return optional(Ends.first(pipe(), where, false));
  }

  /**
   * Whichever element is found first.
   *
   * @return none of no elements
   */
  public OptionalInt findAny() {
    return optional(Ends.first(pipe(), where, true));
  }

  /**
   * The last element.
   *
   * @return none of no elements
   */
  public OptionalInt findLast() {
    return optional(Ends.first(pipe().fromTheEnd(), where, false));
  }

  /**
   * Where the first element is that passes.
   *
   * @return its index, or -1
   */
  public long position(IntPredicate predicate) {
    return place(predicate, false);
  }

  /**
   * Where some element is that passes, whichever is found first.
   *
   * @return its index, or -1
   */
  public long positionAny(IntPredicate predicate) {
    return place(predicate, true);
  }

  /**
   * Where the last element is that passes.
   *
   * @return its index, or -1
   */
  public long rposition(IntPredicate predicate) {
    Pipe all = indexed();
    Pipe search = all.reversed().then(Op.FILTER_I, Kind.INT, predicate);
    return Ends.lastPlace(all, Ends.first(search, where, false));
  }

  private long place(IntPredicate predicate, boolean any) {
    Cell cell = Ends.first(indexed().then(Op.FILTER_I, Kind.INT, predicate), where, any);
    return cell.isPresent() ? cell.index() : -1;
  }

  /**
   * Hands each element to a consumer, in no order.
   *
   * @param consumer called by several threads at once
   */
  public void forEach(IntConsumer consumer) {
    Objects.requireNonNull(consumer, "consumer");
    Ends.each(pipe(), where, consumer);
  }

  /**
   * All elements in order.
   *
   * @return a new array
   */
  public int[] toArray() {
    return (int[]) Ends.toArray(pipe(), where);
  }

  /**
   * All elements in order into an array from index 0. Into its own source it is a map in place:
   * what is read at another index than it is written to, as by windows or in reverse, is read
   * before. Only a function that looks into the array by itself sees some elements changed.
   *
   * {@snippet :
   * Parallel.iter(a).map(x -> 2 * x).into(a);
   * }
   *
   * @param array long enough; the rest stays as it is
   * @return how many there were
   * @throws IndexOutOfBoundsException if they do not fit; the array is then as it was
   */
  public int into(int[] array) {
    return Ends.into(pipe(), where, array);
  }

  /**
   * Adds elements to containers, and combines those in order: state per block of elements, for one
   * thread at a time.
   *
   * @param <R> the containers
   * @param container makes one
   * @param accumulator adds an element
   * @param combiner adds the second container to the first
   * @return the container of all
   */
  @SuppressWarnings("unchecked") // containers are what the supplier made
  public <R> R collect(
      Supplier<R> container, ObjIntConsumer<R> accumulator, BiConsumer<R, R> combiner) {
    Objects.requireNonNull(container, "container");
    Objects.requireNonNull(accumulator, "accumulator");
    Objects.requireNonNull(combiner, "combiner");
    return (R)
        Ends.fold(
            pipe(),
            where,
            container,
            accumulator,
            (left, right) -> {
              combiner.accept((R) left, (R) right);
              return left;
            });
  }

  /**
   * Count, sum, least and greatest at once.
   *
   * @return all of them
   */
  public IntSummaryStatistics summaryStatistics() {
    return collect(
        IntSummaryStatistics::new, IntSummaryStatistics::accept, IntSummaryStatistics::combine);
  }

  /**
   * The least elements.
   *
   * @param count how many at most
   * @return they, from the least up
   */
  public int[] least(int count) {
    return toInts(mapToLong(x -> x).least(count));
  }

  /**
   * The greatest elements.
   *
   * @param count how many at most
   * @return they, from the greatest down
   */
  public int[] greatest(int count) {
    return toInts(mapToLong(x -> x).greatest(count));
  }

  private static int[] toInts(long[] all) {
    int[] ints = new int[all.length];
    Arrays.setAll(ints, i -> (int) all[i]);
    return ints;
  }

  /**
   * How often each number comes.
   *
   * {@snippet :
   * long[] people = Parallel.iter(ages).histogram(120);
   * }
   *
   * @param bins the end of the numbers, which begin with 0
   * @return a count per number
   * @throws IndexOutOfBoundsException for a number outside
   * @throws IllegalArgumentException for a negative number of bins
   */
  public long[] histogram(int bins) {
    checkCount(bins);
    return collect(
        () -> new long[bins],
        (counts, x) -> counts[x]++,
        (counts, more) -> Arrays.setAll(counts, i -> counts[i] + more[i]));
  }

  /** The elements as objects. */
  public Iter<Integer> boxed() {
    return mapToObj(Integer::valueOf);
  }

  /**
   * A sequential stream of all elements; the pipeline runs at once.
   *
   * @return the elements in order
   */
  public IntStream stream() {
    return IntStream.of(toArray());
  }
}
