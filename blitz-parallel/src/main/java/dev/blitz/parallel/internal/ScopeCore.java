package dev.blitz.parallel.internal;

import dev.blitz.parallel.Action;
import dev.blitz.parallel.JobFailedException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The jobs of one scope: how many have not ended, and the first failure. */
public final class ScopeCore {
  private static final VarHandle FAILURE =
      Fields.of(MethodHandles.lookup(), "failure", Throwable.class);

  private final PoolCore pool;
  private final WorkerThread owner;
  private final ScopeLatch open;
  private volatile @Nullable Throwable failure;

  /** Held to add to the first failure; the scope's latch, which no user can lock. */
  private final Object failing;

  /**
   * An open scope.
   *
   * @param owner the current thread
   */
  public ScopeCore(WorkerThread owner) {
    this.pool = owner.pool;
    this.owner = owner;
    this.open = new ScopeLatch(owner);
    this.failing = open;
  }

  /**
   * Adds a job; it may start at once.
   *
   * @param action what it does
   */
  public void spawn(Action<?> action) {
    WorkerThread worker = pool.currentWorker();
    // Who is no part of the scope cannot add to its own deque: nobody would be sure to see it
    // there.
    boolean inside = worker != null && worker.within != null && worker.within.isWithin(open);
    var job = new ScopedJob(this, action);
    if (worker == null || !inside) {
      spawnFromOutside(job);
      return;
    }
    begin();
    try {
      worker.push(job);
    } catch (Throwable t) {
      // No call: where pushing it overflows the stack, so would taking it off the count.
      job.nextTorn = worker.torn;
      worker.torn = job;
      throw t;
    }
  }

  private void begin() {
    if (!open.tryBegin()) {
      throw new IllegalStateException("the scope has ended");
    }
  }

  /** The owner may take it while it waits, and whoever gets to see the ticket. */
  private void spawnFromOutside(Job job) {
    // Before the job is counted: it must be announced, or taken off the count.
    StackReserve.require();
    begin();
    try {
      addFromOutside(job);
    } catch (Throwable t) {
      open.end();
      throw t;
    }
  }

  private void addFromOutside(Job job) {
    var ticket = new Ticket(open);
    open.fromOutside.add(job);
    try {
      pool.injectUnchecked(ticket);
    } catch (OutOfMemoryError e) {
      if (open.fromOutside.remove(job)) {
        throw e;
      }
      // Else the owner has it already.
    }
    // By name: a wake that somebody gets who waits for more than this scope would be used up in
    // vain.
    pool.sleep.postedTo(owner.index);
  }

  /**
   * Runs the body, then helps until every job has ended.
   *
   * @param <X> what the body throws
   * @param body what opens the scope
   * @throws X what the body threw; else the first failure of a job
   */
  public <X extends Exception> void run(Action<X> body) throws X {
    // At the end this frame must be able to wait for the jobs.
    StackReserve.require();
    owner.shareAll();
    Latch outer = owner.within;
    int outerFrom = owner.withinFrom;
    long outerFloor = owner.raiseFloor();
    long floor = owner.floor;
    int from = owner.bottom;
    owner.withinFrom = from;
    owner.within = open;
    Throwable first = null;
    try {
      body.run();
    } catch (Throwable t) {
      first = t;
    }
    // A scope further in that a full stack tore may have left its own behind.
    owner.within = open;
    owner.withinFrom = from;
    owner.lowerFloor(floor);
    owner.mend();
    open.end();
    owner.helpUntil(open);
    owner.within = outer;
    owner.withinFrom = outerFrom;
    owner.lowerFloor(outerFloor);
    Throwable later = failure;
    if (first != null) {
      if (later != null) {
        Throwing.suppress(first, later);
      }
      throw Throwing.<X>sneaky(first);
    }
    if (later != null) {
      throw unchecked(later);
    }
  }

  private static RuntimeException unchecked(Throwable failure) {
    return switch (failure) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new JobFailedException(failure);
    };
  }

  private void failed(Throwable t) {
    Throwable first = (Throwable) FAILURE.compareAndExchange(this, null, t);
    if (first != null) {
      synchronized (failing) {
        Throwing.suppress(first, t);
      }
    }
  }

  static final class ScopedJob implements Job {
    private final ScopeCore scope;
    private final Action<?> action;

    /** See {@link WorkerThread#torn}. */
    @Nullable ScopedJob nextTorn;

    ScopedJob(ScopeCore scope, Action<?> action) {
      this.scope = scope;
      this.action = action;
    }

    @Override
    public void execute(WorkerThread worker) {
      int base = worker.bottom;
      try {
        action.run();
      } catch (Throwable t) {
        scope.failed(t);
      }
      worker.leaveForks(base);
      scope.open.end();
    }

    /** It was counted, but never added. */
    void uncount() {
      scope.open.end();
    }

    @Override
    public Latch within() {
      return scope.open;
    }
  }

  /** Set when the body and all jobs have ended. */
  private static final class ScopeLatch extends CountLatch {
    /** Jobs from threads that are no part of the scope. */
    final Queue<Job> fromOutside = new ConcurrentLinkedQueue<>();

    ScopeLatch(WorkerThread owner) {
      super(owner, owner.within, 1);
    }

    @Override
    @Nullable Job takeOwn() {
      return fromOutside.poll();
    }
  }

  /** Stands in the injector for a job from outside; that may have been taken already. */
  private record Ticket(ScopeLatch scope) implements Job {
    @Override
    public void execute(WorkerThread worker) {
      Job job = scope.takeOwn();
      if (job != null) {
        job.execute(worker);
      }
    }

    @Override
    public Latch within() {
      return scope;
    }
  }
}
