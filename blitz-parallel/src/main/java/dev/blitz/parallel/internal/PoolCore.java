package dev.blitz.parallel.internal;

import dev.blitz.parallel.Action;
import dev.blitz.parallel.Work;
import dev.blitz.parallel.WorkerStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The workers of one pool and what they share. */
public final class PoolCore {
  private static final int OPEN = 0;
  private static final int CLOSING = 1;
  private static final int TERMINATED = 2;

  final Sleep sleep;

  /** Regular workers, then spares as they are started. */
  final @Nullable WorkerThread[] workers;

  private final String name;
  private final int parallelism;
  private final long stackBytes;
  private final long seed;
  private final SpareWorkers spares;
  private final Queue<Job> injector = new ConcurrentLinkedQueue<>();
  private final AtomicLong injected = new AtomicLong();

  /** Calls and spawns that have not ended: what close waits for. */
  private final AtomicLong roots = new AtomicLong();

  private final Object closeLock = new Object();

  /** Workers of other pools that wait for the roots to end; under {@code closeLock}. */
  private final List<Latch> closers = new ArrayList<>();

  private volatile int started;
  private volatile int shareTarget;
  private volatile int state = OPEN;

  /**
   * Starts a pool.
   *
   * @param name part of the names of its threads
   * @param parallelism how many workers
   * @param stackBytes stack of each, 0 for the JVM's default
   * @param seed for the choice of victims
   */
  @SuppressWarnings("this-escape") // workers see only fields assigned before they start
  public PoolCore(String name, int parallelism, long stackBytes, long seed) {
    if (parallelism < 1 || parallelism > Tuning.MAX_WORKERS) {
      throw new IllegalArgumentException(
          "workers must be 1 to " + Tuning.MAX_WORKERS + ", not " + parallelism);
    }
    this.name = name;
    this.parallelism = parallelism;
    this.stackBytes = stackBytes;
    this.seed = seed;
    int capacity = parallelism + Tuning.MAX_SPARES;
    this.workers = new WorkerThread[capacity];
    this.sleep = new Sleep(capacity, 1);
    this.shareTarget = Tuning.shareTarget(parallelism);
    this.spares =
        new SpareWorkers(
            Tuning.MAX_SPARES,
            this::startSpare,
            k -> workers[parallelism + k],
            this::outOfSpares,
            System::nanoTime);
    try {
      for (int i = 0; i < parallelism; i++) {
        start(i);
      }
    } catch (Throwable t) {
      // Thread limits: those that did start must not stay behind.
      terminate();
      throw t;
    }
  }

  private void start(int index) {
    long workerSeed = (seed + index + 1) * 0x9E3779B97F4A7C15L;
    var worker = new WorkerThread(this, index, name + "-" + index, stackBytes, workerSeed);
    workers[index] = worker;
    worker.start();
    started = index + 1;
  }

  private void startSpare(int spare) {
    int target = Tuning.shareTarget(parallelism + spare + 1);
    start(parallelism + spare);
    shareTarget = target;
  }

  /** Said now and then when no spare is to be had: jobs that wait for each other may not end. */
  private void outOfSpares() {
    try {
      System.getLogger("dev.blitz.parallel")
          .log(
              System.Logger.Level.WARNING,
              "pool {0}: {1} jobs block and no spare can stand in for the last; jobs that wait for"
                  + " jobs which have not begun wait for ever",
              name,
              spares.blocked());
    } catch (Throwable inLogger) {
      // To tell must not make it worse.
    }
  }

  /**
   * The worker that runs the current thread, if it is one of this pool.
   *
   * @return the worker or null
   */
  public @Nullable WorkerThread currentWorker() {
    return Thread.currentThread() instanceof WorkerThread worker && worker.pool == this
        ? worker
        : null;
  }

  /**
   * The number of regular workers.
   *
   * @return 1 or more
   */
  public int parallelism() {
    return parallelism;
  }

  /**
   * Regular workers and all spares there can be: the bound of worker indices.
   *
   * @return the bound
   */
  public int capacity() {
    return workers.length;
  }

