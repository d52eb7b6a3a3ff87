package dev.blitz.parallel;

import dev.blitz.parallel.internal.FirstUse;
import dev.blitz.parallel.internal.Fork;
import dev.blitz.parallel.internal.ListJoin;
import dev.blitz.parallel.internal.LoopHome;
import dev.blitz.parallel.internal.Loops;
import dev.blitz.parallel.internal.PoolCore;
import dev.blitz.parallel.internal.ScopeCore;
import dev.blitz.parallel.internal.WorkerThread;
import dev.blitz.parallel.iter.DoubleIter;
import dev.blitz.parallel.iter.IntIter;
import dev.blitz.parallel.iter.Iter;
import dev.blitz.parallel.iter.LongIter;
import dev.blitz.parallel.sort.ParallelSort;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.LongBinaryOperator;

/**
 * Parallel computations on the pool of the current worker, or on the common pool when the current
 * thread is no worker.
 *
 * {@snippet :
 * static int fib(int n) {
 *   return n < 2 ? n : Parallel.join(() -> fib(n - 1), () -> fib(n - 2), Integer::sum);
 * }
 * }
 *
 * <p>A join costs a few nanoseconds, so no cut-off needs to be chosen: work is shared only when
 * another worker asks for it.
 *
 * <p>Failures, interrupts and memory consistency are described with the package.
 */
public final class Parallel {
  private Parallel() {}

  /**
   * Where loops run. Asked for before anything else: this class has no initialiser of its own,
   * which its first user could break.
   */
  private static LoopHome anywhere() {
    FirstUse.ofCore();
    return Anywhere.HOME;
  }

  /** A class of its own, so that it is initialised when there is room for it. */
  private static final class Anywhere {
    static final LoopHome HOME = new LoopHome(() -> Pool.common().core(), false);

    private Anywhere() {}
  }

  /**
   * Runs two computations, in parallel if a worker has nothing else to do, and combines their
   * results.
   *
   * {@snippet :
   * int total = Parallel.join(() -> left.size(), () -> right.size(), Integer::sum);
   * }
   *
   * @param <A> the first result
   * @param <B> the second result
   * @param <R> the combined result
   * @param <X> what they throw
   * @param a the first half; runs on the current worker
   * @param b the second half
   * @param combiner makes one result of two
   * @return the combined result
   * @throws X as declared; when both fail, what {@code a} threw with the other suppressed in it
   */
  public static <A, B, R, X extends Exception> R join(
      Work<? extends A, X> a,
      Work<? extends B, X> b,
      BiFunction<? super A, ? super B, ? extends R> combiner)
      throws X {
    if (Thread.currentThread() instanceof WorkerThread worker) {
      return Fork.<A, B, R, X>join(worker, a, b, combiner);
    }
    return Pool.common().<A, B, R, X>join(a, b, combiner);
  }

  /**
   * Runs two actions, in parallel if a worker has nothing else to do.
   *
   * {@snippet :
   * Parallel.join(() -> sort(array, from, middle), () -> sort(array, middle, to));
   * merge(array, from, middle, to);
   * }
   *
   * @param <X> what they throw
   * @param a the first half; runs on the current worker
   * @param b the second half
   * @throws X as declared; when both fail, what {@code a} threw with the other suppressed in it
   */
  public static <X extends Exception> void join(Action<X> a, Action<X> b) throws X {
    if (Thread.currentThread() instanceof WorkerThread worker) {
      Fork.join(worker, a, b);
    } else {
      Pool.common().join(a, b);
    }
  }

  /**
   * Runs two computations, in parallel if a worker has nothing else to do.
   *
   * @param <A> the first result
   * @param <B> the second result
   * @param <X> what they throw
   * @param a the first
   * @param b the second
   * @return both results
   * @throws X as declared; the leftmost failure wins
   */
  public static <A, B, X extends Exception> Both<A, B> join(Work<A, X> a, Work<B, X> b) throws X {
    return Parallel.<A, B, Both<A, B>, X>join(a, b, Both::new);
  }

