package dev.blitz.parallel;

import dev.blitz.parallel.internal.PoolCore;
import dev.blitz.parallel.internal.WorkerThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One value per worker of a pool: a buffer, a partial sum, a random generator. No two jobs use one
 * value at the same time, but a job that joins may find that another job of the same worker has
 * used it meanwhile.
 *
 * <p>Short loops of {@link Parallel} may run on the thread that calls them, so a value of the
 * common pool is there on any thread outside a pool as well. The value of a thread that has ended
 * stays, and goes to the next thread that needs one: there are about as many as threads at a time.
 *
 * {@snippet :
 * var buffers = new WorkerLocal<byte[]>(pool, () -> new byte[64 << 10]);
 * pool.parallelFor(0, files, LoopOptions.DEFAULT, i -> hash(i, buffers.get()));
 * }
 *
 * @param <T> the values
 */
public final class WorkerLocal<T> {
  private final PoolCore pool;
  private final Supplier<? extends T> initial;
  private final AtomicReferenceArray<T> values;

  /** For threads outside any pool; null: they have none. */
  private final @Nullable GuestLocal<T> guests;

  /**
   * No values yet; each worker makes its own when it first asks.
   *
   * @param pool whose workers have values
   * @param initial makes a worker's value
   */
  public WorkerLocal(Pool pool, Supplier<? extends T> initial) {
    this.pool = pool.core();
    this.initial = initial;
    this.values = new AtomicReferenceArray<>(this.pool.capacity());
    this.guests = pool.isCommon() ? new GuestLocal<>(initial) : null;
  }

  /**
   * The current worker's value.
   *
   * @throws IllegalStateException when the current thread is no worker of the pool, nor a thread
   *     outside any pool that may run short loops of the common pool
   */
  public T get() {
    WorkerThread worker = pool.currentWorker();
    if (worker == null) {
      if (guests != null && !(Thread.currentThread() instanceof WorkerThread)) {
        return guests.value();
      }
      throw new IllegalStateException(
          "a worker-local value is there inside pool.call(...) and the like, and thread "
              + Thread.currentThread().getName()
              + " is no worker of "
              + pool);
    }
    int index = worker.index();
    T value = values.getPlain(index);
    if (value != null) {
      return value;
    }
    T made = initial.get();
    // A job that ran while the first value was being made may have made one too: that one counts.
    T meanwhile = values.getPlain(index);
    if (meanwhile != null) {
      return meanwhile;
    }
    values.setRelease(index, made);
    return made;
  }

  /**
   * The values of all threads that have one, in no useful order. What the jobs did with them is
   * visible when those jobs were waited for.
   *
   * @return a new list
   */
  public List<T> values() {
    List<T> all = new ArrayList<>();
    if (guests != null) {
      guests.addTo(all);
    }
    for (int i = 0; i < values.length(); i++) {
      T value = values.getAcquire(i);
      if (value != null) {
        all.add(value);
      }
    }
    return all;
  }
}