  int started() {
    return started;
  }

  int shareTarget() {
    return shareTarget;
  }

  boolean isTerminated() {
    return state == TERMINATED;
  }

  /**
   * Whether this worker should look for work, or go home. No spare goes home with jobs in its
   * deque: others may not see a job that they wait for under one that they may not take.
   */
  boolean needs(WorkerThread worker) {
    return state != TERMINATED
        && (worker.index < parallelism
            || spares.isOnDuty(worker.index - parallelism)
            || !worker.deque.isEmpty());
  }

  private int spareNumber(WorkerThread worker) {
    return worker.index < parallelism ? SpareWorkers.NONE : worker.index - parallelism;
  }

  /**
   * Sleeps in a wait, after {@link Sleep#startWaiting}. If the worker is a spare on duty, another
   * takes that on meanwhile.
   */
  boolean awaitPost(WorkerThread worker) {
    int self = spareNumber(worker);
    if (!spares.isNewlyStuck(self)) {
      return sleep.await(worker.index, worker.counters);
    }
    boolean onDuty = spares.isOnDuty(self);
    int spare = onDuty ? spares.enter() : SpareWorkers.NONE;
    boolean interrupted = sleep.await(worker.index, worker.counters);
    if (onDuty) {
      spares.exit(spare);
    }
    spares.unstick(self);
    return interrupted;
  }

  /** A spare parks here while all regular workers are on their feet. */
  void awaitSpareDuty(WorkerThread spare) {
    while (!isTerminated() && !needs(spare)) {
      LockSupport.park(this);
      Thread.interrupted();
    }
  }

  /**
   * Runs work on this pool and waits for it. A worker of this pool runs it at once, for a worker of
   * another pool a spare stands in there while it waits, any other thread blocks; an interrupt does
   * not end the wait and is kept.
   *
   * @param <T> its result
   * @param <X> what it throws
   * @param work what to run
   * @throws X as it declares
   */
  public <T, X extends Exception> T call(Work<T, X> work) throws X {
    return call(work, null);
  }

  /**
   * The same for work that can be told to stop.
   *
   * @param onInterrupt run when the caller, waiting outside any pool, is interrupted; the wait goes
   *     on
   */
  @SuppressWarnings("unchecked") // the job's result is that of the work
  <T, X extends Exception> T call(Work<T, X> work, @Nullable Runnable onInterrupt) throws X {
    if (currentWorker() != null) {
      return work.run();
    }
    StackReserve.require();
    Thread caller = Thread.currentThread();
    CallJob job = new CallJob(this, work, caller, onInterrupt);
    inject(job);
    await(job);
    return (T) job.<X>get();
  }

  /**
   * Runs an action some time, with nobody waiting.
   *
   * @param onFailure told what it throws
   */
  public void spawn(Action<?> action, Consumer<? super Throwable> onFailure) {
    SpawnedJob job = new SpawnedJob(this, action, onFailure);
    WorkerThread worker = currentWorker();
    if (worker == null) {
      // Before the job is counted: it must be announced.
      StackReserve.require();
      inject(job);
      return;
    }
    // Counted while its parent is: close cannot have passed.
    roots.incrementAndGet();
    try {
      worker.push(job);
    } catch (Throwable t) {
      // No call: where pushing it overflows the stack, so would taking it off the count.
      worker.tornRoots++;
      throw t;
    }
  }

  private void inject(Job job) {
    rootBegins();
    try {
      injectUnchecked(job);
    } catch (OutOfMemoryError e) {
      // It was not added: adding is all that allocates.
      rootEnded();
      throw e;
    }
  }

  private void rootBegins() {
    roots.incrementAndGet();
    // After the increment: close first forbids, then counts.
    if (state != OPEN) {
      rootEnded();
      throw new RejectedExecutionException("pool " + name + " is closed");
    }
  }

  /** Waits on the current thread, which made the latch: as a worker of another pool, or blocked. */
  private static void await(Latch latch) {
    if (Thread.currentThread() instanceof WorkerThread worker) {
      worker.pool.awaitForeign(worker, latch);
    } else {
      latch.awaitOutsidePool();
    }
  }

