package dev.blitz.io.time;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.timer.TickClock;
import dev.blitz.io.internal.wait.Watched;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Values that become available each after its own delay: sessions that expire, retries, caches.
 * They come in the order of their deadlines, and those with the same one in that of their inserts.
 *
 * <p>Thread safe; made inside a runtime, whose clock it follows, and used from anywhere. Those who
 * wait with {@link #next()} are served first come, first served; a wait that is dropped loses
 * nothing. A value that is never taken is merely kept, and needs no timer while nobody waits.
 *
 * {@snippet :
 * DelayQueue<Session> sessions = DelayQueue.create();
 * DelayQueue.Key<Session> key = sessions.insert(session, Duration.ofMinutes(30));
 * sessions.reset(key, Duration.ofMinutes(30)); // it was used
 * sessions.next().await().close(); // in a direct task, for ever
 * }
 */
/* Implementation notes
 *
 * A value that was handed over is out of `keys`; if its waiter is dropped it comes back with its old deadline, hence
 * to its old place: by `returned`, as for a place in `keys` there may be no memory. One that is reset goes the same way
 * to its new place.
 *
 * All keys are ordered, not only those that are due: the wheel tells of the timers of one tick in any order, and a
 * waiter could take the second before it has heard of the first.
 */
public final class DelayQueue<T> extends TimedQueue {
  private static final Comparator<Key<?>> BY_DEADLINE =
      Comparator.<Key<?>>comparingLong(k -> k.dueNanos).thenComparingLong(k -> k.number);

  private final RuntimeTimers timers;
  private final TreeSet<Key<T>> keys = new TreeSet<>(BY_DEADLINE);

  /** Given back or reset, and not in {@link #keys} yet; under the lock. */
  private @Nullable Key<T> returned;

  private long inserted;

  private DelayQueue(RuntimeTimers timers) {
    super(timers);
    this.timers = timers;
  }

  /**
   * A queue on the timers of the current runtime.
   *
   * @throws IllegalStateException outside any runtime
   */
  public static <T> DelayQueue<T> create() {
    return new DelayQueue<>(Current.required("a timer").timers());
  }

  /** Names an inserted value, to reset or remove it. */
  public static final class Key<T> {
    private final DelayQueue<T> queue;
    private final T value;
    private final long number;

    /** Changes only while the key is not in the queue. */
    private long dueNanos;

    /** The next of {@link DelayQueue#returned}. */
    private @Nullable Key<T> next;

    private Key(DelayQueue<T> queue, T value, long number) {
      this.queue = queue;
      this.value = value;
      this.number = number;
    }

    /** The value. */
    public T value() {
      return value;
    }
  }

  /**
   * Adds a value that becomes available after {@code delay}.
   *
   * @throws IllegalStateException if the queue's runtime is closed
   */
  public Key<T> insert(T value, Duration delay) {
    StackRoom.forCalls();
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(delay, "delay");
    Key<T> key;
    Link served;
    waiting.lock();
    try {
      alarm.refuseIfClosed();
      key = new Key<>(this, value, inserted++);
      key.dueNanos = timers.deadlineAfter(delay);
      keys.add(key);
      served = serve();
    } finally {
      waiting.unlock();
    }
    alarm.tellAndWake(served);
    return key;
  }

  /**
   * Starts the delay of a value anew, also if it has passed but the value was not taken.
   *
   * @return false if the value was taken, or promised to one who waits, or removed before
   * @throws IllegalStateException if the queue's runtime is closed
   */
  public boolean reset(Key<T> key, Duration delay) {
    StackRoom.forCalls();
    Objects.requireNonNull(delay, "delay");
    check(key);
    Link served;
    waiting.lock();
    try {
      alarm.refuseIfClosed();
      count();
      if (!takeOut(key)) {
        return false;
      }
      key.dueNanos = timers.deadlineAfter(delay);
      comeBack(key);
      served = serve();
    } finally {
      waiting.unlock();
    }
    alarm.tellAndWake(served);
    return true;
  }

  /**
   * Takes a value out.
   *
   * @return false if it was taken, or promised to one who waits, or removed before
   */
  public boolean remove(Key<T> key) {
    StackRoom.forCalls();
    check(key);
    Link served;
    waiting.lock();
    try {
      count();
      if (!takeOut(key)) {
        return false;
      }
      served = serve();
    } finally {
      waiting.unlock();
    }
    alarm.tellAndWake(served);
    return true;
  }

  private void check(Key<T> key) {
    if (Objects.requireNonNull(key, "key").queue != this) {
      throw new IllegalArgumentException("this key is of another queue");
    }
  }

  /** A value whose delay has passed and for which nobody waits; null if there is none now. */
  public @Nullable T tryNext() {
    StackRoom.forCalls();
    Link served;
    Key<T> key;
    waiting.lock();
    try {
      served = serve();
      key = waiting.isEmpty() ? takeDue() : null;
    } finally {
      waiting.unlock();
    }
    alarm.tellAndWake(served);
    return key == null ? null : key.value;
  }

  /**
   * Waits for the next value whose delay passes. Fails with {@link IllegalStateException} when the
   * queue's runtime is closed.
   */
  @CheckReturnValue
  public UncheckedFuture<T> next() {
    return Watched.unchecked(new Next<>(this));
  }

  /** Values that were inserted and neither taken nor removed, nor promised to one who waits. */
  public int size() {
    waiting.lock();
    try {
      count();
      int size = keys.size();
      for (Key<T> back = returned; back != null; back = back.next) {
        size++;
      }
      return size;
    } finally {
      waiting.unlock();
    }
  }

  // --- Under the lock ---

  /** What was given back is in its place again, before anybody looks; else soon. */
  @Override
  void count() {
    for (Key<T> back = returned; back != null; back = returned) {
      try {
        keys.add(back);
      } catch (OutOfMemoryError e) {
        return;
      }
      returned = back.next;
      back.next = null;
    }
  }

  private void comeBack(Key<T> key) {
    key.next = returned;
    returned = key;
  }

  /** False if it is not here. */
  private boolean takeOut(Key<T> key) {
    if (keys.remove(key)) {
      return true;
    }
    Key<T> before = null;
    for (Key<T> back = returned; back != null; back = back.next) {
      if (back == key) {
        if (before == null) {
          returned = back.next;
        } else {
          before.next = back.next;
        }
        back.next = null;
        return true;
      }
      before = back;
    }
    return false;
  }

  /** The first key if its delay has passed; it is taken out. */
  private @Nullable Key<T> takeDue() {
    if (keys.isEmpty()) {
      return null;
    }
    Key<T> first = keys.first();
    if (first.dueNanos == TickClock.NEVER || first.dueNanos > alarm.nowNanos()) {
      return null;
    }
    keys.remove(first);
    return first;
  }

  @Override
  long dueNanos() {
    long first = keys.isEmpty() ? TickClock.NEVER : keys.first().dueNanos;
    for (Key<T> back = returned; back != null; back = back.next) {
      first = Math.min(first, back.dueNanos); // if it is due: the next tick looks again
    }
    return first;
  }

  private static final class Next<T> extends Wait<T> {
    private final DelayQueue<T> queue;

    /** Written under the lock, before the outcome; then the owner's. */
    private @Nullable Key<T> handed;

    Next(DelayQueue<T> queue) {
      super(queue);
      this.queue = queue;
    }

    @Override
    boolean take() {
      handed = queue.takeDue();
      return handed != null;
    }

    @Override
    void giveBack() {
      Key<T> back = Objects.requireNonNull(handed);
      queue.comeBack(back);
      handed = null;
    }

    @Override
    T taken() {
      T value = Objects.requireNonNull(handed).value;
      handed = null;
      return value;
    }

    @Override
    public String toString() {
      return "the next of " + queue.size() + " delayed values";
    }
  }
}
