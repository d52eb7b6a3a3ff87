package dev.blitz.parallel;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One value per thread while that lives. A value outlives its thread, because it may be part of a
 * sum; the next new thread then goes on with it.
 *
 * @param <T> the values
 */
/*
 * Implementation notes
 *
 * all, free and sweepAt are guarded by this object's monitor. A value has one user at a time: a thread that has
 * ended, or that nobody can reach any more, uses it no more, and what it did is visible to whoever learns of its end
 * from Thread.isAlive.
 *
 * Only all holds values; a thread refers to its own weakly. Values often refer to their user, and that to this
 * object: a thread that held them would hold this object too, its own weak key, for as long as it lives.
 */
final class GuestLocal<T> extends ThreadLocal<WeakReference<GuestLocal.Value<T>>> {
  /** Fewer are never searched for the values of ended threads. */
  private static final int MIN_SWEEP = 16;

  /** A value and, by a weak reference, whose it is. */
  static final class Value<T> extends WeakReference<Thread> {
    private final T value;

    Value(T value) {
      super(Thread.currentThread());
      this.value = value;
    }

    private boolean isFree() {
      Thread owner = get();
      return owner == null || !owner.isAlive();
    }
  }

  private final Supplier<? extends T> initial;
  private List<Value<T>> all = new ArrayList<>();
  private Deque<T> free = new ArrayDeque<>();
  private int sweepAt = MIN_SWEEP;

  GuestLocal(Supplier<? extends T> initial) {
    this.initial = initial;
  }

  T value() {
    Value<T> own = get().get();
    if (own == null) {
      throw new IllegalStateException("a value was lost that a living thread uses");
    }
    return own.value;
  }

  @Override
  protected WeakReference<Value<T>> initialValue() {
    Value<T> left = reuse();
    // The user's code, so not under the lock.
    return new WeakReference<>(left != null ? left : add(new Value<>(initial.get())));
  }

  private synchronized Value<T> add(Value<T> value) {
    all.add(value);
    return value;
  }

  private synchronized @Nullable Value<T> reuse() {
    if (free.isEmpty() && all.size() >= sweepAt) {
      sweep();
    }
    T left = free.peek();
    if (left == null) {
      return null;
    }
    Value<T> value = add(new Value<>(left));
    free.remove();
    return value;
  }

  /** Whenever the values have doubled: it costs their number, so little per value. */
  private void sweep() {
    List<Value<T>> living = new ArrayList<>();
    Deque<T> left = new ArrayDeque<>();
    for (Value<T> one : all) {
      if (one.isFree()) {
        left.add(one.value);
      } else {
        living.add(one);
      }
    }
    // Both or neither, if memory runs out: a value that is in both would get two users.
    free = left;
    all = living;
    sweepAt = Math.max(MIN_SWEEP, 2 * living.size());
  }

  synchronized void addTo(List<T> list) {
    for (Value<T> one : all) {
      list.add(one.value);
    }
    list.addAll(free);
  }
}
