package dev.blitz.parallel.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The bed of one worker: a flag that exactly one waker clears, and the thread to unpark.
 *
 * <pre>
 * FROM        TO          TRIGGER                             ACTOR           ORDERING
 * AWAKE       FOR_ANY     will sleep until anything comes     its worker      volatile
 * AWAKE       FOR_LATCH   will sleep until help is wanted     its worker      volatile
 * FOR_*       AWAKE       woken, or has changed its mind      waker or it     CAS
 * </pre>
 *
 * <p>{@code thread} and {@code latch} are written before the flag and read after it. The latch may
 * already be that of the next sleep when it is read: then somebody is woken in vain.
 */
final class Sleeper {
  private static final VarHandle BLOCKED = Fields.of(MethodHandles.lookup(), "blocked", int.class);

  static final int AWAKE = 0;
  static final int FOR_ANY = 1;
  static final int FOR_LATCH = 2;

  private volatile int blocked;
  private volatile @Nullable Latch latch;
  private volatile @Nullable Thread thread;

  void block(Thread current) {
    thread = current;
    blocked = FOR_ANY;
  }

  /** Sleeps until the latch is set, or somebody wants help with what is within it. */
  void blockFor(Latch awaited, Thread current) {
    thread = current;
    latch = awaited;
    blocked = FOR_LATCH;
  }

  /** Its worker is awake: what it has waited for is not kept alive by its bed. */
  void forgetLatch() {
    latch = null;
  }

  boolean isBlocked() {
    return blocked != AWAKE;
  }

  /** AWAKE, FOR_ANY or FOR_LATCH. */
  int blocked() {
    return blocked;
  }

  /** Whether it waits for something that a job within {@code within} belongs to. */
  boolean helpsWith(Latch within) {
    Latch awaited = latch;
    return blocked == FOR_LATCH && awaited != null && within.isWithin(awaited);
  }

  /** True for exactly one caller per sleep, who then owes the count of that kind one sleeper. */
  boolean tryUnblock(int kind) {
    return blocked == kind && BLOCKED.compareAndSet(this, kind, AWAKE);
  }

  void unpark() {
    LockSupport.unpark(thread);
  }

  /**
   * Parks until unblocked; returns whether the thread was interrupted meanwhile (and clears that).
   */
  boolean park() {
    boolean interrupted = Thread.interrupted();
    while (isBlocked()) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    return interrupted;
  }
}
