package dev.blitz.parallel;

import dev.blitz.parallel.internal.FirstUse;
import dev.blitz.parallel.internal.LoopHome;
import dev.blitz.parallel.internal.Loops;
import dev.blitz.parallel.internal.PoolAccess;
import dev.blitz.parallel.internal.PoolCore;
import dev.blitz.parallel.internal.StackReserve;
import dev.blitz.parallel.internal.WorkerThread;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Workers that share parallel computations among themselves.
 *
 * <p>Most programs use {@link Parallel}, which finds the pool of the current worker, or the common
 * pool. Make your own to limit or separate work. Whatever is called inside a pool stays in it:
 * {@code pool.call(() -> Parallel.join(...))} runs on {@code pool}.
 *
 * <p>Thread safe. Calls from outside wait in line (first come, first served) and block the caller,
 * platform or virtual thread alike; an interrupt does not end that wait, and is kept. A worker that
 * calls into another pool has somebody stand in for it while it waits. An idle pool uses no CPU.
 *
 * {@snippet :
 * try (Pool pool = Pool.builder().name("images").workers(4).build()) {
 *   var thumbnails = pool.call(() -> Parallel.tryJoin(work)); // stays in this pool
 *   PoolStats stats = pool.stats();
 * } // waits for calls and spawned jobs, then ends the threads
 * }
 *
 * <p>Do not wait for a pool in a static initialiser: the first job that uses the class waits for
 * the initialiser, and the initialiser for the job.
 */
public final class Pool implements AutoCloseable {
  private final PoolCore core;
  private final boolean closable;

  /** Loops of a pool run on its workers alone, so that whatever they call stays in it. */
  private final LoopHome home;

  private Pool(PoolCore core, boolean closable) {
    this.core = core;
    this.closable = closable;
    PoolAccess.install(pool -> ((Pool) pool).core);
    this.home = new LoopHome(() -> core, true);
  }

  /**
   * Read by anyone. No class initialiser: one that fails, because no thread can be started just
   * now, fails for ever.
   */
  private static volatile @Nullable Pool common;

  /** A class of its own, so that it is initialised when there is room for it. */
  private static final class Unnamed {
    static final AtomicInteger COUNT = new AtomicInteger();

    /** Set once, by whoever comes first. */
    static final AtomicReference<@Nullable Pool> COMMON = new AtomicReference<>();

    private Unnamed() {}
  }

  /**
   * No lock: a virtual thread gives up its carrier while it waits for a first use, and what that
   * carrier does next may be to ask for the common pool. So several may start one; all but the
   * first end theirs, which nobody has seen.
   */
  private static Pool startCommon() {
    FirstUse.ofCore();
    Pool first = Unnamed.COMMON.get();
    if (first == null) {
      try {
        first = startOne();
      } catch (Throwable t) {
        first = Unnamed.COMMON.get();
        if (first == null) {
          throw t;
        }
        // For want of threads, say: others have had them.
      }
    }
    common = first;
    return first;
  }

  private static Pool startOne() {
    StackReserve.require(); // to end it again
    int workers = Math.min(Runtime.getRuntime().availableProcessors(), Builder.MAX_WORKERS);
    Pool pool = new Pool(new PoolCore("blitz-parallel", workers, 0, 1), false);
    Pool first = Unnamed.COMMON.compareAndExchange(null, pool);
    if (first == null) {
      return pool;
    }
    pool.core.close();
    return first;
  }

  /**
   * The pool for everyone who has none: one worker per processor, made on first use, never closed.
   *
   * @return the common pool
   */
  public static Pool common() {
    Pool pool = common;
    return pool != null ? pool : startCommon();
  }

  /**
   * A pool with this many workers.
   *
   * @param workers 1 to 1024
   * @return an open pool
   */
  public static Pool of(int workers) {
    return builder().workers(workers).build();
  }

  /**
   * Settings for a pool.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  PoolCore core() {
    return core;
  }

  boolean isCommon() {
    return !closable;
  }

  /**
   * The number of workers, not counting those that stand in for blocked ones.
   *
   * @return 1 or more
   */
  public int workers() {
    return core.parallelism();
  }

  /**
   * Runs work on this pool and waits for it.
   *
   * @param <T> its result
   * @param <X> what it throws
   * @param work what to run; what it forks stays in this pool
   * @throws X as declared
   * @throws java.util.concurrent.RejectedExecutionException when the pool is closed
   */
  public <T, X extends Exception> T call(Work<T, X> work) throws X {
    return core.call(work);
  }

  /**
   * Runs an action on this pool and waits for it.
   *
   * @param <X> what it throws
   * @throws X as declared
   * @throws java.util.concurrent.RejectedExecutionException when the pool is closed
   */
  public <X extends Exception> void run(Action<X> action) throws X {
    core.call(() -> {
      action.run();
      return this;
    });
  }

  /**
   * {@link Parallel#join(Work, Work, BiFunction)} on this pool.
   *
   * @param <R> the combined result
   * @param <X> what they throw
   * @param a the first half
   * @param b the second half
   * @param combiner makes one result of two
   * @throws X as declared
   */
  public <A, B, R, X extends Exception> R join(
      Work<? extends A, X> a,
      Work<? extends B, X> b,
      BiFunction<? super A, ? super B, ? extends R> combiner)
      throws X {
    return core.call(() -> Parallel.<A, B, R, X>join(a, b, combiner));
  }

  /**
   * {@link Parallel#join(Action, Action)} on this pool.
   *
   * @param <X> what they throw
   * @param a the first half
   * @param b the second half
   * @throws X as declared
   */
  public <X extends Exception> void join(Action<X> a, Action<X> b) throws X {
    run(() -> Parallel.join(a, b));
  }

