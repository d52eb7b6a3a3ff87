package dev.blitz.parallel.iter;

import dev.blitz.parallel.internal.Throwing;
import dev.blitz.parallel.internal.sort.ObjectSort;
import dev.blitz.parallel.internal.spin.Cell;
import dev.blitz.parallel.internal.spin.Counting;
import dev.blitz.parallel.internal.spin.Ends;
import dev.blitz.parallel.internal.spin.Form;
import dev.blitz.parallel.internal.spin.Kind;
import dev.blitz.parallel.internal.spin.ObjectLeast;
import dev.blitz.parallel.internal.spin.Op;
import dev.blitz.parallel.internal.spin.Pipe;
import dev.blitz.parallel.internal.spin.Source;
import dev.blitz.parallel.internal.spin.Where;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A parallel pipeline of objects.
 *
 * {@snippet :
 * Optional<Order> first = Parallel.iter(orders).filter(Order::overdue).findFirst();
 * Map<City, List<Person>> byCity = Parallel.iter(people).collect(groupingBy(Person::city));
 * }
 *
 * @param <T> the elements; null is one like others, but no end that yields an {@link Optional} can
 *     yield it
 */
@SuppressWarnings("unchecked") // inside a pipeline elements are objects
public final class Iter<T> extends BaseIter<Iter<T>> {
  Iter(Pipe pipe, Where where) {
    super(pipe, where);
  }

  @Override
  Iter<T> make(Pipe changed, Where there) {
    return new Iter<>(changed, there);
  }

  private static <T> Iter<T> over(Object[] array) {
    Where there = anywhere();
    return new Iter<>(Pipe.of(new Source(Source.Form.OBJECTS, array, 0, 1, array.length)), there);
  }

  /**
   * Over an array.
   *
   * @param <T> its elements
   * @param array the source
   * @return a pipeline
   */
  public static <T> Iter<T> of(T[] array) {
    return over(array);
  }

  /**
   * Over a range of an array.
   *
   * @param <T> its elements
   * @param array the source
   * @param from the first index
   * @param to the end
   * @return a pipeline
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static <T> Iter<T> of(T[] array, int from, int to) {
    Objects.checkFromToIndex(from, to, array.length);
    Where there = anywhere();
    return new Iter<>(Pipe.of(new Source(Source.Form.OBJECTS, array, from, 1, to - from)), there);
  }

  /**
   * Over a list; one without random access is copied.
   *
   * @param <T> its elements
   * @param list the source
   * @return a pipeline
   */
  public static <T> Iter<T> of(List<? extends T> list) {
    Where there = anywhere();
    return list instanceof RandomAccess
        ? new Iter<>(Pipe.of(new Source(Source.Form.LIST, list, 0, 1, list.size())), there)
        : over(list.toArray());
  }

  /**
   * Over what a spliterator yields; it is read at once.
   *
   * @param <T> its elements
   * @param elements the source
   * @return a pipeline
   */
  public static <T> Iter<T> from(Spliterator<? extends T> elements) {
    return over(StreamSupport.stream(elements, false).toArray());
  }

  /**
   * Over what a stream yields; it is run at once.
   *
   * @param <T> its elements
   * @param stream the source
   * @return a pipeline
   */
  public static <T> Iter<T> from(Stream<? extends T> stream) {
    return over(stream.toArray());
  }

  /**
   * Each element made another.
   *
   * @param <R> the others
   * @param function from one to the other
   * @return the longer pipeline
   */
  public <R> Iter<R> map(Function<? super T, ? extends R> function) {
    return new Iter<>(pipe().then(Op.MAP_RR, Kind.REF, function), where);
  }

  /**
   * Each element made an {@code int}.
   *
   * @param function from element to number
   * @return the longer pipeline
   */
  public IntIter mapToInt(ToIntFunction<? super T> function) {
    return new IntIter(pipe().then(Op.MAP_RI, Kind.INT, function), where);
  }

  /**
   * Each element made a {@code long}.
   *
   * @param function from element to number
   * @return the longer pipeline
   */
  public LongIter mapToLong(ToLongFunction<? super T> function) {
    return new LongIter(pipe().then(Op.MAP_RL, Kind.LONG, function), where);
  }

  /**
   * Each element made a {@code double}.
   *
   * @param function from element to number
   * @return the longer pipeline
   */
  public DoubleIter mapToDouble(ToDoubleFunction<? super T> function) {
    return new DoubleIter(pipe().then(Op.MAP_RD, Kind.DOUBLE, function), where);
  }