  /**
   * Runs three computations, in parallel if workers have nothing else to do.
   *
   * {@snippet :
   * var page = Parallel.join(() -> user(id), () -> posts(id), () -> friends(id));
   * render(page.first(), page.second(), page.third());
   * }
   *
   * @param <A> the first result
   * @param <B> the second result
   * @param <C> the third result
   * @param <X> what they throw
   * @param a the first
   * @param b the second
   * @param c the third
   * @return all results
   * @throws X as declared; the leftmost failure wins
   */
  public static <A, B, C, X extends Exception> Three<A, B, C> join(
      Work<A, X> a, Work<B, X> b, Work<C, X> c) throws X {
    return Parallel.<A, Both<B, C>, Three<A, B, C>, X>joinCoarse(
        a,
        () -> Parallel.<B, C, Both<B, C>, X>joinCoarse(b, c, Both::new),
        (x, yz) -> new Three<>(x, yz.first(), yz.second()));
  }

  /**
   * Runs four computations, in parallel if workers have nothing else to do.
   *
   * @param <A> the first result
   * @param <B> the second result
   * @param <C> the third result
   * @param <D> the fourth result
   * @param <X> what they throw
   * @param a the first
   * @param b the second
   * @param c the third
   * @param d the fourth
   * @return all results
   * @throws X as declared; the leftmost failure wins
   */
  public static <A, B, C, D, X extends Exception> Four<A, B, C, D> join(
      Work<A, X> a, Work<B, X> b, Work<C, X> c, Work<D, X> d) throws X {
    return Parallel.<Both<A, B>, Both<C, D>, Four<A, B, C, D>, X>joinCoarse(
        () -> Parallel.<A, B, Both<A, B>, X>joinCoarse(a, b, Both::new),
        () -> Parallel.<C, D, Both<C, D>, X>joinCoarse(c, d, Both::new),
        (ab, cd) -> new Four<>(ab.first(), ab.second(), cd.first(), cd.second()));
  }

  /** Few computations, which may be long: each is visible to other workers at once. */
  private static <A, B, R, X extends Exception> R joinCoarse(
      Work<? extends A, X> a,
      Work<? extends B, X> b,
      BiFunction<? super A, ? super B, ? extends R> combiner)
      throws X {
    if (Thread.currentThread() instanceof WorkerThread worker) {
      return Fork.<A, B, R, X>joinCoarse(worker, a, b, combiner);
    }
    return Pool.common().call(() -> Parallel.<A, B, R, X>joinCoarse(a, b, combiner));
  }

  /**
   * {@link #join(Work, Work, BiFunction)} for {@code int}, without boxing.
   *
   * {@snippet :
   * int deepest = Parallel.joinInt(() -> depth(left), () -> depth(right), Math::max);
   * }
   *
   * @param <X> what they throw
   * @param a the first half; runs on the current worker
   * @param b the second half
   * @param combiner makes one result of two
   * @return the combined result
   * @throws X as declared; the leftmost failure wins
   */
  public static <X extends Exception> int joinInt(
      IntWork<X> a, IntWork<X> b, IntBinaryOperator combiner) throws X {
    if (Thread.currentThread() instanceof WorkerThread worker) {
      return Fork.joinInt(worker, a, b, combiner);
    }
    return Pool.common().call(() -> joinInt(a, b, combiner));
  }

  /**
   * {@link #join(Work, Work, BiFunction)} for {@code long}, without boxing.
   *
   * @param <X> what they throw
   * @param a the first half; runs on the current worker
   * @param b the second half
   * @param combiner makes one result of two
   * @return the combined result
   * @throws X as declared; the leftmost failure wins
   */
  public static <X extends Exception> long joinLong(
      LongWork<X> a, LongWork<X> b, LongBinaryOperator combiner) throws X {
    if (Thread.currentThread() instanceof WorkerThread worker) {
      return Fork.joinLong(worker, a, b, combiner);
    }
    return Pool.common().call(() -> joinLong(a, b, combiner));
  }

  /**
   * {@link #join(Work, Work, BiFunction)} for {@code double}, without boxing.
   *
   * @param <X> what they throw
   * @param a the first half; runs on the current worker
   * @param b the second half
   * @param combiner makes one result of two
   * @return the combined result
   * @throws X as declared; the leftmost failure wins
   */
  public static <X extends Exception> double joinDouble(
      DoubleWork<X> a, DoubleWork<X> b, DoubleBinaryOperator combiner) throws X {
    if (Thread.currentThread() instanceof WorkerThread worker) {
      return Fork.joinDouble(worker, a, b, combiner);
    }
    return Pool.common().call(() -> joinDouble(a, b, combiner));
  }

