package dev.blitz.parallel.internal;

import dev.blitz.parallel.Work;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a list of computations by halving it. Each may be long and they may differ much, so every
 * half that is not begun is visible to the other workers.
 *
 * @param <T> their results
 * @param <X> what they throw
 */
public final class ListJoin<T, X extends Exception> {
  private final List<? extends Work<? extends T, X>> all;
  // Each element is written by its computation and read after the join.
  private final @Nullable Object[] results;

  /**
   * A join of all computations.
   *
   * @param all the computations
   */
  public ListJoin(List<? extends Work<? extends T, X>> all) {
    this.all = all;
    this.results = new Object[all.size()];
  }

  /**
   * Runs all of them and waits for all of them.
   *
   * @param worker the current thread
   * @return the results in order
   * @throws X the leftmost failure
   */
  @SuppressWarnings("unchecked") // only results of the computations are stored
  public List<T> run(WorkerThread worker) throws X {
    if (results.length > 0) {
      run(worker, 0, results.length);
    }
    List<T> list = new ArrayList<>(results.length);
    for (Object result : results) {
      list.add((T) result);
    }
    return list;
  }

  private void run(WorkerThread worker, int from, int to) throws X {
    if (to - from == 1) {
      results[from] = all.get(from).run();
      return;
    }
    int middle = (from + to) >>> 1;
    Fork.<Object, Object, Object, X>joinCoarse(
        worker,
        () -> {
          run(worker, from, middle);
          return Works.DONE;
        },
        () -> {
          runHere(middle, to);
          return Works.DONE;
        },
        (left, right) -> Works.DONE);
  }

  private void runHere(int from, int to) throws X {
    if (Thread.currentThread() instanceof WorkerThread worker) {
      run(worker, from, to);
    }
  }
}