  /**
   * Only what passes.
   *
   * @param predicate true: it stays
   * @return the longer pipeline
   */
  public Iter<T> filter(Predicate<? super T> predicate) {
    return make(pipe().then(Op.FILTER_R, Kind.REF, predicate));
  }

  /**
   * All elements of a pipeline for each element.
   *
   * @param <R> their elements
   * @param function makes the pipelines; it is run by the worker that has the element
   * @return the longer pipeline
   */
  public <R> Iter<R> flatMap(Function<? super T, ? extends Iter<? extends R>> function) {
    return new Iter<>(flat(function, Kind.REF), where);
  }

  /**
   * All elements of a pipeline of ints for each element.
   *
   * @param function makes the pipelines
   * @return the longer pipeline
   */
  public IntIter flatMapToInt(Function<? super T, IntIter> function) {
    return new IntIter(flat(function, Kind.INT), where);
  }

  /**
   * All elements of a pipeline of longs for each element.
   *
   * {@snippet :
   * long sum = Parallel.iter(rows).flatMapToLong(Parallel::iter).sum(); // rows is a long[][]
   * }
   *
   * @param function makes the pipelines
   * @return the longer pipeline
   */
  public LongIter flatMapToLong(Function<? super T, LongIter> function) {
    return new LongIter(flat(function, Kind.LONG), where);
  }

  /**
   * All elements of a pipeline of doubles for each element.
   *
   * @param function makes the pipelines
   * @return the longer pipeline
   */
  public DoubleIter flatMapToDouble(Function<? super T, DoubleIter> function) {
    return new DoubleIter(flat(function, Kind.DOUBLE), where);
  }

  private Pipe flat(Function<? super T, ? extends BaseIter<?>> function, Kind out) {
    return pipe().thenFlat(out, function, (bits, ref) -> function.apply((T) ref).pipe());
  }

  /**
   * Each element combined with the one of the same index in a list, as far as both go.
   *
   * @param <U> the others
   * @param <R> the results
   * @param others the second
   * @param function combines two
   * @return the longer pipeline
   */
  public <U, R> Iter<R> zip(
      List<? extends U> others, BiFunction<? super T, ? super U, ? extends R> function) {
    Object[] copied = others instanceof RandomAccess ? null : others.toArray();
    Source second =
        copied == null
            ? new Source(Source.Form.LIST, others, 0, 1, others.size())
            : new Source(Source.Form.OBJECTS, copied, 0, 1, copied.length);
    return new Iter<>(pipe().zip(second, function), where);
  }

  /**
   * An element and its index.
   *
   * @param <T> the element
   * @param index from 0
   * @param value the element
   */
  public record Indexed<T>(long index, T value) {}

  /**
   * Each element with its index; of more than 2<sup>31</sup> - 1 elements the others are left out.
   * (Over primitives, go over the indices: {@code Parallel.range(0, a.length).map(i -> f(i,
   * a[i]))}.)
   *
   * @return the longer pipeline
   */
  public Iter<Indexed<T>> enumerate() {
    return zip(new Counting(), (value, index) -> new Indexed<>(index, value));
  }

  /**
   * All elements before the first that fails.
   *
   * @param predicate false ends it
   * @return the shorter pipeline
   */
  public Iter<T> takeWhile(Predicate<? super T> predicate) {
    return make(pipe().takeWhile(predicate));
  }

  /**
   * The first element that fails, and all after it. Functions before may be called twice for some.
   *
   * @param predicate false ends what is left out; it may be asked about elements after that one
   * @return the shorter pipeline
   */
  public Iter<T> dropWhile(Predicate<? super T> predicate) {
    return make(pipe().dropWhile(predicate));
  }

  /**
   * In the elements' own order; equal elements keep theirs.
   *
   * {@snippet :
   * List<String> words = Parallel.iter(text.split(" ")).distinct().sorted().toList();
   * }
   *
   * @return the sorted pipeline; its end throws {@link ClassCastException} if elements have no
   *     order
   */
  public Iter<T> sorted() {
    return sortedBy(null);
  }

  /**
   * In order; equal elements keep theirs.
   *
   * @param order which
   * @return the sorted pipeline
   */
  public Iter<T> sorted(Comparator<? super T> order) {
    Objects.requireNonNull(order, "order");
    return sortedBy((Comparator<Object>) order);
  }

