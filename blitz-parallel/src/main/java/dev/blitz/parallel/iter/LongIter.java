package dev.blitz.parallel.iter;

import dev.blitz.parallel.internal.sort.LongSort;
import dev.blitz.parallel.internal.spin.Cell;
import dev.blitz.parallel.internal.spin.Ends;
import dev.blitz.parallel.internal.spin.Form;
import dev.blitz.parallel.internal.spin.Kind;
import dev.blitz.parallel.internal.spin.LongLeast;
import dev.blitz.parallel.internal.spin.Op;
import dev.blitz.parallel.internal.spin.Pipe;
import dev.blitz.parallel.internal.spin.Scan;
import dev.blitz.parallel.internal.spin.Source;
import dev.blitz.parallel.internal.spin.Where;
import java.util.Arrays;
import java.util.LongSummaryStatistics;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.LongBinaryOperator;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongToIntFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A parallel pipeline of {@code long}s; nothing is boxed.
 *
 * {@snippet :
 * long sum = Parallel.iter(longs).filter(x -> x > 0).sum();
 * }
 */
public final class LongIter extends BaseIter<LongIter> {
  /** The array of a pipeline that is nothing else, if there is one. */
  private final long @Nullable [] bare;

  LongIter(Pipe pipe, Where where) {
    super(pipe, where);
    this.bare = null;
  }

  private LongIter(long[] array) {
    super(anywhere());
    this.bare = Objects.requireNonNull(array, "array");
  }

  @Override
  Pipe makePipe() {
    return Pipe.of(source(Objects.requireNonNull(bare)));
  }

  /** The whole source, if all there is to do is to go through a short array here. */
  private long @Nullable [] few() {
    return isFew(bare == null ? Integer.MAX_VALUE : bare.length) ? bare : null;
  }

  /** The same if it is a part of an array. */
  private @Nullable Source fewOf() {
    Source source = bare == null ? pipe().bareSource() : null;
    return source != null && source.form() == Source.Form.LONGS && isFewHere(source.size())
        ? source
        : null;
  }

  @Override
  LongIter make(Pipe changed, Where there) {
    return new LongIter(changed, there);
  }

  /** Over an array. */
  public static LongIter of(long[] array) {
    return new LongIter(array);
  }

  /**
   * Over a range of an array.
   *
   * @param array the source
   * @param from the first index
   * @param to the end
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static LongIter of(long[] array, int from, int to) {
    Objects.checkFromToIndex(from, to, array.length);
    Where there = anywhere();
    return new LongIter(Pipe.of(source(array).slice(from, to)), there);
  }

  /**
   * Over what a stream yields; it is run at once.
   *
   * @param stream the source
   */
  public static LongIter from(LongStream stream) {
    return of(stream.toArray());
  }

  private static Source source(long[] array) {
    return new Source(Source.Form.LONGS, array, 0, 1, array.length);
  }

  /**
   * Over the numbers of a range.
   *
   * @param from the first
   * @param to the end, at most 2<sup>63</sup> - 1 above {@code from}
   * @return a pipeline, empty if {@code to} is not above {@code from}
   * @throws IllegalArgumentException for a longer range
   */
  public static LongIter range(long from, long to) {
    Where there = anywhere();
    long size = from >= to ? 0 : to - from;
    if (size < 0) {
      throw new IllegalArgumentException("more than 2^63 - 1 numbers: " + from + " to " + to);
    }
    return new LongIter(
        Pipe.of(new Source(Source.Form.LONG_RANGE, LongIter.class, from, 1, size)), there);
  }

  /**
   * Over the numbers of a range, both ends included.
   *
   * @param from the first
   * @param last the last, at most 2<sup>63</sup> - 2 above {@code from}
   * @return a pipeline, empty if {@code last} is below {@code from}
   * @throws IllegalArgumentException for a longer range
   */
  public static LongIter rangeClosed(long from, long last) {
    Where there = anywhere();
    long size = from > last ? 0 : last - from + 1;
    if (size < 0 || (size == 0 && from <= last)) {
      throw new IllegalArgumentException("more than 2^63 - 1 numbers: " + from + " to " + last);
    }
    return new LongIter(
        Pipe.of(new Source(Source.Form.LONG_RANGE, LongIter.class, from, 1, size)), there);
  }

  /**
   * Each element made another.
   *
   * @param function from number to number
   */
  public LongIter map(LongUnaryOperator function) {
    return make(pipe().then(Op.MAP_LL, Kind.LONG, function));
  }

  /**
   * Each element made an {@code int}.
   *
   * @param function from number to number
   */
  public IntIter mapToInt(LongToIntFunction function) {
    return new IntIter(pipe().then(Op.MAP_LI, Kind.INT, function), where);
  }

