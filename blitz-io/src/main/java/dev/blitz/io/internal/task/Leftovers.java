package dev.blitz.io.internal.task;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs virtual threads whose runtime has closed. A virtual thread cannot change its scheduler, and
 * one that nobody runs any more would be held for ever; so these go on here until they end. The
 * threads are daemons, and end by themselves when there is nothing to run.
 */
public final class Leftovers {
  private Leftovers() {}

  /** Enough that a few which block their thread do not hold up the others. */
  private static final int THREADS = Math.max(4, Runtime.getRuntime().availableProcessors());

  private static final long KEEP_ALIVE_MILLIS = 200;

  private static final ThreadPoolExecutor POOL = pool();

  private static ThreadPoolExecutor pool() {
    var pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            KEEP_ALIVE_MILLIS,
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            r -> {
              var thread = new Thread(null, r, "blitz-leftovers", 0, false);
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** Runs a continuation; one that cannot run now does nothing. */
  public static void run(Runnable continuation) {
    POOL.execute(continuation);
  }
}