  private Iter<T> sortedBy(@Nullable Comparator<Object> order) {
    return make(
        Pipe.defer(
            Kind.REF,
            there -> {
              Object[] all = (Object[]) Ends.toArray(pipe(), there);
              there.run(all.length, () -> ObjectSort.sort(all, 0, all.length, order));
              return Pipe.of(new Source(Source.Form.OBJECTS, all, 0, 1, all.length));
            }));
  }

  /**
   * Each element once, in the order in which they first come.
   *
   * @return the shorter pipeline
   */
  public Iter<T> distinct() {
    BiConsumer<Set<Object>, Object> add = Set::add;
    return make(
        Pipe.defer(
            Kind.REF,
            there -> {
              Set<?> seen =
                  (Set<?>)
                      Ends.fold(
                          pipe(),
                          there,
                          LinkedHashSet::new,
                          add,
                          (left, right) -> {
                            ((Set<Object>) left).addAll((Set<Object>) right);
                            return left;
                          });
              Object[] once = seen.toArray();
              return Pipe.of(new Source(Source.Form.OBJECTS, once, 0, 1, once.length));
            }));
  }

  /** To choose by a key is quicker than to reduce by a comparator. */
  private Optional<T> byOwnOrder(Form form) {
    Function<Object, Comparable<?>> key = Iter::comparable;
    return optional(Ends.reduce(pipe(), where, form, key));
  }

  private static Comparable<?> comparable(Object element) {
    return (Comparable<?>) element;
  }

  private static <T> Comparator<T> ownOrder() {
    return (Comparator<T>) Comparator.<Comparable<Object>>naturalOrder();
  }

  /**
   * The least elements in their own order; of equal ones the first.
   *
   * @param count how many at most
   * @return they, from the least up
   * @throws ClassCastException if elements have no order
   */
  public List<T> least(int count) {
    return least(count, ownOrder());
  }

  /**
   * The greatest elements in their own order; of equal ones the first.
   *
   * @param count how many at most
   * @return they, from the greatest down
   * @throws ClassCastException if elements have no order
   */
  public List<T> greatest(int count) {
    return greatest(count, ownOrder());
  }

  /**
   * The least elements; of equal ones the first.
   *
   * @param count how many at most
   * @param order which; null is none of them
   * @return they, from the least up
   */
  public List<T> least(int count, Comparator<? super T> order) {
    checkCount(count);
    Objects.requireNonNull(order, "order");
    if (count == 0) {
      return List.of();
    }
    if (count > MOST_KEPT) {
      return sorted(order).limit(count).toList();
    }
    var erased = (Comparator<Object>) order;
    ObjectLeast all =
        collect(() -> new ObjectLeast(count, erased), ObjectLeast::add, ObjectLeast::addAll);
    return (List<T>) all.toList();
  }

  /**
   * The greatest elements; of equal ones the first.
   *
   * @param count how many at most
   * @param order which
   * @return they, from the greatest down
   */
  public List<T> greatest(int count, Comparator<? super T> order) {
    Objects.requireNonNull(order, "order");
    return least(count, order.reversed());
  }

  private static <T> Optional<T> optional(Cell cell) {
    return cell.isPresent()
        ? Optional.of((T) Objects.requireNonNull(cell.ref()))
        : Optional.empty();
  }

  /**
   * Combines all elements in order.
   *
   * @param combiner associative
   * @return the result; none of no elements
   * @throws NullPointerException if it is null
   */
  public Optional<T> reduce(BinaryOperator<T> combiner) {
    Objects.requireNonNull(combiner, "combiner");
    return optional(Ends.reduce(pipe(), where, Form.REDUCE, combiner));
  }

  /**
   * Combines all elements in order.
   *
   * @param empty the result of no elements, which changes nothing when combined
   * @param combiner associative
   * @return the result
   * @throws NullPointerException if the elements combined are null
   */
  public T reduce(T empty, BinaryOperator<T> combiner) {
    return reduce(combiner).map(all -> where.call(() -> combiner.apply(empty, all))).orElse(empty);
  }

  /**
   * Combines two, and may fail.
   *
   * @param <T> what
   * @param <X> how it fails
   */
  @FunctionalInterface
  public interface TryCombiner<T, X extends Exception> {
    /**
     * Combines two.
     *
     * @param left the left
     * @param right the right
     * @return both
     * @throws X as declared
     */
    T combine(T left, T right) throws X;
  }

  /**
   * Combines all elements in order; the first failure stops the others.
   *
   * @param <X> how it fails
   * @param combiner associative
   * @return the result; none of no elements
   * @throws X as declared
   * @throws NullPointerException if it is null
   */
  public <X extends Exception> Optional<T> tryReduce(TryCombiner<T, X> combiner) throws X {
    Objects.requireNonNull(combiner, "combiner");
    return reduce((left, right) -> {
      try {
        return combiner.combine(left, right);
      } catch (Exception e) {
        throw Throwing.<RuntimeException>sneaky(e);
      }
    });
  }