  /**
   * {@link Parallel#scope} on this pool.
   *
   * @param <X> what the body throws
   * @param body spawns jobs
   * @throws X as declared
   */
  public <X extends Exception> void scope(Scope.Body<X> body) throws X {
    run(() -> Parallel.scope(body));
  }

  /**
   * Runs work exactly once on every worker and waits for all.
   *
   * @param <T> the result of each
   * @param work is given the worker's index
   * @return the results by index; the failure of the lowest index wins
   */
  public <T> List<T> broadcast(IntFunction<? extends T> work) {
    return core.broadcast(work);
  }

  /**
   * {@link Parallel#parallelFor(int, int, LoopOptions, IntAction)} on this pool.
   *
   * @param <X> what the body throws
   * @param from the first index
   * @param to the end
   * @param options how to cut and stop the loop
   * @param body handles one index
   * @throws X as declared
   */
  public <X extends Exception> void parallelFor(
      int from, int to, LoopOptions options, IntAction<X> body) throws X {
    Loops.forEach(home, from, to, options, body);
  }

  /**
   * {@link Parallel#parallelReduce(int, int, LoopOptions, Object, RangeFunction, BinaryOperator)}
   * on this pool.
   *
   * @param <X> what the body throws
   * @param from the first index
   * @param to the end
   * @param options how to cut and stop the loop
   * @param empty the result for no index
   * @param body reduces neighbouring indices
   * @param combiner associative
   * @throws X as declared
   */
  public <T, X extends Exception> T parallelReduce(
      int from,
      int to,
      LoopOptions options,
      T empty,
      RangeFunction<? extends T, X> body,
      BinaryOperator<T> combiner)
      throws X {
    T result = Loops.<T, X>reduce(home, from, to, options, body, combiner);
    return result == null ? empty : result;
  }

  /**
   * Runs an action some time and returns at once. Closing the pool waits for it.
   *
   * @param onFailure told what it throws, on the worker
   * @throws java.util.concurrent.RejectedExecutionException when the pool is closed
   */
  public void spawn(Action<? extends Exception> action, Consumer<? super Throwable> onFailure) {
    core.spawn(action, onFailure);
  }

  /**
   * Runs an action some time and returns at once; a failure goes to the worker's uncaught exception
   * handler.
   *
   * @throws java.util.concurrent.RejectedExecutionException when the pool is closed
   */
  public void spawn(Action<? extends Exception> action) {
    core.spawn(
        action,
        failure -> {
          Thread worker = Thread.currentThread();
          worker.getUncaughtExceptionHandler().uncaughtException(worker, failure);
        });
  }

  /**
   * The index of the current worker in this pool. Workers that stand in for blocked ones have
   * indices from {@link #workers} on.
   *
   * @return the index, or -1 when the current thread is no worker of this pool
   */
  public int currentIndex() {
    WorkerThread worker = core.currentWorker();
    return worker == null ? -1 : worker.index();
  }

  /** What the pool has done so far. */
  public PoolStats stats() {
    long[] counts = core.counts();
    return new PoolStats(counts[0], counts[1], counts[2], counts[3], counts[4]);
  }

  /**
   * What each worker has done so far, by index; those that stand in for blocked ones come last.
   *
   * {@snippet :
   * for (WorkerStats worker : pool.workerStats()) {
   *   System.out.println(worker.index() + " stole " + worker.stolen());
   * }
   * }
   *
   * @return a new list, of the workers that were started
   */
  public List<WorkerStats> workerStats() {
    return core.workerStats();
  }

  /**
   * Refuses new calls, waits for calls under way and for spawned jobs, then ends the threads and
   * waits for those. Closing again does nothing.
   *
   * <p>For a worker of another pool somebody stands in meanwhile, as with {@link #call}. Two pools
   * whose jobs close each other wait for ever: each job is one of those the other waits for.
   *
   * @throws IllegalStateException for the common pool, and from a worker of this pool
   */
  @Override
  public void close() {
    if (!closable) {
      throw new IllegalStateException("the common pool cannot be closed");
    }
    core.close();
  }

  @Override
  public String toString() {
    return core.toString();
  }

  /** Settings for a pool; not thread safe. */
  public static final class Builder {
    private static final int MAX_WORKERS = 1024;

    private String name = "";
    private int workers = Math.min(Runtime.getRuntime().availableProcessors(), MAX_WORKERS);
    private long stackBytes;
    private long seed = 1;

    private Builder() {}

    /** Names the threads {@code blitz-<name>-<index>}. */
    public Builder name(String name) {
      this.name = name;
      return this;
    }

    /**
     * How many workers; by default one per processor.
     *
     * @param workers 1 to 1024
     */
    public Builder workers(int workers) {
      this.workers = workers;
      return this;
    }

    /**
     * The stack of each worker, for deep recursion; by default the JVM's.
     *
     * @param stackBytes a hint, as for {@link Thread}
     */
    public Builder stackBytes(long stackBytes) {
      this.stackBytes = stackBytes;
      return this;
    }

    /**
     * Makes the choice of whom to steal from repeatable.
     *
     * @param seed any number
     */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * Starts the pool.
     *
     * @return an open pool
     */
    public Pool build() {
      FirstUse.ofCore();
      String prefix =
          name.isEmpty() ? "blitz-pool-" + Unnamed.COUNT.incrementAndGet() : "blitz-" + name;
      return new Pool(new PoolCore(prefix, workers, stackBytes, seed), true);
    }
  }
}
