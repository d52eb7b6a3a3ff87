package dev.blitz.parallel.alternatives;

import dev.blitz.parallel.IntWork;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The baseline: every fork is a job in a Chase-Lev deque, and every pop has a full fence. */
final class ChaseLevWorker extends Thread {
  private static final VarHandle TOP;
  private static final VarHandle BOTTOM;
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(AllocatedFork[].class);
  private static final int CAPACITY = 1 << 12;

  static {
    try {
      TOP = MethodHandles.lookup().findVarHandle(ChaseLevWorker.class, "top", long.class);
      BOTTOM = MethodHandles.lookup().findVarHandle(ChaseLevWorker.class, "bottom", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final @Nullable AllocatedFork[] slots = new AllocatedFork[CAPACITY];

  @SuppressWarnings("UnusedVariable") // through TOP
  private long top;

  private long bottom;

  ChaseLevWorker(Runnable body) {
    super(body, "chase-lev");
  }

  static int join(IntWork<RuntimeException> a, IntWork<RuntimeException> b) {
    if (!(Thread.currentThread() instanceof ChaseLevWorker worker)) {
      throw new IllegalStateException("not on a worker");
    }
    var fork = new AllocatedFork(b);
    worker.push(fork);
    int left = a.run();
    return left + (worker.pop() == null ? fork.await() : b.run());
  }

  private void push(AllocatedFork fork) {
    long b = bottom;
    SLOT.setOpaque(slots, (int) b & (CAPACITY - 1), fork);
    BOTTOM.setRelease(this, b + 1);
  }

  private @Nullable AllocatedFork pop() {
    long b = bottom - 1;
    BOTTOM.setOpaque(this, b);
    VarHandle.fullFence();
    long t = (long) TOP.getOpaque(this);
    if (b < t) {
      BOTTOM.setOpaque(this, b + 1);
      return null;
    }
    AllocatedFork fork = slots[(int) b & (CAPACITY - 1)];
    if (b == t) {
      boolean won = TOP.compareAndSet(this, t, t + 1);
      BOTTOM.setOpaque(this, b + 1);
      return won ? fork : null;
    }
    return fork;
  }

  /** By thieves. */
  @Nullable AllocatedFork steal() {
    long t = (long) TOP.getAcquire(this);
    VarHandle.fullFence();
    if (t >= (long) BOTTOM.getAcquire(this)) {
      return null;
    }
    var fork = (AllocatedFork) SLOT.getAcquire(slots, (int) t & (CAPACITY - 1));
    return TOP.compareAndSet(this, t, t + 1) ? fork : null;
  }
}