  /**
   * Runs any number of computations and waits for all of them, whatever fails.
   *
   * {@snippet :
   * List<Work<Report, IOException>> work = new ArrayList<>();
   * for (Path file : files) {
   *   work.add(() -> analyse(file));
   * }
   * List<Report> reports = Parallel.tryJoin(work); // throws IOException, after all have ended
   * }
   *
   * @param <T> their results
   * @param <X> what they throw
   * @param all the computations
   * @return the results in the same order
   * @throws X the leftmost failure, with all others suppressed in it
   */
  public static <T, X extends Exception> List<T> tryJoin(List<? extends Work<? extends T, X>> all)
      throws X {
    if (!(Thread.currentThread() instanceof WorkerThread worker)) {
      return Pool.common().call(() -> Parallel.<T, X>tryJoin(all));
    }
    return new ListJoin<T, X>(all).run(worker);
  }

  /**
   * Opens a scope, runs its body in it, and waits for every job that was spawned into it.
   *
   * {@snippet :
   * Parallel.scope(scope -> {
   *   for (Node root : graph.roots()) {
   *     scope.spawn(() -> visit(scope, root)); // which may spawn further jobs into the scope
   *   }
   * });
   * }
   *
   * @param <X> what the body throws
   * @param body spawns jobs
   * @throws X what the body threw; else what the first job to fail threw, checked exceptions in a
   *     {@link JobFailedException}
   */
  public static <X extends Exception> void scope(Scope.Body<X> body) throws X {
    if (Thread.currentThread() instanceof WorkerThread worker) {
      ScopeCore core = new ScopeCore(worker);
      Scope scope = new Scope(core);
      core.run(() -> body.run(scope));
    } else {
      Pool.common().scope(body);
    }
  }

  /**
   * Runs work exactly once on every worker and waits for all.
   *
   * {@snippet :
   * List<Integer> cleared = Parallel.broadcast(worker -> caches.clear(worker));
   * }
   *
   * @param <T> the result of each
   * @param work is given the worker's index
   * @return the results by index; the failure of the lowest index wins
   */
  public static <T> List<T> broadcast(IntFunction<? extends T> work) {
    return currentCore().broadcast(work);
  }

  /**
   * Handles every index of a range, in parallel on demand.
   *
   * {@snippet :
   * Parallel.parallelFor(0, data.length, i -> data[i] = Math.sqrt(i));
   * }
   *
   * @param <X> what the body throws
   * @param from the first index
   * @param to the end
   * @param body handles one index
   * @throws X as declared; no further block starts once one has failed
   */
  public static <X extends Exception> void parallelFor(int from, int to, IntAction<X> body)
      throws X {
    Loops.forEach(anywhere(), from, to, LoopOptions.DEFAULT, body);
  }

  /**
   * Handles every index of a range, in parallel on demand.
   *
   * {@snippet :
   * var token = CancelToken.create(); // cancelled by somebody else, the loop throws CancellationException
   * Parallel.parallelFor(0, rows, LoopOptions.DEFAULT.withToken(token).withGrain(16), this::render);
   * }
   *
   * @param <X> what the body throws
   * @param from the first index
   * @param to the end
   * @param options how to cut and stop the loop
   * @param body handles one index
   * @throws X as declared; no further block starts once one has failed
   */
  public static <X extends Exception> void parallelFor(
      int from, int to, LoopOptions options, IntAction<X> body) throws X {
    Loops.forEach(anywhere(), from, to, options, body);
  }

  /**
   * Handles a range in runs of neighbouring indices, in parallel on demand.
   *
   * {@snippet :
   * Parallel.parallelForRanges(
   *     0, data.length, LoopOptions.DEFAULT, (from, to) -> Arrays.fill(data, from, to, 1.0));
   * }
   *
   * @param <X> what the body throws
   * @param from the first index
   * @param to the end
   * @param options how to cut and stop the loop
   * @param body handles a run
   * @throws X as declared; no further block starts once one has failed
   */
  public static <X extends Exception> void parallelForRanges(
      int from, int to, LoopOptions options, RangeAction<X> body) throws X {
    Loops.forRanges(anywhere(), from, to, options, body);
  }

