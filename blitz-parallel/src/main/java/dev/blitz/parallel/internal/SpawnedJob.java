package dev.blitz.parallel.internal;

import dev.blitz.parallel.Action;
import java.util.function.Consumer;

/** Fire and forget: nobody waits, so a failure goes to a handler. */
record SpawnedJob(PoolCore pool, Action<?> action, Consumer<? super Throwable> onFailure)
    implements Job {
  @Override
  public void execute(WorkerThread worker) {
    int base = worker.bottom;
    try {
      action.run();
    } catch (Throwable t) {
      report(worker, t);
    }
    worker.leaveForks(base);
    pool.rootEnded();
  }

  private void report(WorkerThread worker, Throwable failure) {
    try {
      onFailure.accept(failure);
    } catch (Throwable inHandler) {
      Throwing.suppress(inHandler, failure);
      uncaught(worker, inHandler);
    }
  }

  /** Tells the thread's handler, as for any thread that dies of a failure; this one lives on. */
  static void uncaught(Thread thread, Throwable failure) {
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    } catch (Throwable ignored) {
      // As the JVM does: a throwing handler of last resort has nobody left to tell.
    }
  }
}
