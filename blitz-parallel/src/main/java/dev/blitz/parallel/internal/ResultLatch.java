package dev.blitz.parallel.internal;

import org.jspecify.annotations.Nullable;

/** A latch that carries what a job yielded or threw. */
abstract class ResultLatch extends Latch implements Job {
  // Written before the latch is set, read after it was seen set.
  private @Nullable Object result;
  private @Nullable Throwable failure;

  ResultLatch(Thread waiter, @Nullable Latch parent) {
    super(waiter, parent);
  }

  /** The work itself, on the stack of whoever runs it. */
  abstract Object run() throws Exception;

  /**
   * Runs on a worker, leaves its fork stack as it was found, and sets the latch whatever happens.
   * Nothing here allocates or links a lambda: a full heap or stack must not keep the waiter
   * waiting.
   */
  @Override
  public final void execute(WorkerThread worker) {
    int base = worker.bottom;
    try {
      result = run();
    } catch (Throwable t) {
      failure = t;
    }
    worker.leaveForks(base);
    completed();
    set();
  }

  /** Before the waiter may go on. */
  void completed() {}

  final @Nullable Throwable failure() {
    return failure;
  }

  /**
   * Only after the latch was seen set.
   *
   * @throws X what the work threw; its declaration is the caller's knowledge
   */
  @SuppressWarnings("NullAway") // work that yields null against its contract gets it back as it is
  final <X extends Exception> Object get() throws X {
    if (failure != null) {
      throw Throwing.<X>sneaky(failure);
    }
    return result;
  }
}
