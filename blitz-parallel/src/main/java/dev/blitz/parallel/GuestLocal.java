package dev.blitz.parallel;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
 * Ownership: a value has one user at a time. A thread that has ended, or that nobody can reach any more, uses it no more,
 * and what it did is visible to whoever learns of its end from Thread.isAlive. The one who sweeps takes such a value from
 * its user and adds it to free; who polls it from there is the next user. If memory runs out between two of these steps
 * the value is used no more, but is still among all of them.
 *
 * No monitor: a virtual thread would queue for it, and who stands behind that may be its carrier.
 *
 *   all       | who makes a value adds it, nobody removes any
 *   user      | written by the new user, after polling free, and by the one who sweeps | volatile
 *   used      | atomic: values that have a user, ended or not; decides when to sweep
 *   sweeping  | by CAS, and a volatile store after it: one at a time; what others find meanwhile is a value of their own
 *   sweepAt   | who sweeps | volatile
 *
 * A thread refers to its value weakly. Values often refer to their user, and that to this object: a thread that held them
 * would hold this object too, its own weak key, for as long as it lives.
 */
final class GuestLocal<T> extends ThreadLocal<WeakReference<GuestLocal.Value<T>>> {
  /** Fewer are never searched for the values of ended threads. */
  private static final int MIN_SWEEP = 16;

  /** A value and, by a weak reference, whose it is. */
  static final class Value<T> {
    private final T value;

    /** Null: nobody's. */
    private volatile @Nullable WeakReference<Thread> user;

    Value(T value, WeakReference<Thread> user) {
      this.value = value;
      this.user = user;
    }

    /** Whether it had a user that uses it no more. */
    private boolean isLeft() {
      WeakReference<Thread> last = user;
      if (last == null) {
        return false;
      }
      Thread thread = last.get();
      return thread == null || !thread.isAlive();
    }
  }

  private final Supplier<? extends T> initial;
  private final Queue<Value<T>> all = new ConcurrentLinkedQueue<>();
  private final Queue<Value<T>> free = new ConcurrentLinkedQueue<>();
  private final AtomicInteger used = new AtomicInteger();

  /** Set by the one who sweeps, who then leaves another in its place. */
  private volatile AtomicBoolean sweeping = new AtomicBoolean();

  private volatile int sweepAt = MIN_SWEEP;

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
    var user = new WeakReference<>(Thread.currentThread());
    Value<T> own = reuse(user);
    if (own == null) {
      own = new Value<>(initial.get(), user);
      all.add(own);
    }
    used.incrementAndGet();
    return new WeakReference<>(own);
  }

  private @Nullable Value<T> reuse(WeakReference<Thread> user) {
    if (free.isEmpty() && used.get() >= sweepAt) {
      AtomicBoolean here = sweeping;
      AtomicBoolean next = new AtomicBoolean();
      if (here.compareAndSet(false, true)) {
        try {
          sweep();
        } finally {
          sweeping = next; // no call: the stack may have ended
        }
      }
    }
    Value<T> left = free.poll();
    if (left != null) {
      left.user = user;
    }
    return left;
  }

  /** Whenever the used values have doubled: it costs their number, so little per value. */
  private void sweep() {
    for (Value<T> one : all) {
      if (one.isLeft()) {
        one.user = null;
        used.decrementAndGet();
        free.add(one);
      }
    }
    sweepAt = Math.max(MIN_SWEEP, 2 * used.get());
  }

  void addTo(List<T> list) {
    for (Value<T> one : all) {
      list.add(one.value);
    }
  }
}
