package dev.blitz.parallel.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One event that one thread waits for.
 *
 * <p>A latch knows the latch within which it was made: the event of that one comes later, because
 * it needs this one. So "does this job belong to what I wait for" is a walk upwards.
 *
 * <pre>
 * FROM              TO        TRIGGER                      ACTOR    ORDERING
 * UNSET             SLEEPY    about to sleep               waiter   CAS
 * SLEEPY            SLEEPING  last step before the counts  waiter   CAS
 * SLEEPY, SLEEPING  UNSET     woken for another reason     waiter   CAS
 * any               SET       the event                    setter   swap; releases what was written before
 * </pre>
 *
 * <p>The setter wakes the waiter only when it finds SLEEPING. Why none is lost: {@code
 * docs/design/parallel-sleep.md}.
 */
public class Latch {
  static final int UNSET = 0;
  static final int SLEEPY = 1;
  static final int SLEEPING = 2;
  static final int SET = 3;

  private static final VarHandle STATE = Fields.of(MethodHandles.lookup(), "state", int.class);

  @SuppressWarnings("unused") // through STATE
  private volatile int state;

  private final Thread waiter;
  private final @Nullable Latch parent;
  private final int depth;

  /**
   * An unset latch.
   *
   * @param waiter the only thread that will wait for it
   * @param parent what cannot be set before this one is; null for none
   */
  public Latch(Thread waiter, @Nullable Latch parent) {
    this.waiter = waiter;
    this.parent = parent;
    this.depth = parent == null ? 0 : parent.depth + 1;
  }

  /** Whether {@code other} is this latch or one that this was made within. */
  @SuppressWarnings("ReferenceEquality") // the very latch is meant
  final boolean isWithin(Latch other) {
    Latch latch = this;
    while (latch != null && latch.depth > other.depth) {
      latch = latch.parent;
    }
    return latch == other;
  }

  /** Owner of a scope: a job that only this latch knows of; null for none. */
  @Nullable Job takeOwn() {
    return null;
  }

  /**
   * Whether the event happened; acquires what was written before it.
   *
   * @return true once set
   */
  public final boolean isSet() {
    return (int) STATE.getAcquire(this) == SET;
  }

  /** The waiter will sleep soon. False: the event has happened. */
  final boolean becomeSleepy() {
    return STATE.compareAndSet(this, UNSET, SLEEPY);
  }

  /** The waiter sleeps unless it is told otherwise. False: the event has happened. */
  final boolean fallAsleep() {
    return STATE.compareAndSet(this, SLEEPY, SLEEPING);
  }

  /** The waiter is awake again. */
  final void wakeUp() {
    if (!STATE.compareAndSet(this, SLEEPING, UNSET)) {
      STATE.compareAndSet(this, SLEEPY, UNSET);
    }
  }

  /** Sets the latch and wakes its waiter if that sleeps. */
  final void set() {
    if (setAndSeeSleeper()) {
      if (waiter instanceof WorkerThread worker) {
        worker.wake();
      } else {
        LockSupport.unpark(waiter);
      }
    }
  }

  /** The transition alone; true when the waiter slept and must be woken. */
  final boolean setAndSeeSleeper() {
    return (int) STATE.getAndSet(this, SET) == SLEEPING;
  }

  /**
   * Blocks a thread that is no worker. An interrupt does not end the wait, because the job it waits
   * for cannot be undone; the flag is set again on return.
   */
  final void awaitOutsidePool() {
    Spinning.spinUntil(this, Tuning.CALLER_SPIN_NANOS);
    boolean interrupted = false;
    while (!isSet()) {
      if (becomeSleepy() && fallAsleep()) {
        while (!isSet()) {
          LockSupport.park(this);
          if (Thread.interrupted()) {
            interrupted = true;
            waiterInterrupted();
          }
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The waiter, outside the pool, was interrupted, and goes on waiting. */
  void waiterInterrupted() {}

  private static String name(int state) {
    return switch (state) {
      case UNSET -> "UNSET";
      case SLEEPY -> "SLEEPY";
      case SLEEPING -> "SLEEPING";
      default -> "SET";
    };
  }

  @Override
  public String toString() {
    return "Latch[" + name((int) STATE.getVolatile(this)) + "]";
  }
}
