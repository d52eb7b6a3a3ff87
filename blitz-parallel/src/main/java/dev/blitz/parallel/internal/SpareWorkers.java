package dev.blitz.parallel.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many extra workers stand in for blocked ones: spare number {@code k} is on duty while
 * more than {@code k} workers are blocked. Spares are started when first needed and then kept,
 * parked.
 */
final class SpareWorkers {
  private static final VarHandle BLOCKED;

  static {
    try {
      BLOCKED = MethodHandles.lookup().findVarHandle(SpareWorkers.class, "blocked", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int limit;
  private final IntConsumer starter;
  private final IntFunction<@Nullable Thread> threads;
  private final Runnable exhausted;
  private int started;

  private volatile int blocked;

  /**
   * @param starter starts the spare of a number; called once for each, in order
   * @param threads the thread of a started spare
   * @param exhausted told when a worker blocks for whom there is no spare, once until it is over
   */
  SpareWorkers(
      int limit, IntConsumer starter, IntFunction<@Nullable Thread> threads, Runnable exhausted) {
    this.limit = limit;
    this.starter = starter;
    this.threads = threads;
    this.exhausted = exhausted;
  }

  boolean isOnDuty(int spare) {
    return spare < blocked;
  }

  /** A worker is about to block. */
  void enter() {
    int spare = (int) BLOCKED.getAndAdd(this, 1);
    if (spare >= limit) {
      if (spare == limit) {
        exhausted.run();
      }
      return;
    }
    try {
      startUpTo(spare);
    } catch (Throwable t) {
      exit();
      throw t;
    }
    LockSupport.unpark(threads.apply(spare));
  }

  private synchronized void startUpTo(int spare) {
    while (started <= spare) {
      starter.accept(started);
      started++;
    }
  }

  /** It is back. Spares notice when they are between jobs. */
  void exit() {
    BLOCKED.getAndAdd(this, -1);
  }
}
