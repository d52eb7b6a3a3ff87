package dev.blitz.io.sync;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.internal.wait.Watched;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A lock that one task at a time holds, across suspensions: a {@link Semaphore} with one permit.
 *
 * {@snippet :
 * Mutex mutex = Mutex.create("accounts");
 * try (var guard = mutex.lock().await()) { // direct style
 *   transfer();
 * }
 *
 * Future<Done> stackless = mutex.lock().andThen(guard -> transferAsync().whenDone(guard::close));
 *
 * if (mutex.tryLock()) { // allocates nothing
 *   try {
 *     transfer();
 *   } finally {
 *     mutex.unlock();
 *   }
 * }
 * }
 *
 * <p>First come, first served: unlocking hands the lock straight to the one that has waited
 * longest. A {@linkplain #barging() barging} mutex is less strict, and faster where many want it.
 *
 * <p>Not re-entrant: a task that locks what it holds waits for itself for ever. The lock belongs to
 * no thread, so nothing notices that by default; a {@link #checked} mutex does. The guard may be
 * closed by another task or thread. What lasts a few instructions and never awaits is better
 * guarded by an ordinary lock.
 */
public final class Mutex extends PermitQueue {
  private final boolean checked;

  /** The task or thread that has a checked mutex; a hint for others, exact for itself. */
  private volatile @Nullable Object holder;

  private Mutex(@Nullable String name, boolean checked, boolean barging) {
    super(name, 1, 1, barging);
    this.checked = checked;
  }

  /** A free mutex. */
  public static Mutex create() {
    return new Mutex(null, false, false);
  }

  /** A free mutex with a name for messages and dumps. */
  public static Mutex create(String name) {
    return new Mutex(Objects.requireNonNull(name, "name"), false, false);
  }

  /**
   * A free mutex that remembers who holds it, for debugging: messages and dumps say so, and {@link
   * #lock()} fails when the task, or the thread outside of tasks, that asks is the holder, and
   * {@link #unlock()} when it is not. Not for a task whose branches, joined or raced, lock the same
   * mutex one after the other: they count as one.
   */
  public static Mutex checked(String name) {
    return new Mutex(Objects.requireNonNull(name, "name"), true, false);
  }

  /**
   * A free mutex that is not handed over: who asks while it is free has it, also before those who
   * wait; the oldest of them is woken to try, and keeps its place. That may happen 16 times to one
   * who waits; then the lock is handed to it. So nobody starves, and tasks that lock briefly and
   * often do not change places each time. Those who wait are still served in their order.
   */
  public static Mutex barging() {
    return new Mutex(null, false, true);
  }

  /** The same, with a name for messages and dumps. */
  public static Mutex barging(String name) {
    return new Mutex(Objects.requireNonNull(name, "name"), false, true);
  }

  /**
   * Waits for the lock.
   *
   * <p>Of a {@linkplain #checked checked} mutex the future ends with {@link IllegalStateException}
   * if the holder itself asks.
   */
  @CheckReturnValue
  public UncheckedFuture<Guard> lock() {
    return Watched.unchecked(new Lock(this));
  }

  /**
   * Takes the lock if it is free and nobody waits (of a {@linkplain #barging() barging} mutex: if
   * it is free); to be given back by {@link #unlock()}.
   */
  public boolean tryLock() {
    boolean taken = tryTake(1);
    if (checked && taken) {
      holder = here();
    }
    return taken;
  }

  /**
   * Gives the lock back that {@link #tryLock()} took. Who does not hold it must not call this; only
   * a {@linkplain #checked checked} mutex notices.
   *
   * @throws IllegalStateException if it is not locked, or checked and not locked by the caller
   */
  public void unlock() {
    StackRoom.forCalls();
    if (checked && isLocked() && holder != here()) {
      throw new IllegalStateException(
          "unlock() on " + this + ": " + label(here()) + " does not hold it");
    }
    free();
  }

  /** Gives the lock back, for whoever has a right to it. */
  private void free() {
    if (checked) {
      holder = null;
    }
    give(1, 1, 1);
  }

  /** Whether somebody holds it, or it is being handed over. */
  public boolean isLocked() {
    return available() == 0;
  }

  private static Object here() {
    Object task = Caller.task();
    return task == null ? Thread.currentThread() : task;
  }

  private void checkNotMine() {
    Object now = holder;
    if (now != null && now == here()) {
      throw new IllegalStateException(
          "lock() on "
              + this
              + ": the caller holds it already and would wait for itself;"
              + " pass the guard on, or close it before");
    }
  }

  @Override
  IllegalStateException notHeld(int given, int out) {
    return new IllegalStateException("unlock() on " + this + ": nobody has locked it");
  }

  @Override
  public String toString() {
    Object by = holder;
    String state = isLocked() ? "locked" : "free";
    return describe("Mutex", by == null ? state : "locked by " + label(by));
  }

  private static String label(Object holder) {
    return holder instanceof JoinCell<?> task ? task.label() : Telling.of((Thread) holder);
  }

  /** Has the lock until it is closed, by whatever task or thread. */
  public interface Guard extends AutoCloseable {
    /** Gives the lock back. Closing again does nothing. */
    @Override
    void close();
  }

  private static final class Lock extends PermitWait<Mutex>
      implements UncheckedFuture<Guard>, Guard {
    Lock(Mutex mutex) {
      super(mutex, 1);
    }

    @Override
    public @Nullable Guard poll(Context cx) {
      if (queue.checked && !isArmed()) {
        queue.checkNotMine();
      }
      if (!acquire(cx)) {
        return null;
      }
      if (queue.checked) {
        queue.holder = here();
      }
      return this;
    }

    @Override
    void giveBack() {
      queue.free();
    }

    @Override
    public void close() {
      if (end()) {
        giveBack();
      }
    }

    @Override
    String what() {
      return "the lock";
    }
  }
}