  /**
   * Each element made a {@code double}.
   *
   * @param function from number to number
   */
  public DoubleIter mapToDouble(LongToDoubleFunction function) {
    return new DoubleIter(pipe().then(Op.MAP_LD, Kind.DOUBLE, function), where);
  }

  /**
   * Each element made an object.
   *
   * @param <R> the objects
   * @param function from number to object
   */
  public <R> Iter<R> mapToObj(LongFunction<? extends R> function) {
    return new Iter<>(pipe().then(Op.MAP_LR, Kind.REF, function), where);
  }

  /**
   * Only what passes.
   *
   * @param predicate true: it stays
   */
  public LongIter filter(LongPredicate predicate) {
    return make(pipe().then(Op.FILTER_L, Kind.LONG, predicate));
  }

  /**
   * All elements of a pipeline for each element.
   *
   * @param function makes the pipelines; it is run by the worker that has the element
   */
  public LongIter flatMap(LongFunction<LongIter> function) {
    return make(pipe().thenFlat(Kind.LONG, function, (bits, ref) -> function.apply(bits).pipe()));
  }

  /**
   * Each element combined with the one of the same index in an array, as far as both go.
   *
   * @param others the second
   * @param function combines two
   */
  public LongIter zip(long[] others, LongBinaryOperator function) {
    return make(pipe().zip(source(others), function));
  }

  /**
   * All elements before the first that fails.
   *
   * @param predicate false ends it
   */
  public LongIter takeWhile(LongPredicate predicate) {
    return make(pipe().takeWhile(predicate));
  }

  /**
   * The first element that fails, and all after it. Functions before may be called twice for some.
   *
   * @param predicate false ends what is left out; it may be asked about elements after that one
   */
  public LongIter dropWhile(LongPredicate predicate) {
    return make(pipe().dropWhile(predicate));
  }

