package dev.blitz.io.internal.direct;

import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.internal.base.Machine;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs virtual threads whose runtime has closed. A virtual thread cannot change its scheduler, and
 * one that nobody runs any more would be held for ever; so these go on here until they end. The
 * threads are daemons, and end by themselves when there is nothing to run.
 *
 * <p>A few threads serve the whole JVM. As long as all of them are blocked, by virtual threads that
 * cannot leave them (native frames, class initialisers, endless loops), one more is started every
 * few milliseconds. So those that block may wait for each other and for those that are queued, and
 * there are never more threads than the few and one for each virtual thread that blocks.
 */
/* Implementation notes
 *
 * The minder is a thread that lives while something is queued. `minded` says that there is one: whoever queues
 * something looks after that, and the minder clears it and then looks at the queue once more; one of them sees the
 * other.
 *
 * The pool's locks are the JDK's, and those who unpark orphans may be virtual threads and workers: therefore pinned.
 */
public final class Leftovers {
  private Leftovers() {}

  private static final int FEW = Math.max(4, Runtime.getRuntime().availableProcessors());

  private static final long KEEP_ALIVE_MILLIS = 200;

  /** Between two looks of the minder: long for a stretch of a virtual thread, short for people. */
  private static final long LOOK_NANOS = 5_000_000;

  private static final ThreadPoolExecutor POOL = pool();
  private static final AtomicBoolean MINDED = new AtomicBoolean();

  private static ThreadPoolExecutor pool() {
    var pool =
        new ThreadPoolExecutor(
            FEW,
            FEW,
            KEEP_ALIVE_MILLIS,
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            r -> Machine.daemon("blitz-leftovers", r));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** Runs a continuation; one that cannot run now does nothing. */
  public static void run(Runnable continuation) {
    boolean pinned = CarrierAccess.pin();
    try {
      POOL.execute(continuation);
      if (!POOL.getQueue().isEmpty() && !MINDED.get() && MINDED.compareAndSet(false, true)) {
        startMinder();
      }
    } finally {
      if (pinned) {
        CarrierAccess.unpin();
      }
    }
  }

  private static void startMinder() {
    try {
      Machine.REAL.start(Machine.daemon("blitz-leftovers-minder", Leftovers::mind));
    } catch (Throwable noThread) {
      MINDED.set(false); // the next one tries again; what is queued waits for the threads there are
    }
  }

  private static void mind() {
    do {
      long ended = POOL.getCompletedTaskCount();
      while (!POOL.getQueue().isEmpty()) {
        LockSupport.parkNanos(LOOK_NANOS);
        long now = POOL.getCompletedTaskCount();
        if (now == ended && !POOL.getQueue().isEmpty()) {
          addThread();
        }
        ended = now;
      }
      POOL.setCorePoolSize(FEW); // those that are idle end; those that run do so afterwards
      POOL.setMaximumPoolSize(FEW);
      MINDED.set(false);
    } while (!POOL.getQueue().isEmpty() && MINDED.compareAndSet(false, true));
  }

  /** Nothing has moved since the last look, and something is queued. */
  private static void addThread() {
    int more = POOL.getPoolSize() + 1;
    try {
      POOL.setMaximumPoolSize(Math.max(FEW, more));
      POOL.setCorePoolSize(Math.max(FEW, more)); // starts a thread for what is queued
    } catch (Throwable noThread) {
      FailureLog.tryLog(System.Logger.Level.DEBUG, "no further thread for leftovers", noThread);
    }
  }
}
