package dev.blitz.io.time;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.LinkList;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.timer.TickClock;
import dev.blitz.io.internal.wait.WaitFuture;
import dev.blitz.io.internal.wait.Waiter;
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
 * `waiting` is the lock of everything here. What is due goes to the oldest waiter as soon as somebody looks: the
 * alarm, an insert, a newcomer. A value that was handed over is out of `keys`; if its waiter is dropped it comes back
 * with its old deadline, hence to its old place. While somebody waits, the alarm is set for the first key.
 *
 * All keys are ordered, not only those that are due: the wheel tells of the timers of one tick in any order, and a
 * waiter could take the second before it has heard of the first.
 */
public final class DelayQueue<T> {
  private static final Comparator<Key<?>> BY_DEADLINE =
      Comparator.<Key<?>>comparingLong(k -> k.dueNanos).thenComparingLong(k -> k.number);

  private final RuntimeTimers timers;
  private final WaitAlarm alarm;
  private final LinkList waiting = new LinkList();
  private final TreeSet<Key<T>> keys = new TreeSet<>(BY_DEADLINE);
  private long inserted;

  private DelayQueue(RuntimeTimers timers) {
    this.timers = timers;
    this.alarm = new WaitAlarm(timers, this::onTime);
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
      if (!keys.remove(key)) {
        return false;
      }
      key.dueNanos = timers.deadlineAfter(delay);
      keys.add(key);
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
      if (!keys.remove(key)) {
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
    return new Next<>(this);
  }

  /** Values that were inserted and neither taken nor removed, nor promised to one who waits. */
  public int size() {
    waiting.lock();
    try {
      return keys.size();
    } finally {
      waiting.unlock();
    }
  }

  /** Whether somebody waits; for tests. */
  boolean hasWaiters() {
    return !waiting.isEmptyNow();
  }

  private void onTime() {
    StackRoom.forCalls();
    Link served;
    waiting.lock();
    try {
      served = serve();
    } finally {
      waiting.unlock();
    }
    alarm.tellAndWake(served);
  }

  // --- Under the lock ---

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

  /**
   * Hands what is due to the oldest waiters, who are to be woken; sets the alarm for the others.
   */
  @SuppressWarnings("unchecked") // nobody else enters this list
  private @Nullable Link serve() {
    Next<T> last = null;
    boolean closed = alarm.isClosed(); // then nobody can wait any more
    for (Link link = waiting.first(); link != null; link = link.following()) {
      Key<T> key = takeDue();
      if (key == null && !closed) {
        break;
      }
      last = (Next<T>) link;
      last.handed = key;
    }
    Link served = last == null ? null : waiting.takeThrough(last);
    for (Link link = served; link != null; link = link.following()) {
      Next<T> next = (Next<T>) link;
      next.settle(next.handed == null ? Next.CLOSED : Next.HANDED);
    }
    setAlarm();
    return served;
  }

  private void setAlarm() {
    if (waiting.isEmpty()) {
      alarm.unset();
    } else {
      alarm.set(keys.isEmpty() ? TickClock.NEVER : keys.first().dueNanos);
    }
  }

  // --- Waiting ---

  /** The slow half of a first poll: takes what is due, or queues for it. */
  private byte join(Next<T> waiter, Waker waker) {
    Link served;
    byte outcome;
    waiting.lock();
    try {
      served = serve();
      waiter.handed = waiting.isEmpty() ? takeDue() : null;
      if (waiter.handed == null) {
        waiter.enter(waiting, waker);
        setAlarm();
        outcome = Waiter.UNSETTLED;
      } else {
        outcome = Next.HANDED;
      }
    } finally {
      waiting.unlock();
    }
    try {
      alarm.tellAndWake(served);
    } catch (Throwable t) {
      if (outcome == Waiter.UNSETTLED) {
        leave(waiter); // no worker can be had that would turn the timers
      }
      throw t;
    }
    if (outcome == Waiter.UNSETTLED && alarm.isClosed()) {
      onTime(); // the close may have told those who waited before
      return waiter.now();
    }
    return outcome;
  }

  /** One who waited is gone: so is its place, or the value comes back. */
  private void leave(Next<T> waiter) {
    Link served;
    waiting.lock();
    try {
      if (!waiter.leave(waiting) && waiter.handed != null) {
        keys.add(waiter.handed);
        waiter.handed = null;
      }
      served = serve();
    } finally {
      waiting.unlock();
    }
    alarm.tellAndWake(served);
  }

  private static final class Next<T> extends WaitFuture<T> {
    static final byte HANDED = 1;
    static final byte CLOSED = 2;

    private final DelayQueue<T> queue;

    /** Written under the lock, before the outcome; then the owner's. */
    private @Nullable Key<T> handed;

    Next(DelayQueue<T> queue) {
      super(queue.waiting);
      this.queue = queue;
    }

    byte now() {
      return outcome();
    }

    @Override
    protected byte join(Waker waker) {
      return queue.join(this, waker);
    }

    @Override
    protected T end(byte outcome) {
      if (outcome == CLOSED) {
        throw queue.alarm.refusal();
      }
      T value = Objects.requireNonNull(handed).value;
      handed = null;
      return value;
    }

    @Override
    protected void leave() {
      queue.leave(this);
    }

    @Override
    public String toString() {
      return "the next of " + queue.size() + " delayed values";
    }
  }
}
