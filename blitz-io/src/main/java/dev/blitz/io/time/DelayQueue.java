package dev.blitz.io.time;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.task.PinnedLock;
import dev.blitz.io.internal.task.RuntimeThread;
import dev.blitz.io.internal.task.StackRoom;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.timer.TickClock;
import dev.blitz.io.internal.timer.TimerEntry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Values that become available each after its own delay: sessions that expire, retries, caches.
 *
 * <p>Thread safe; made inside a runtime, whose clock it follows. One task at a time waits with
 * {@link #next()}; a wait that is dropped loses nothing. A value that is never taken is merely
 * kept.
 *
 * {@snippet :
 * DelayQueue<Session> sessions = DelayQueue.create();
 * DelayQueue.Key<Session> key = sessions.insert(session, Duration.ofMinutes(30));
 * sessions.reset(key, Duration.ofMinutes(30)); // it was used
 * Future<Done> sweeper = sessions.next().map(expired -> expired.close());
 * }
 */
/* Implementation notes
 *
 * `lock` guards expired, waiter and each key's place. The timer wheel's lock is taken inside it (insert,
 * reset, remove) and never the other way round: fire() runs without the wheel's lock. A key is in the
 * wheel, or expired, or gone; its due time tells a fire() that was overtaken by a reset.
 */
public final class DelayQueue<T> {
  private final RuntimeTimers timers;
  private final PinnedLock lock = new PinnedLock();
  private final ArrayDeque<Key<T>> expired = new ArrayDeque<>();
  private @Nullable NextFuture waiter;
  private int size;

  private DelayQueue(RuntimeTimers timers) {
    this.timers = timers;
  }

  /**
   * A queue on the timers of the current runtime.
   *
   * @throws IllegalStateException outside any runtime
   */
  public static <T> DelayQueue<T> create() {
    return new DelayQueue<>(Clocks.current());
  }

  private enum Place {
    WAITING,
    EXPIRED,
    GONE
  }

  /** Names an inserted value, to reset or remove it. */
  public static final class Key<T> {
    private final DelayQueue<T> queue;
    private final T value;
    private final Alarm<T> alarm = new Alarm<>(this);
    private long dueNanos;
    private Place place = Place.WAITING;

    private Key(DelayQueue<T> queue, T value) {
      this.queue = queue;
      this.value = value;
    }

    /** The value. */
    public T value() {
      return value;
    }
  }

  /** The timer of a key. */
  private static final class Alarm<T> extends TimerEntry {
    private final Key<T> key;

    Alarm(Key<T> key) {
      this.key = key;
    }

    @Override
    protected void fire() {
      key.queue.expire(key);
    }
  }

  /** Adds a value that becomes available after {@code delay}. */
  public Key<T> insert(T value, Duration delay) {
    StackRoom.forCalls();
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(delay, "delay");
    var key = new Key<>(this, value);
    lock.lock();
    try {
      size++;
      key.dueNanos = timers.deadlineAfter(delay);
      timers.schedule(key.alarm, RuntimeThread.workerHere(timers), key.dueNanos);
    } finally {
      lock.unlock();
    }
    return key;
  }

  /**
   * Starts the delay of a value anew, also if it has expired but was not taken.
   *
   * @return false if the value was taken or removed before
   */
  public boolean reset(Key<T> key, Duration delay) {
    StackRoom.forCalls();
    Objects.requireNonNull(delay, "delay");
    check(key);
    lock.lock();
    try {
      if (key.place == Place.GONE) {
        return false;
      }
      if (key.place == Place.EXPIRED) {
        expired.remove(key);
        key.place = Place.WAITING;
      }
      key.dueNanos = timers.deadlineAfter(delay);
      timers.reschedule(key.alarm, key.dueNanos);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes a value out.
   *
   * @return false if it was taken or removed before
   */
  public boolean remove(Key<T> key) {
    StackRoom.forCalls();
    check(key);
    lock.lock();
    try {
      if (key.place == Place.GONE) {
        return false;
      }
      if (key.place == Place.EXPIRED) {
        expired.remove(key);
      }
      key.place = Place.GONE;
      timers.cancel(key.alarm);
      size--;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void check(Key<T> key) {
    if (Objects.requireNonNull(key, "key").queue != this) {
      throw new IllegalArgumentException("this key is of another queue");
    }
  }

  private void expire(Key<T> key) {
    NextFuture w;
    lock.lock();
    try {
      // A reset may have overtaken this call: then the value waits again, and another fire() will
      // come.
      boolean due = key.dueNanos != TickClock.NEVER && timers.clock().nowNanos() >= key.dueNanos;
      if (key.place != Place.WAITING || !due) {
        return;
      }
      key.place = Place.EXPIRED;
      expired.add(key);
      w = waiter;
      waiter = null;
    } finally {
      lock.unlock();
    }
    if (w != null) {
      w.wake();
    }
  }

  /** A value whose delay has passed, the first to expire first; null if there is none now. */
  public @Nullable T tryNext() {
    lock.lock();
    try {
      Key<T> key = expired.poll();
      if (key == null) {
        return null;
      }
      key.place = Place.GONE;
      size--;
      return key.value;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the next value whose delay passes. */
  @CheckReturnValue
  public UncheckedFuture<T> next() {
    return new NextFuture();
  }

  /** Values that were inserted and neither taken nor removed. */
  public int size() {
    lock.lock();
    try {
      return size;
    } finally {
      lock.unlock();
    }
  }

  private final class NextFuture implements UncheckedFuture<T> {
    /** Guarded by lock for writing; read by whoever took this waiter out under the lock. */
    private volatile @Nullable Waker waker;

    @Override
    public @Nullable T poll(Context cx) {
      if (!cx.proceed()) {
        return null;
      }
      lock.lock();
      try {
        T value = tryNext();
        if (value != null) {
          forget();
          return value;
        }
        if (waiter != null && waiter != this && !waiter.isObsolete()) {
          throw new IllegalStateException("another task is waiting for this delay queue already");
        }
        waker = cx.waker();
        waiter = this;
        return null;
      } finally {
        lock.unlock();
      }
    }

    private boolean isObsolete() {
      Waker w = waker;
      return w == null || w.isObsolete();
    }

    void wake() {
      Waker w = waker;
      if (w != null) {
        w.wake();
      }
    }

    private void forget() {
      if (waiter == this) {
        waiter = null;
      }
    }

    @Override
    public void drop() {
      lock.lock();
      try {
        forget();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public String toString() {
      return "the next of " + size() + " delayed values";
    }
  }
}
