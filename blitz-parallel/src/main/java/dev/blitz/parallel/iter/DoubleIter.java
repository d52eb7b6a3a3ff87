package dev.blitz.parallel.iter;

import dev.blitz.parallel.internal.sort.DoubleSort;
import dev.blitz.parallel.internal.spin.Cell;
import dev.blitz.parallel.internal.spin.DoubleChunks;
import dev.blitz.parallel.internal.spin.Ends;
import dev.blitz.parallel.internal.spin.Form;
import dev.blitz.parallel.internal.spin.Kind;
import dev.blitz.parallel.internal.spin.Op;
import dev.blitz.parallel.internal.spin.Pipe;
import dev.blitz.parallel.internal.spin.Scan;
import dev.blitz.parallel.internal.spin.Source;
import dev.blitz.parallel.internal.spin.Where;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleFunction;
import java.util.function.DoublePredicate;
import java.util.function.DoubleToIntFunction;
import java.util.function.DoubleToLongFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ObjDoubleConsumer;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * A parallel pipeline of {@code double}s; nothing is boxed.
 *
 * {@snippet :
 * double dot = Parallel.iter(xs).zip(ys, (x, y) -> x * y).sum();
 * }
 */
public final class DoubleIter extends BaseIter<DoubleIter> {
  /** The array of a pipeline that is nothing else, if there is one. */
  private final double @Nullable [] bare;

  DoubleIter(Pipe pipe, Where where) {
    super(pipe, where);
    this.bare = null;
  }

  private DoubleIter(double[] array) {
    super(anywhere());
    this.bare = Objects.requireNonNull(array, "array");
  }

  @Override
  Pipe makePipe() {
    return Pipe.of(source(Objects.requireNonNull(bare)));
  }

  /** The whole source, if all there is to do is to go through a short array here. */
  private double @Nullable [] few() {
    return isFew(bare == null ? Integer.MAX_VALUE : bare.length) ? bare : null;
  }

  /** The same if it is a part of an array. */
  private @Nullable Source fewOf() {
    Source source = bare == null ? pipe().bareSource() : null;
    return source != null && source.form() == Source.Form.DOUBLES && isFewHere(source.size())
        ? source
        : null;
  }

  @Override
  DoubleIter make(Pipe changed, Where there) {
    return new DoubleIter(changed, there);
  }

  /** Over an array. */
  public static DoubleIter of(double[] array) {
    return new DoubleIter(array);
  }

  /**
   * Over a range of an array.
   *
   * @param array the source
   * @param from the first index
   * @param to the end
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static DoubleIter of(double[] array, int from, int to) {
    Objects.checkFromToIndex(from, to, array.length);
    Where there = anywhere();
    return new DoubleIter(Pipe.of(source(array).slice(from, to)), there);
  }

  /**
   * Over what a stream yields; it is run at once.
   *
   * @param stream the source
   */
  public static DoubleIter from(DoubleStream stream) {
    return of(stream.toArray());
  }

  private static Source source(double[] array) {
    return new Source(Source.Form.DOUBLES, array, 0, 1, array.length);
  }

  /**
   * Each element made another.
   *
   * @param function from number to number
   */
  public DoubleIter map(DoubleUnaryOperator function) {
    return make(pipe().then(Op.MAP_DD, Kind.DOUBLE, function));
  }

  /**
   * Each element made an {@code int}.
   *
   * @param function from number to number
   */
  public IntIter mapToInt(DoubleToIntFunction function) {
    return new IntIter(pipe().then(Op.MAP_DI, Kind.INT, function), where);
  }

  /**
   * Each element made a {@code long}.
   *
   * @param function from number to number
   */
  public LongIter mapToLong(DoubleToLongFunction function) {
    return new LongIter(pipe().then(Op.MAP_DL, Kind.LONG, function), where);
  }

  /**
   * Each element made an object.
   *
   * @param <R> the objects
   * @param function from number to object
   */
  public <R> Iter<R> mapToObj(DoubleFunction<? extends R> function) {
    return new Iter<>(pipe().then(Op.MAP_DR, Kind.REF, function), where);
  }

  /**
   * Only what passes.
   *
   * @param predicate true: it stays
   */
  public DoubleIter filter(DoublePredicate predicate) {
    return make(pipe().then(Op.FILTER_D, Kind.DOUBLE, predicate));
  }

