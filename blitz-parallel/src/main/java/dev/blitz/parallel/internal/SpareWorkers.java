package dev.blitz.parallel.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
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
  private final LongSupplier clock;

  /** Under this object's monitor. */
  private int started;

  /** Workers that block now: written by each that begins or ends to; read by spares. */
  private volatile int blocked;

  /** When it was last said that there is no spare. Plain: if two say it at once, both do. */
  private long saidAt;

  private boolean said;

  /**
   * @param starter starts the spare of a number; called once for each, in order
   * @param threads the thread of a started spare
   * @param exhausted told when a worker blocks for whom there is no spare, now and then
   * @param clock nanoseconds
   */
  SpareWorkers(
      int limit,
      IntConsumer starter,
      IntFunction<@Nullable Thread> threads,
      Runnable exhausted,
      LongSupplier clock) {
    this.clock = clock;
    this.limit = limit;
    this.starter = starter;
    this.threads = threads;
    this.exhausted = exhausted;
  }

  boolean isOnDuty(int spare) {
    return spare < blocked;
  }

  /** How many workers block now. */
  int blocked() {
    return blocked;
  }

  /**
   * A worker is about to block, and will {@link #exit}. Throws nothing: it has a {@link
   * StackReserve}, and where no thread is to be had it blocks without a spare.
   *
   * @return whether a spare stands in
   */
  boolean enter() {
    int spare = (int) BLOCKED.getAndAdd(this, 1);
    if (spare >= limit || !tryStartUpTo(spare)) {
      sayNowAndThen();
      return false;
    }
    LockSupport.unpark(threads.apply(spare));
    return true;
  }

  private boolean tryStartUpTo(int spare) {
    try {
      startUpTo(spare);
      return true;
    } catch (Throwable noThread) {
      return false;
    }
  }

  private void sayNowAndThen() {
    long now = clock.getAsLong();
    if (!said || now - saidAt >= Tuning.SAY_AGAIN_NANOS) {
      said = true;
      saidAt = now;
      exhausted.run();
    }
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