  /**
   * The least element in their own order, the first of several.
   *
   * {@snippet :
   * Optional<LocalDate> first = Parallel.iter(orders).map(Order::date).min();
   * }
   *
   * @return none of no elements
   * @throws ClassCastException if elements have no order
   * @throws NullPointerException if there is a null
   */
  public Optional<T> min() {
    return byOwnOrder(Form.MIN_BY);
  }

  /**
   * The greatest element in their own order, the first of several.
   *
   * @return none of no elements
   * @throws ClassCastException if elements have no order
   * @throws NullPointerException if there is a null
   */
  public Optional<T> max() {
    return byOwnOrder(Form.MAX_BY);
  }

  /**
   * The least element, the first of several.
   *
   * @param order which
   * @return none of no elements
   * @throws NullPointerException if it is null
   */
  public Optional<T> min(Comparator<? super T> order) {
    Objects.requireNonNull(order, "order");
    return reduce((left, right) -> order.compare(right, left) < 0 ? right : left);
  }

  /**
   * The greatest element, the first of several.
   *
   * @param order which
   * @return none of no elements
   * @throws NullPointerException if it is null
   */
  public Optional<T> max(Comparator<? super T> order) {
    Objects.requireNonNull(order, "order");
    return reduce((left, right) -> order.compare(right, left) > 0 ? right : left);
  }

  /**
   * The element with the least key, the first of several.
   *
   * @param <K> the keys
   * @param key asked for once per element; not null
   * @return none of no elements
   * @throws NullPointerException if it is null
   */
  public <K extends Comparable<? super K>> Optional<T> minBy(Function<? super T, K> key) {
    Objects.requireNonNull(key, "key");
    return optional(Ends.reduce(pipe(), where, Form.MIN_BY, key));
  }

  /**
   * The element with the greatest key, the first of several.
   *
   * @param <K> the keys
   * @param key asked for once per element; not null
   * @return none of no elements
   * @throws NullPointerException if it is null
   */
  public <K extends Comparable<? super K>> Optional<T> maxBy(Function<? super T, K> key) {
    Objects.requireNonNull(key, "key");
    return optional(Ends.reduce(pipe(), where, Form.MAX_BY, key));
  }

  /**
   * Whether some element passes; the others are then left.
   *
   * @param predicate the question
   * @return false of no elements
   */
  public boolean anyMatch(Predicate<? super T> predicate) {
    return filter(predicate).findsAny();
  }

  /**
   * Whether all elements pass; after the first that fails the others are left.
   *
   * @param predicate the question
   * @return true of no elements
   */
  public boolean allMatch(Predicate<? super T> predicate) {
    return !make(pipe().then(Op.REJECT_R, Kind.REF, predicate)).findsAny();
  }

  /**
   * Whether no element passes.
   *
   * @param predicate the question
   * @return true of no elements
   */
  public boolean noneMatch(Predicate<? super T> predicate) {
    return !anyMatch(predicate);
  }

  private boolean findsAny() {
    return Ends.first(pipe(), where, true).isPresent();
  }

  /**
   * The first element.
   *
   * @return none of no elements
   * @throws NullPointerException if it is null
   */
  public Optional<T> findFirst() {
    return optional(Ends.first(pipe(), where, false));
  }

  /**
   * Whichever element is found first.
   *
   * @return none of no elements
   * @throws NullPointerException if it is null
   */
  public Optional<T> findAny() {
    return optional(Ends.first(pipe(), where, true));
  }

  /**
   * The last element.
   *
   * @return none of no elements
   * @throws NullPointerException if it is null
   */
  public Optional<T> findLast() {
    return optional(Ends.first(pipe().fromTheEnd(), where, false));
  }

  /**
   * Where the first element is that passes.
   *
   * @param predicate the question
   * @return its index, or -1
   */
  public long position(Predicate<? super T> predicate) {
    return place(predicate, false);
  }

  /**
   * Where some element is that passes, whichever is found first.
   *
   * @param predicate the question
   * @return its index, or -1
   */
  public long positionAny(Predicate<? super T> predicate) {
    return place(predicate, true);
  }