  /**
   * A worker of this pool waits for what another pool does. What that needs, if it needs this pool,
   * is beyond what can be seen, so all work here goes on: on the thread of a spare, because a job
   * on top of this one would keep it from going on. Without a spare there is only this thread; it
   * takes any job while its stack has room for jobs that innocently came last.
   */
  private void awaitForeign(WorkerThread worker, Latch latch) {
    Spinning.spinUntil(latch, Tuning.CALLER_SPIN_NANOS);
    if (latch.isSet()) {
      return;
    }
    int self = spareNumber(worker);
    boolean stuck = spares.isNewlyStuck(self);
    int spare = spares.enter();
    try {
      // After the spare was started: a lone worker shares nothing.
      worker.shareAll();
      if (spare != SpareWorkers.NONE || !StackReserve.isAmple()) {
        worker.helpUntilAbove(latch);
      } else {
        worker.runUntil(latch);
      }
    } finally {
      spares.exit(spare);
      if (stuck) {
        spares.unstick(self);
      }
    }
  }

  /**
   * For jobs that live inside a call or spawn, which keeps the pool open. The caller has a {@link
   * StackReserve}: a job that was added must be announced.
   */
  void injectUnchecked(Job job) {
    boolean wasEmpty = injector.isEmpty();
    injector.add(job);
    injected.incrementAndGet();
    sleep.posted(1, wasEmpty);
  }

  @Nullable Job takeInjected() {
    return injector.poll();
  }

  /**
   * Wakes one worker if there is anything to take: one without obligations, which may take all, or
   * else one that waits for what a visible job belongs to.
   */
  void wakeForVisible() {
    if (!injector.isEmpty() && sleep.wakeAny(1) > 0) {
      return;
    }
    for (int i = 0; i < started; i++) {
      WorkerThread worker = workers[i];
      if (worker != null
          && (wakeFor(worker.oldestUnclaimed()) || wakeFor(worker.deque.peekOldest()))) {
        return;
      }
    }
  }

  private boolean wakeFor(@Nullable Job visible) {
    return visible != null && sleep.wakeFor(1, visible.within()) > 0;
  }

  /**
   * Runs work once on every regular worker and waits for all.
   *
   * @param <T> the result of each
   * @param work is given the worker's index
   * @return the results by index
   */
  public <T> List<T> broadcast(IntFunction<? extends T> work) {
    StackReserve.require();
    WorkerThread own = currentWorker();
    boolean outside = own == null;
    if (outside) {
      rootBegins();
    }
    try {
      var broadcast =
          new Broadcast<T>(
              Thread.currentThread(), own == null ? null : own.within, parallelism, work);
      for (int i = 0; i < parallelism; i++) {
        try {
          mail(i, broadcast.share(i));
        } catch (OutOfMemoryError full) {
          // Those that were sent run, and are waited for as ever.
          broadcast.notSent(i, full);
        }
      }
      if (own == null) {
        await(broadcast.latch());
      } else {
        own.shareAll();
        own.helpUntilAbove(broadcast.latch());
      }
      return broadcast.results();
    } finally {
      if (outside) {
        rootEnded();
      }
    }
  }

  private void mail(int index, Job job) {
    WorkerThread worker = workers[index];
    if (worker == null) {
      throw new IllegalStateException("worker " + index + " was never started");
    }
    worker.mailbox.add(job);
    sleep.postedTo(index);
  }

  /** A call or spawn has ended. */
  void rootEnded() {
    if (roots.decrementAndGet() == 0 && state != OPEN) {
      synchronized (closeLock) {
        closeLock.notifyAll();
        // By index: nothing is allocated between the end of a job and its latch.
        for (int i = 0; i < closers.size(); i++) {
          closers.get(i).set();
        }
      }
    }
  }

