package dev.blitz.parallel.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The bed of one worker: a flag that exactly one waker clears, and the thread to unpark. */
final class Sleeper {
  private static final VarHandle BLOCKED;

  static {
    try {
      BLOCKED = MethodHandles.lookup().findVarHandle(Sleeper.class, "blocked", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile int blocked;
  private volatile @Nullable Thread thread;

  void block(Thread current) {
    thread = current;
    blocked = 1;
  }

  boolean isBlocked() {
    return blocked == 1;
  }

  /** True for exactly one caller per {@link #block}, who then owes the counters one sleeper. */
  boolean tryUnblock() {
    return blocked == 1 && BLOCKED.compareAndSet(this, 1, 0);
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