  /**
   * Where the last element is that passes.
   *
   * @param predicate the question
   * @return its index, or -1
   */
  public long rposition(Predicate<? super T> predicate) {
    Pipe all = indexed();
    Pipe search = all.reversed().then(Op.FILTER_R, Kind.REF, predicate);
    return Ends.lastPlace(all, Ends.first(search, where, false));
  }

  private long place(Predicate<? super T> predicate, boolean any) {
    Cell cell = Ends.first(indexed().then(Op.FILTER_R, Kind.REF, predicate), where, any);
    return cell.isPresent() ? cell.index() : -1;
  }

  /**
   * Hands each element to a consumer, in no order.
   *
   * @param consumer called by several threads at once
   */
  public void forEach(Consumer<? super T> consumer) {
    Objects.requireNonNull(consumer, "consumer");
    Ends.each(pipe(), where, consumer);
  }

  /**
   * Handles an element, and may fail.
   *
   * @param <T> what
   * @param <X> how it fails
   */
  @FunctionalInterface
  public interface TryConsumer<T, X extends Exception> {
    /**
     * Handles one.
     *
     * @param element which
     * @throws X as declared
     */
    void accept(T element) throws X;
  }

  /**
   * Hands each element to a consumer, in no order; the first failure stops the others.
   *
   * @param <X> how it fails
   * @param consumer called by several threads at once
   * @throws X as declared
   */
  public <X extends Exception> void tryForEach(TryConsumer<? super T, X> consumer) throws X {
    Objects.requireNonNull(consumer, "consumer");
    forEach(element -> {
      try {
        consumer.accept(element);
      } catch (Exception e) {
        throw Throwing.<RuntimeException>sneaky(e);
      }
    });
  }

  /**
   * All elements in order.
   *
   * @return a list that cannot be changed
   */
  public List<T> toList() {
    // The array is nobody else's. Nulls are elements, as in streams.
    return (List<T>)
        Collections.unmodifiableList(Arrays.asList((Object[]) Ends.toArray(pipe(), where)));
  }

  /**
   * All elements in order.
   *
   * @return a new array
   */
  public Object[] toArray() {
    return (Object[]) Ends.toArray(pipe(), where);
  }

  /**
   * All elements in order.
   *
   * @param generator makes the array
   * @return an array of that type
   */
  public T[] toArray(IntFunction<T[]> generator) {
    Object[] all = (Object[]) Ends.toArray(pipe(), where);
    T[] array = generator.apply(all.length);
    System.arraycopy(all, 0, array, 0, all.length);
    return array;
  }

  /**
   * All elements in order into an array from index 0. Into its own source it is a map in place:
   * what is read at another index than it is written to, as by windows or in reverse, is read
   * before. Only a function that looks into the array by itself sees some elements changed.
   *
   * @param array long enough; the rest stays as it is
   * @return how many there were
   * @throws IndexOutOfBoundsException if they do not fit; the array is then as it was
   */
  public int into(T[] array) {
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
  public <R> R collect(
      Supplier<R> container, BiConsumer<R, ? super T> accumulator, BiConsumer<R, R> combiner) {
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
   * As {@link Stream#collect(Collector)}: {@code groupingBy}, {@code joining} and all others.
   *
   * @param <A> the containers
   * @param <R> the result
   * @param collector how
   * @return the result
   */
  public <A, R> R collect(Collector<? super T, A, R> collector) {
    Objects.requireNonNull(collector, "collector");
    BinaryOperator<A> combiner = collector.combiner();
    Object all =
        Ends.fold(
            pipe(),
            where,
            collector.supplier(),
            collector.accumulator(),
            (left, right) -> combiner.apply((A) left, (A) right));
    return where.call(() -> collector.finisher().apply((A) all));
  }

  /**
   * Elements in two lists.
   *
   * @param <T> the elements
   * @param passing those that pass
   * @param failing those that do not
   */
  public record Partition<T>(List<T> passing, List<T> failing) {}

  /**
   * Those that pass and those that do not, each in order. Every element is asked once.
   *
   * @param predicate the question
   * @return both
   */
  public Partition<T> partition(Predicate<? super T> predicate) {
    var lists = collect(Collectors.<T>partitioningBy(predicate));
    return new Partition<>(
        Collections.unmodifiableList(Objects.requireNonNull(lists.get(true))),
        Collections.unmodifiableList(Objects.requireNonNull(lists.get(false))));
  }

  /**
   * A sequential stream of all elements; the pipeline runs at once.
   *
   * @return the elements in order
   */
  public Stream<T> stream() {
    return (Stream<T>) Arrays.stream((Object[]) Ends.toArray(pipe(), where));
  }
}
