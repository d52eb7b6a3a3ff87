package dev.blitz.parallel.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** One computation, once on each worker. */
final class Broadcast<T> {
  private final CountLatch open;
  private final IntFunction<? extends T> work;
  // Each element is written by its worker before it counts down, and read after the latch was set.
  private final @Nullable Object[] results;
  private final @Nullable Throwable[] failures;

  Broadcast(Thread caller, @Nullable Latch within, int workers, IntFunction<? extends T> work) {
    this.open = new CountLatch(caller, within, workers);
    this.work = work;
    this.results = new Object[workers];
    this.failures = new Throwable[workers];
  }

  Latch latch() {
    return open;
  }

  Job share(int index) {
    return new Share<>(this, index);
  }

  /** There is no memory for the share of a worker. */
  void notSent(int index, OutOfMemoryError failure) {
    failures[index] = failure;
    open.end();
  }

  private record Share<T>(Broadcast<T> all, int index) implements Job {
    @Override
    public void execute(WorkerThread worker) {
      int base = worker.bottom;
      try {
        all.results[index] = all.work.apply(index);
      } catch (Throwable t) {
        all.failures[index] = t;
      }
      worker.leaveForks(base);
      all.open.end();
    }

    @Override
    public Latch within() {
      return all.open;
    }
  }

  /** After the latch was set. The lowest worker's failure wins. */
  @SuppressWarnings("unchecked") // only work's results are stored
  List<T> results() {
    Throwable first = null;
    for (Throwable failure : failures) {
      if (failure != null) {
        if (first == null) {
          first = failure;
        } else {
          Throwing.suppress(first, failure);
        }
      }
    }
    if (first != null) {
      // IntFunction declares nothing checked.
      throw Throwing.<RuntimeException>sneaky(first);
    }
    List<T> list = new ArrayList<>(results.length);
    for (Object result : results) {
      list.add((T) result);
    }
    return list;
  }
}