  /**
   * Tries indices in parallel until one of them says stop; those under way in other workers still
   * finish their block.
   *
   * {@snippet :
   * boolean found = Parallel.parallelForUntil(0, keys.length, i -> keys[i] == wanted);
   * }
   *
   * @param from the first index
   * @param to the end
   * @param stop true to end the loop
   * @return whether any index said stop
   */
  public static boolean parallelForUntil(int from, int to, IntPredicate stop) {
    return Loops.anyMatch(anywhere(), from, to, LoopOptions.DEFAULT, stop);
  }

  /**
   * Tries indices in parallel until one of them says stop; those under way in other workers still
   * finish their block.
   *
   * @param from the first index
   * @param to the end
   * @param options how to cut and stop the loop
   * @param stop true to end the loop
   * @return whether any index said stop
   */
  public static boolean parallelForUntil(int from, int to, LoopOptions options, IntPredicate stop) {
    return Loops.anyMatch(anywhere(), from, to, options, stop);
  }

  /**
   * Reduces a range in order, in parallel on demand.
   *
   * {@snippet :
   * long sum =
   *     Parallel.parallelReduce(
   *         0,
   *         data.length,
   *         0L,
   *         (from, to) -> {
   *           long part = 0; // a plain loop that the compiler can vectorise
   *           for (int i = from; i < to; i++) {
   *             part += data[i];
   *           }
   *           return part;
   *         },
   *         Long::sum);
   * }
   *
   * @param <T> the result
   * @param <X> what the body throws
   * @param from the first index
   * @param to the end
   * @param empty the result for no index
   * @param body reduces neighbouring indices
   * @param combiner makes one result of two neighbours, left before right; associative
   * @return the result
   * @throws X as declared; no further block starts once one has failed
   */
  public static <T, X extends Exception> T parallelReduce(
      int from, int to, T empty, RangeFunction<? extends T, X> body, BinaryOperator<T> combiner)
      throws X {
    T result = Loops.<T, X>reduce(anywhere(), from, to, LoopOptions.DEFAULT, body, combiner);
    return result == null ? empty : result;
  }

  /**
   * Reduces a range in order, in parallel on demand.
   *
   * @param <T> the result
   * @param <X> what the body throws
   * @param from the first index
   * @param to the end
   * @param options how to cut and stop the loop
   * @param empty the result for no index
   * @param body reduces neighbouring indices
   * @param combiner makes one result of two neighbours, left before right; associative
   * @return the result
   * @throws X as declared; no further block starts once one has failed
   */
  public static <T, X extends Exception> T parallelReduce(
      int from,
      int to,
      LoopOptions options,
      T empty,
      RangeFunction<? extends T, X> body,
      BinaryOperator<T> combiner)
      throws X {
    T result = Loops.<T, X>reduce(anywhere(), from, to, options, body, combiner);
    return result == null ? empty : result;
  }

  /**
   * Handles every index of a {@code long} range, in parallel on demand.
   *
   * {@snippet :
   * Parallel.parallelForLong(0, segment.byteSize(), LoopOptions.DEFAULT, i -> check(segment, i));
   * }
   *
   * @param <X> what the body throws
   * @param from the first index
   * @param to the end, at most 2<sup>63</sup> - 1 above {@code from}
   * @param options how to cut and stop the loop
   * @param body handles one index
   * @throws X as declared; no further block starts once one has failed
   */
  public static <X extends Exception> void parallelForLong(
      long from, long to, LoopOptions options, LongAction<X> body) throws X {
    Loops.forEachLong(anywhere(), from, to, options, body);
  }

  /**
   * Reduces a {@code long} range in order, in parallel on demand.
   *
   * @param <T> the result
   * @param <X> what the body throws
   * @param from the first index
   * @param to the end, at most 2<sup>63</sup> - 1 above {@code from}
   * @param options how to cut and stop the loop
   * @param empty the result for no index
   * @param body reduces neighbouring indices
   * @param combiner makes one result of two neighbours, left before right; associative
   * @return the result
   * @throws X as declared; no further block starts once one has failed
   */
  public static <T, X extends Exception> T parallelReduceLong(
      long from,
      long to,
      LoopOptions options,
      T empty,
      LongRangeFunction<? extends T, X> body,
      BinaryOperator<T> combiner)
      throws X {
    T result = Loops.<T, X>reduceLong(anywhere(), from, to, options, body, combiner);
    return result == null ? empty : result;
  }