  /**
   * All elements of a pipeline for each element.
   *
   * @param function makes the pipelines; it is run by the worker that has the element
   */
  public DoubleIter flatMap(DoubleFunction<DoubleIter> function) {
    return make(
        pipe()
            .thenFlat(
                Kind.DOUBLE,
                function,
                (bits, ref) -> function.apply(Double.longBitsToDouble(bits)).pipe()));
  }

  /**
   * Each element combined with the one of the same index in an array, as far as both go.
   *
   * @param others the second
   * @param function combines two
   */
  public DoubleIter zip(double[] others, DoubleBinaryOperator function) {
    return make(pipe().zip(source(others), function));
  }

  /**
   * All elements before the first that fails.
   *
   * @param predicate false ends it
   */
  public DoubleIter takeWhile(DoublePredicate predicate) {
    return make(pipe().takeWhile(predicate));
  }

  /**
   * The first element that fails, and all after it. Functions before may be called twice for some.
   *
   * @param predicate false ends what is left out; it may be asked about elements after that one
   */
  public DoubleIter dropWhile(DoublePredicate predicate) {
    return make(pipe().dropWhile(predicate));
  }

  /** From the least to the greatest. */
  public DoubleIter sorted() {
    return make(
        Pipe.defer(
            Kind.DOUBLE,
            there -> {
              double[] all = (double[]) Ends.toArray(pipe(), there);
              there.run(all.length, () -> DoubleSort.sort(all, 0, all.length));
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
  public DoubleIter scan(DoubleBinaryOperator combiner) {
    Objects.requireNonNull(combiner, "combiner");
    return make(
        Pipe.defer(Kind.DOUBLE, there -> Pipe.of(source(Scan.doubles(pipe(), there, combiner)))));
  }

  /**
   * The sum: the same bits for any number of workers. More exact than adding one after the other.
   *
   * @return 0 of no elements
   */
  public double sum() {
    double[] few = few();
    return few != null ? Few.sum(few, 0, few.length) : sumAll();
  }

  private double sumAll() {
    Source few = fewOf();
    if (few != null) {
      int from = (int) few.base();
      return Few.sum((double[]) few.data(), from, from + (int) few.size());
    }
    return DoubleChunks.sum(pipe(), where, false);
  }

  /**
   * The sum with what rounding loses added up on its own (Neumaier): nearly as if it had been
   * computed with twice the digits, for some more time.
   *
   * @return 0 of no elements
   */
  public double sumCompensated() {
    return DoubleChunks.sum(pipe(), where, true);
  }

  /**
   * The mean.
   *
   * @return none of no elements
   */
  public OptionalDouble average() {
    Pipe once = indexed();
    long count = Ends.count(once, where);
    double sum = DoubleChunks.sum(once, where, false);
    return count == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / count);
  }

  private static OptionalDouble optional(Cell cell) {
    return cell.isPresent() ? OptionalDouble.of(cell.asDouble()) : OptionalDouble.empty();
  }

  /**
   * The least element, by {@link Math#min}: NaN if there is one.
   *
   * @return none of no elements
   */
  public OptionalDouble min() {
    double[] few = few();
    if (few != null && few.length > 0) {
      return OptionalDouble.of(Few.min(few));
    }
    return optional(Ends.reduce(pipe(), where, Form.MIN, null));
  }

  /**
   * The greatest element, by {@link Math#max}: NaN if there is one.
   *
   * @return none of no elements
   */
  public OptionalDouble max() {
    double[] few = few();
    if (few != null && few.length > 0) {
      return OptionalDouble.of(Few.max(few));
    }
    return optional(Ends.reduce(pipe(), where, Form.MAX, null));
  }

  /**
   * The element with the least key as {@link Double#compare} orders them, the first of several.
   *
   * @param key asked for once per element
   * @return none of no elements
   */
  public OptionalDouble minBy(DoubleUnaryOperator key) {
    Objects.requireNonNull(key, "key");
    return optional(Ends.reduce(pipe(), where, Form.MIN_BY, key));
  }

  /**
   * The element with the greatest key as {@link Double#compare} orders them, the first of several.
   *
   * @param key asked for once per element
   * @return none of no elements
   */
  public OptionalDouble maxBy(DoubleUnaryOperator key) {
    Objects.requireNonNull(key, "key");
    return optional(Ends.reduce(pipe(), where, Form.MAX_BY, key));
  }

  /**
   * Combines all elements in order.
   *
   * @param combiner associative
   * @return the result; none of no elements
   */
  public OptionalDouble reduce(DoubleBinaryOperator combiner) {
    Objects.requireNonNull(combiner, "combiner");
    return optional(Ends.reduce(pipe(), where, Form.REDUCE, combiner));
  }

  /**
   * Combines all elements in order.
   *
   * @param empty the result of no elements, which changes nothing when combined
   * @param combiner associative
   */
  public double reduce(double empty, DoubleBinaryOperator combiner) {
    OptionalDouble all = reduce(combiner);
    if (all.isEmpty()) {
      return empty;
    }
    return where.isHere()
        ? combiner.applyAsDouble(empty, all.getAsDouble())
        : where.call(() -> combiner.applyAsDouble(empty, all.getAsDouble()));
  }

  /**
   * Whether some element passes; the others are then left.
   *
   * @return false of no elements
   */
  public boolean anyMatch(DoublePredicate predicate) {
    return filter(predicate).findsAny();
  }

  /**
   * Whether all elements pass; after the first that fails the others are left.
   *
   * @return true of no elements
   */
  public boolean allMatch(DoublePredicate predicate) {
    return !make(pipe().then(Op.REJECT_D, Kind.DOUBLE, predicate)).findsAny();
  }

  /**
   * Whether no element passes.
   *
   * @return true of no elements
   */
  public boolean noneMatch(DoublePredicate predicate) {
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
  public OptionalDouble findFirst() {
    return optional(Ends.first(pipe(), where, false));
  }

  /**
   * Whichever element is found first.
   *
   * @return none of no elements
   */
  public OptionalDouble findAny() {
    return optional(Ends.first(pipe(), where, true));
  }

  /**
   * The last element.
   *
   * @return none of no elements
   */
  public OptionalDouble findLast() {
    return optional(Ends.first(pipe().fromTheEnd(), where, false));
  }

  /**
   * Where the first element is that passes.
   *
   * @return its index, or -1
   */
  public long position(DoublePredicate predicate) {
    return place(predicate, false);
  }

  /**
   * Where some element is that passes, whichever is found first.
   *
   * @return its index, or -1
   */
  public long positionAny(DoublePredicate predicate) {
    return place(predicate, true);
  }

  /**
   * Where the last element is that passes.
   *
   * @return its index, or -1
   */
  public long rposition(DoublePredicate predicate) {
    Pipe all = indexed();
    Pipe search = all.reversed().then(Op.FILTER_D, Kind.DOUBLE, predicate);
    return Ends.lastPlace(all, Ends.first(search, where, false));
  }

  private long place(DoublePredicate predicate, boolean any) {
    Cell cell = Ends.first(indexed().then(Op.FILTER_D, Kind.DOUBLE, predicate), where, any);
    return cell.isPresent() ? cell.index() : -1;
  }

  /**
   * Hands each element to a consumer, in no order.
   *
   * @param consumer called by several threads at once
   */
  public void forEach(DoubleConsumer consumer) {
    Objects.requireNonNull(consumer, "consumer");
    Ends.each(pipe(), where, consumer);
  }

  /**
   * All elements in order.
   *
   * @return a new array
   */
  public double[] toArray() {
    return (double[]) Ends.toArray(pipe(), where);
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
  public int into(double[] array) {
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
      Supplier<R> container, ObjDoubleConsumer<R> accumulator, BiConsumer<R, R> combiner) {
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
  public DoubleSummaryStatistics summaryStatistics() {
    return collect(
        DoubleSummaryStatistics::new,
        DoubleSummaryStatistics::accept,
        DoubleSummaryStatistics::combine);
  }

  /**
   * The least elements, as {@link Double#compare} orders them.
   *
   * @param count how many at most
   * @return they, from the least up
   */
  public double[] least(int count) {
    return toDoubles(mapToLong(DoubleIter::key).least(count));
  }

  /**
   * The greatest elements, as {@link Double#compare} orders them.
   *
   * @param count how many at most
   * @return they, from the greatest down
   */
  public double[] greatest(int count) {
    return toDoubles(mapToLong(DoubleIter::key).greatest(count));
  }

  /** All NaNs are one, the greatest. */
  private static long key(double x) {
    return DoubleSort.key(Double.isNaN(x) ? Double.NaN : x);
  }

  private static double[] toDoubles(long[] keys) {
    double[] all = new double[keys.length];
    Arrays.setAll(all, i -> DoubleSort.value(keys[i]));
    return all;
  }

  /** The elements as objects. */
  public Iter<Double> boxed() {
    return mapToObj(Double::valueOf);
  }

  /**
   * A sequential stream of all elements; the pipeline runs at once.
   *
   * @return the elements in order
   */
  public DoubleStream stream() {
    return DoubleStream.of(toArray());
  }
}
