package dev.blitz.parallel.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Extra workers that stand in for blocked ones. Spares are started when first needed and then kept,
 * parked.
 *
 * <p>Who blocks puts one spare on duty, which no other has put there and which is not stuck itself:
 * it may run a job, but does not wait. A spare on duty that gets stuck, because its job blocks or
 * waits for others, puts another one on duty meanwhile. So behind all who block there is always a
 * worker that runs or is free to: without it the others might all wait for one that blocks, and
 * that one for a job which nobody takes.
 */
/*
 * Implementation notes
 *
 * Orderings:
 *   field      writer                                 reader                      mode               pairs with
 *   states[k]  DUTY: who blocks, CAS from 0, and the  who blocks; the spare, for  CAS, swap of bits  each other: a spare that is stuck
 *              same one clears it; STUCK: the spare   whether it goes home                           is not put on duty, and one that
 *                                                                                                    is on duty sees it when it gets stuck
 *   blocked    who blocks                             whoever shows it            swap of the sum    nothing: it is only shown
 */
final class SpareWorkers {
  /** Bits of a spare's state: it stands in for somebody; its job blocks or sleeps in a wait. */
  private static final int DUTY = 1;

  private static final int STUCK = 2;

  /** No spare: what a regular worker is, and what stands in for who has none. */
  static final int NONE = -1;

  private static final VarHandle BLOCKED = Fields.of(MethodHandles.lookup(), "blocked", int.class);
  private static final VarHandle STATES = MethodHandles.arrayElementVarHandle(int[].class);

  private final int[] states;
  private final IntConsumer starter;
  private final IntFunction<@Nullable Thread> threads;
  private final Runnable exhausted;
  private final LongSupplier clock;

  /** Under this object's monitor. */
  private int started;

  /** Workers that block now. */
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
    this.states = new int[limit];
    this.starter = starter;
    this.threads = threads;
    this.exhausted = exhausted;
  }

  boolean isOnDuty(int spare) {
    return ((int) STATES.getVolatile(states, spare) & DUTY) != 0;
  }

  /** How many workers block now. */
  int blocked() {
    return blocked;
  }

  /**
   * A worker is about to block, and will {@link #exit}. Throws nothing: it has a {@link
   * StackReserve}, and where no thread is to be had it blocks without a spare. If it is a spare, it
   * {@link #isNewlyStuck} already.
   *
   * @return the spare that stands in, or {@link #NONE}
   */
  int enter() {
    BLOCKED.getAndAdd(this, 1);
    for (int spare = 0; spare < states.length; spare++) {
      if (STATES.compareAndSet(states, spare, 0, DUTY)) {
        if (tryStartUpTo(spare)) {
          LockSupport.unpark(threads.apply(spare));
          return spare;
        }
        STATES.getAndBitwiseAnd(states, spare, ~DUTY);
        break;
      }
    }
    sayNowAndThen();
    return NONE;
  }

  /**
   * A spare, the current thread, is about to block or to sleep in a wait.
   *
   * @return false: it was stuck already, further out
   */
  boolean isNewlyStuck(int spare) {
    return spare != NONE && ((int) STATES.getAndBitwiseOr(states, spare, STUCK) & STUCK) == 0;
  }

  /** It goes on. */
  void unstick(int spare) {
    STATES.getAndBitwiseAnd(states, spare, ~STUCK);
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
  void exit(int spare) {
    if (spare != NONE) {
      STATES.getAndBitwiseAnd(states, spare, ~DUTY);
    }
    BLOCKED.getAndAdd(this, -1);
  }
}