  /**
   * A pipeline over an array.
   *
   * @param array the source
   * @return a pipeline, which runs nothing before its end
   */
  public static IntIter iter(int[] array) {
    return IntIter.of(array);
  }

  /**
   * A pipeline over a range of an array.
   *
   * @param array the source
   * @param from the first index
   * @param to the end
   * @return a pipeline, which runs nothing before its end
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static IntIter iter(int[] array, int from, int to) {
    return IntIter.of(array, from, to);
  }

  /**
   * A pipeline over an array.
   *
   * {@snippet :
   * long sum = Parallel.iter(longs).sum();
   * }
   *
   * @param array the source
   * @return a pipeline, which runs nothing before its end
   */
  public static LongIter iter(long[] array) {
    return LongIter.of(array);
  }

  /**
   * A pipeline over a range of an array.
   *
   * {@snippet :
   * long sum = Parallel.iter(longs, 0, filled).sum();
   * }
   *
   * @param array the source
   * @param from the first index
   * @param to the end
   * @return a pipeline, which runs nothing before its end
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static LongIter iter(long[] array, int from, int to) {
    return LongIter.of(array, from, to);
  }

  /**
   * A pipeline over an array.
   *
   * @param array the source
   * @return a pipeline, which runs nothing before its end
   */
  public static DoubleIter iter(double[] array) {
    return DoubleIter.of(array);
  }

  /**
   * A pipeline over a range of an array.
   *
   * @param array the source
   * @param from the first index
   * @param to the end
   * @return a pipeline, which runs nothing before its end
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static DoubleIter iter(double[] array, int from, int to) {
    return DoubleIter.of(array, from, to);
  }

  /**
   * A pipeline over an array.
   *
   * @param <T> its elements
   * @param array the source
   * @return a pipeline, which runs nothing before its end
   */
  public static <T> Iter<T> iter(T[] array) {
    return Iter.of(array);
  }

  /**
   * A pipeline over a range of an array.
   *
   * @param <T> its elements
   * @param array the source
   * @param from the first index
   * @param to the end
   * @return a pipeline, which runs nothing before its end
   * @throws IndexOutOfBoundsException when the range is not within the array
   */
  public static <T> Iter<T> iter(T[] array, int from, int to) {
    return Iter.of(array, from, to);
  }

  /**
   * A pipeline over a list.
   *
   * @param <T> its elements
   * @param list the source
   * @return a pipeline, which runs nothing before its end
   */
  public static <T> Iter<T> iter(List<? extends T> list) {
    return Iter.of(list);
  }

  /**
   * A pipeline over the numbers of a range.
   *
   * @param from the first
   * @param to the end
   * @return a pipeline, which runs nothing before its end
   */
  public static IntIter range(int from, int to) {
    return IntIter.range(from, to);
  }

  /**
   * A pipeline over the numbers of a range, both ends included.
   *
   * {@snippet :
   * long odd = Parallel.rangeClosed(1, Integer.MAX_VALUE).filter(i -> i % 2 == 1).count();
   * }
   *
   * @param from the first
   * @param last the last
   * @return a pipeline, which runs nothing before its end
   */
  public static IntIter rangeClosed(int from, int last) {
    return IntIter.rangeClosed(from, last);
  }

  /**
   * A pipeline over the numbers of a range.
   *
   * @param from the first
   * @param to the end, at most 2<sup>63</sup> - 1 above {@code from}
   * @return a pipeline, which runs nothing before its end
   */
  public static LongIter rangeLong(long from, long to) {
    return LongIter.range(from, to);
  }

  /**
   * A pipeline over the numbers of a range, both ends included.
   *
   * @param from the first
   * @param last the last, at most 2<sup>63</sup> - 2 above {@code from}
   * @return a pipeline, which runs nothing before its end
   */
  public static LongIter rangeLongClosed(long from, long last) {
    return LongIter.rangeClosed(from, last);
  }