  /**
   * Runs work that may block the thread; a spare worker stands in meanwhile.
   *
   * @param <T> its result
   * @param <X> what it throws
   * @param work what to run, on the current thread
   * @throws X as it declares
   */
  public <T, X extends Exception> T blocking(Work<T, X> work) throws X {
    WorkerThread worker = currentWorker();
    if (worker == null) {
      return work.run();
    }
    // Before this worker is counted as blocked: it must be able to say that it is back.
    StackReserve.require();
    int self = spareNumber(worker);
    boolean stuck = spares.isNewlyStuck(self);
    int spare = spares.enter();
    try {
      // What the work waits for may be a fork of this very worker.
      worker.shareAll();
      // It may take long, and nobody else clears its frames.
      worker.clearAllGarbage();
      return work.run();
    } finally {
      spares.exit(spare);
      if (stuck) {
        spares.unstick(self);
      }
    }
  }

  /**
   * Lets the current worker run one job of somebody else.
   *
   * @return whether there was one
   */
  public static boolean yieldNow() {
    if (Thread.currentThread() instanceof WorkerThread worker) {
      return worker.runOne();
    }
    FirstUse.ofCore();
    Spinning.yieldProcessor();
    return false;
  }

  /**
   * Refuses new calls, waits for those under way and for all spawned jobs, then ends the threads.
   */
  public void close() {
    if (currentWorker() != null) {
      throw new IllegalStateException("pool " + name + " cannot be closed by its own worker");
    }
    StackReserve.require();
    boolean interrupted =
        Thread.currentThread() instanceof WorkerThread worker
            ? drainAs(worker)
            : drainFromOutside();
    terminate();
    for (WorkerThread worker : liveWorkers()) {
      interrupted |= joinUninterruptibly(worker);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean drainFromOutside() {
    boolean interrupted = false;
    synchronized (closeLock) {
      while (isDraining()) {
        try {
          closeLock.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    return interrupted;
  }

  /** The pool of a worker of another pool goes on: what is under way here may need that. */
  private boolean drainAs(WorkerThread worker) {
    var drained = new Latch(worker, null);
    synchronized (closeLock) {
      if (!isDraining()) {
        return false;
      }
      closers.add(drained);
    }
    worker.pool.awaitForeign(worker, drained);
    return false;
  }

  /** Under {@link #closeLock}: refuses new roots; whether any is under way. */
  private boolean isDraining() {
    if (state == OPEN) {
      state = CLOSING;
    }
    return state == CLOSING && roots.get() != 0;
  }

  private void terminate() {
    state = TERMINATED;
    for (WorkerThread worker : liveWorkers()) {
      sleep.postedTo(worker.index);
      LockSupport.unpark(worker);
    }
  }

  private static boolean joinUninterruptibly(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }

  private List<WorkerThread> liveWorkers() {
    List<WorkerThread> live = new ArrayList<>();
    for (int i = 0; i < started; i++) {
      WorkerThread worker = workers[i];
      if (worker != null) {
        live.add(worker);
      }
    }
    return live;
  }

  /**
   * Counters of everything so far.
   *
   * @return executed, stolen, injected, slept, woken
   */
  public long[] counts() {
    long executed = 0;
    long stolen = 0;
    long slept = 0;
    long woken = 0;
    for (WorkerStats worker : workerStats()) {
      executed += worker.executed();
      stolen += worker.stolen();
      slept += worker.slept();
      woken += worker.woken();
    }
    return new long[] {executed, stolen, injected.get(), slept, woken};
  }

  /**
   * Counters of each worker.
   *
   * @return those of started workers, by index
   */
  public List<WorkerStats> workerStats() {
    List<WorkerStats> all = new ArrayList<>();
    for (WorkerThread worker : liveWorkers()) {
      WorkerCounters c = worker.counters;
      all.add(
          new WorkerStats(
              worker.index, c.executedCount(), c.stolenCount(), c.sleptCount(), c.wokenCount()));
    }
    return all;
  }

  @Override
  public String toString() {
    return name
        + "["
        + parallelism
        + " workers, "
        + spares.blocked()
        + " blocked, "
        + sleep.counters()
        + "]";
  }
}