  /** From the least to the greatest. */
  public LongIter sorted() {
    return make(
        Pipe.defer(
            Kind.LONG,
            there -> {
              long[] all = (long[]) Ends.toArray(pipe(), there);
              there.run(all.length, () -> LongSort.sort(all, 0, all.length));
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
  public LongIter scan(LongBinaryOperator combiner) {
    Objects.requireNonNull(combiner, "combiner");
    return make(
        Pipe.defer(Kind.LONG, there -> Pipe.of(source(Scan.longs(pipe(), there, combiner)))));
  }

  /**
   * The sum, modulo 2<sup>64</sup>.
   *
   * @return 0 of no elements
   */
  public long sum() {
    long[] few = few();
    return few != null ? Few.sum(few, 0, few.length) : sumAll();
  }

  private long sumAll() {
    Source few = fewOf();
    if (few != null) {
      int from = (int) few.base();
      return Few.sum((long[]) few.data(), from, from + (int) few.size());
    }
    return Ends.reduce(pipe(), where, Form.SUM, null).bits();
  }

  /**
   * The mean.
   *
   * @return none of no elements
   */
  public OptionalDouble average() {
    LongSummaryStatistics all = summaryStatistics();
    return all.getCount() == 0 ? OptionalDouble.empty() : OptionalDouble.of(all.getAverage());
  }

  private static OptionalLong optional(Cell cell) {
    return cell.isPresent() ? OptionalLong.of(cell.bits()) : OptionalLong.empty();
  }

  /**
   * The least element.
   *
   * @return none of no elements
   */
  public OptionalLong min() {
    long[] few = few();
    if (few != null && few.length > 0) {
      return OptionalLong.of(Few.min(few));
    }
    return optional(Ends.reduce(pipe(), where, Form.MIN, null));
  }

  /**
   * The greatest element.
   *
   * @return none of no elements
   */
  public OptionalLong max() {
    long[] few = few();
    if (few != null && few.length > 0) {
      return OptionalLong.of(Few.max(few));
    }
    return optional(Ends.reduce(pipe(), where, Form.MAX, null));
  }

  /**
   * The element with the least key, the first of several.
   *
   * @param key asked for once per element
   * @return none of no elements
   */
  public OptionalLong minBy(LongUnaryOperator key) {
    Objects.requireNonNull(key, "key");
    return optional(Ends.reduce(pipe(), where, Form.MIN_BY, key));
  }

  /**
   * The element with the greatest key, the first of several.
   *
   * @param key asked for once per element
   * @return none of no elements
   */
  public OptionalLong maxBy(LongUnaryOperator key) {
    Objects.requireNonNull(key, "key");
    return optional(Ends.reduce(pipe(), where, Form.MAX_BY, key));
  }

  /**
   * Combines all elements in order.
   *
   * @param combiner associative
   * @return the result; none of no elements
   */
  public OptionalLong reduce(LongBinaryOperator combiner) {
    Objects.requireNonNull(combiner, "combiner");
    return optional(Ends.reduce(pipe(), where, Form.REDUCE, combiner));
  }

  /**
   * Combines all elements in order.
   *
   * @param empty the result of no elements, which changes nothing when combined
   * @param combiner associative
   */
  public long reduce(long empty, LongBinaryOperator combiner) {
    OptionalLong all = reduce(combiner);
    if (all.isEmpty()) {
      return empty;
    }
    return where.isHere()
        ? combiner.applyAsLong(empty, all.getAsLong())
        : where.call(() -> combiner.applyAsLong(empty, all.getAsLong()));
  }

  /**
   * Whether some element passes; the others are then left.
   *
   * @return false of no elements
   */
  public boolean anyMatch(LongPredicate predicate) {
    return filter(predicate).findsAny();
  }

  /**
   * Whether all elements pass; after the first that fails the others are left.
   *
   * @return true of no elements
   */
  public boolean allMatch(LongPredicate predicate) {
    return !make(pipe().then(Op.REJECT_L, Kind.LONG, predicate)).findsAny();
  }

  /**
   * Whether no element passes.
   *
   * @return true of no elements
   */
  public boolean noneMatch(LongPredicate predicate) {
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
  public OptionalLong findFirst() {
    return optional(Ends.first(pipe(), where, false));
  }

  /**
   * Whichever element is found first.
   *
   * @return none of no elements
   */
  public OptionalLong findAny() {
    return optional(Ends.first(pipe(), where, true));
  }

  /**
   * The last element.
   *
   * @return none of no elements
   */
  public OptionalLong findLast() {
    return optional(Ends.first(pipe().fromTheEnd(), where, false));
  }

  /**
   * Where the first element is that passes.
   *
   * @return its index, or -1
   */
  public long position(LongPredicate predicate) {
    return place(predicate, false);
  }

  /**
   * Where some element is that passes, whichever is found first.
   *
   * @return its index, or -1
   */
  public long positionAny(LongPredicate predicate) {
    return place(predicate, true);
  }

  /**
   * Where the last element is that passes.
   *
   * @return its index, or -1
   */
  public long rposition(LongPredicate predicate) {
    Pipe all = indexed();
    Pipe search = all.reversed().then(Op.FILTER_L, Kind.LONG, predicate);
    return Ends.lastPlace(all, Ends.first(search, where, false));
  }

  private long place(LongPredicate predicate, boolean any) {
    Cell cell = Ends.first(indexed().then(Op.FILTER_L, Kind.LONG, predicate), where, any);
    return cell.isPresent() ? cell.index() : -1;
  }

  /**
   * Hands each element to a consumer, in no order.
   *
   * @param consumer called by several threads at once
   */
  public void forEach(LongConsumer consumer) {
    Objects.requireNonNull(consumer, "consumer");
    Ends.each(pipe(), where, consumer);
  }

  /**
   * All elements in order.
   *
   * @return a new array
   */
  public long[] toArray() {
    return (long[]) Ends.toArray(pipe(), where);
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
  public int into(long[] array) {
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
      Supplier<R> container, ObjLongConsumer<R> accumulator, BiConsumer<R, R> combiner) {
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
  public LongSummaryStatistics summaryStatistics() {
    return collect(
        LongSummaryStatistics::new, LongSummaryStatistics::accept, LongSummaryStatistics::combine);
  }

  /**
   * The least elements.
   *
   * @param count how many at most
   * @return they, from the least up
   */
  public long[] least(int count) {
    checkCount(count);
    if (count == 0) {
      return new long[0];
    }
    if (count > MOST_KEPT) {
      return sorted().limit(count).toArray();
    }
    return collect(() -> new LongLeast(count), LongLeast::add, LongLeast::addAll).toArray();
  }

  /**
   * The greatest elements.
   *
   * @param count how many at most
   * @return they, from the greatest down
   */
  public long[] greatest(int count) {
    // The complement turns the order round.
    long[] all = map(x -> ~x).least(count);
    Arrays.setAll(all, i -> ~all[i]);
    return all;
  }

  /** The elements as objects. */
  public Iter<Long> boxed() {
    return mapToObj(Long::valueOf);
  }

  /**
   * A sequential stream of all elements; the pipeline runs at once.
   *
   * @return the elements in order
   */
  public LongStream stream() {
    return LongStream.of(toArray());
  }
}