  /**
   * Sorts ints. More ways to sort are in {@link ParallelSort}.
   *
   * @param array what to sort
   */
  public static void sort(int[] array) {
    ParallelSort.sort(array, 0, array.length);
  }

  /**
   * Sorts longs.
   *
   * @param array what to sort
   */
  public static void sort(long[] array) {
    ParallelSort.sort(array, 0, array.length);
  }

  /**
   * Sorts doubles as {@link Double#compare} does: -0.0 before 0.0, NaNs last.
   *
   * @param array what to sort
   */
  public static void sort(double[] array) {
    ParallelSort.sort(array, 0, array.length);
  }

  /**
   * Sorts objects by their own order; equal ones keep theirs.
   *
   * @param <T> the elements
   * @param array what to sort
   */
  public static <T extends Comparable<? super T>> void sort(T[] array) {
    ParallelSort.sort(array, 0, array.length);
  }

  /**
   * Sorts objects; equal ones keep their order.
   *
   * {@snippet :
   * Parallel.sort(people, comparing(Person::age));
   * }
   *
   * @param <T> the elements
   * @param array what to sort
   * @param order the order; what it throws is thrown, and the array then holds the same elements in
   *     some order
   */
  public static <T> void sort(T[] array, Comparator<? super T> order) {
    ParallelSort.sort(array, 0, array.length, order);
  }

  /**
   * Sorts a list by the elements' own order; equal ones keep theirs.
   *
   * @param <T> the elements
   * @param list what to sort; its elements can be set
   */
  public static <T extends Comparable<? super T>> void sort(List<T> list) {
    ParallelSort.sort(list);
  }

  /**
   * Sorts a list; equal elements keep their order.
   *
   * @param <T> the elements
   * @param list what to sort; its elements can be set
   * @param order the order; what it throws is thrown, and the list is then as it was
   */
  public static <T> void sort(List<T> list, Comparator<? super T> order) {
    ParallelSort.sort(list, order);
  }

  /**
   * Runs an action some time and returns at once.
   *
   * {@snippet :
   * Parallel.spawn(() -> index.rebuild(), failure -> log.warn("the index is stale", failure));
   * }
   *
   * @param action what to run
   * @param onFailure told what it throws, on the worker
   */
  public static void spawn(
      Action<? extends Exception> action, Consumer<? super Throwable> onFailure) {
    currentCore().spawn(action, onFailure);
  }

  /**
   * Lets the current worker run one job of somebody else; outside a pool, {@link Thread#yield}. For
   * a job that waits for something the pool does not know of.
   *
   * {@snippet :
   * while (!ready.get()) {
   *   Parallel.yieldNow();
   * }
   * }
   *
   * @return whether there was a job
   */
  public static boolean yieldNow() {
    return PoolCore.yieldNow();
  }

  /**
   * The index of the current worker in its pool. A loop whose body asks for it runs on workers
   * however short it is; only if a body asks for the first time after many short loops may it run
   * on the calling thread.
   *
   * @return the index, or -1 when the current thread is no worker
   */
  public static int workerIndex() {
    return Thread.currentThread() instanceof WorkerThread worker ? worker.index() : -1;
  }

  /**
   * Runs work that may block the thread (a lock, a queue, a socket). While it does, another worker
   * stands in, so that the pool keeps its parallelism; outside a pool it simply runs. All forks of
   * the current worker become visible to the others first, so the work may wait for one of them.
   *
   * <p>At most 64 workers stand in at a time. Beyond that a warning is logged (logger {@code
   * dev.blitz.parallel}) and the pool has fewer workers than it should: jobs that wait for jobs
   * which have not begun then wait for ever.
   *
   * {@snippet :
   * Message next = Parallel.blocking(() -> queue.take()); // throws InterruptedException as take does
   * }
   *
   * @param <T> its result
   * @param <X> what it throws
   * @param work what to run, on the current thread
   * @return its result
   * @throws X as declared
   */
  public static <T, X extends Exception> T blocking(Work<T, X> work) throws X {
    return Thread.currentThread() instanceof WorkerThread worker
        ? worker.pool().blocking(work)
        : work.run();
  }

  private static PoolCore currentCore() {
    return Thread.currentThread() instanceof WorkerThread worker
        ? worker.pool()
        : Pool.common().core();
  }
}
