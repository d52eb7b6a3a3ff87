package dev.blitz.parallel.internal;

import dev.blitz.parallel.Action;
import dev.blitz.parallel.JobFailedException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The jobs of one scope: how many have not ended, and the first failure. */
public final class ScopeCore {
  private static final VarHandle FAILURE;

  static {
    try {
      FAILURE = MethodHandles.lookup().findVarHandle(ScopeCore.class, "failure", Throwable.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final PoolCore pool;
  private final WorkerThread owner;
  private final CountLatch open;
  private volatile @Nullable Throwable failure;

  /**
   * An open scope.
   *
   * @param owner the current thread
   */
  public ScopeCore(WorkerThread owner) {
    this.pool = owner.pool;
    this.owner = owner;
    this.open = new CountLatch(owner, 1);
  }

  /**
   * Adds a job; it may start at once.
   *
   * @param action what it does
   */
  public void spawn(Action<?> action) {
    WorkerThread worker = pool.currentWorker();
    if (worker == null) {
      StackReserve.require();
    }
    if (!open.tryBegin()) {
      throw new IllegalStateException("the scope has ended");
    }
    try {
      Job job = new ScopedJob(this, action);
      if (worker != null) {
        worker.push(job);
      } else {
        pool.injectUnchecked(job);
      }
    } catch (Throwable t) {
      open.end();
      throw t;
    }
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
    Throwable first = null;
    try {
      body.run();
    } catch (Throwable t) {
      first = t;
    }
    open.end();
    owner.runUntil(open);
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
    if (!FAILURE.compareAndSet(this, null, t)) {
      Throwable first = failure;
      if (first != null) {
        Throwing.suppress(first, t);
      }
    }
  }

  private record ScopedJob(ScopeCore scope, Action<?> action) implements Job {
    @Override
    public void execute(WorkerThread worker) {
      int base = worker.bottom;
      try {
        action.run();
      } catch (Throwable t) {
        scope.failed(t);
      }
      worker.settle(base);
      scope.open.end();
    }
  }
}
