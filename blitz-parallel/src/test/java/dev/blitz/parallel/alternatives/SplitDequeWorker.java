package dev.blitz.parallel.alternatives;

import dev.blitz.parallel.IntWork;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A deque with a private part: jobs are allocated for every fork, but published, oldest first, only
 * when a thief asked. The owner's pop needs a fence only for published jobs.
 */
final class SplitDequeWorker extends Thread {
  private static final VarHandle TOP;
  private static final VarHandle SPLIT;
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(AllocatedFork[].class);
  private static final int CAPACITY = 1 << 12;

  static {
    try {
      TOP = MethodHandles.lookup().findVarHandle(SplitDequeWorker.class, "top", long.class);
      SPLIT = MethodHandles.lookup().findVarHandle(SplitDequeWorker.class, "split", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final @Nullable AllocatedFork[] slots = new AllocatedFork[CAPACITY];

  @SuppressWarnings("UnusedVariable") // through TOP
  private long top;

  private long split;
  private long bottom;
  private volatile boolean asked;

  SplitDequeWorker(Runnable body) {
    super(body, "split-deque");
  }

  static int join(IntWork<RuntimeException> a, IntWork<RuntimeException> b) {
    if (!(Thread.currentThread() instanceof SplitDequeWorker worker)) {
      throw new IllegalStateException("not on a worker");
    }
    var fork = new AllocatedFork(b);
    worker.push(fork);
    int left = a.run();
    return left + (worker.pop() ? b.run() : fork.await());
  }

  private void push(AllocatedFork fork) {
    long b = bottom;
    SLOT.setOpaque(slots, (int) b & (CAPACITY - 1), fork);
    bottom = b + 1;
    if (asked) {
      asked = false;
      SPLIT.setRelease(this, split + 1);
    }
  }

  private boolean pop() {
    long b = bottom - 1;
    bottom = b;
    return b >= split || popPublished(b);
  }

  private boolean popPublished(long b) {
    SPLIT.setOpaque(this, b);
    VarHandle.fullFence();
    long t = (long) TOP.getOpaque(this);
    if (b > t) {
      return true;
    }
    boolean won = b == t && TOP.compareAndSet(this, t, t + 1);
    bottom = b + 1;
    SPLIT.setOpaque(this, b + 1);
    return won;
  }

  /** By thieves. */
  @Nullable AllocatedFork steal() {
    long t = (long) TOP.getAcquire(this);
    VarHandle.fullFence();
    if (t >= (long) SPLIT.getAcquire(this)) {
      asked = true;
      return null;
    }
    var fork = (AllocatedFork) SLOT.getAcquire(slots, (int) t & (CAPACITY - 1));
    return TOP.compareAndSet(this, t, t + 1) ? fork : null;
  }
}
