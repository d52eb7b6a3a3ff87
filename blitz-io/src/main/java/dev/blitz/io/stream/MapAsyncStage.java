package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingFunction;
import dev.blitz.io.internal.base.Values;
import dev.blitz.io.internal.wait.Branch;
import dev.blitz.io.internal.wait.Branches;
import dev.blitz.io.internal.wait.SafeCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link Source#mapAsync}: several futures at a time, all in the task of whoever pulls. */
/* Implementation notes
 *
 * Each child has a branch, which is its waker, and so has the input: an event polls what it is for. A child is used
 * again for a later item, with its branch; a late wake of the earlier one costs a poll in vain.
 *
 * `results` are children in the order in which they yield: that of their items, or that of their ends. One that is in
 * the list counts as started until it has yielded, so no more than `limit` results wait for anybody.
 */
final class MapAsyncStage<T, U> extends Stage<U> {
  private static final int INPUT = -1;

  private final Stage<T> from;
  private final ThrowingFunction<? super T, ? extends Future<? extends U>> mapper;
  private final int limit;
  private final boolean ordered;
  private final Branches branches = Branches.onDemand();
  private final Branch input = branches.add(INPUT);
  private final List<Child<U>> children = new ArrayList<>();
  private @Nullable Child<U> free;
  private @Nullable Child<U> firstResult;
  private @Nullable Child<U> lastResult;
  private int started;

  /** Whether the input may have something. */
  private boolean inputReady = true;

  /** The children have used up a budget: the input has its turn before them. */
  private boolean inputFirst;

  /** A failure is on its way out: no further item is wanted. */
  private boolean failed;

  private MapAsyncStage(
      Stage<T> from,
      int limit,
      boolean ordered,
      ThrowingFunction<? super T, ? extends Future<? extends U>> mapper) {
    this.from = from;
    this.limit = limit;
    this.ordered = ordered;
    this.mapper = mapper;
  }

  static <T, U> Stage<U> of(
      Source<T> source,
      int limit,
      boolean ordered,
      ThrowingFunction<? super T, ? extends Future<? extends U>> mapper) {
    Objects.requireNonNull(mapper, "mapper");
    if (limit < 1) {
      throw new IllegalArgumentException("at least 1 future at a time, not " + limit);
    }
    return new MapAsyncStage<>(Stage.of(source), limit, ordered, mapper);
  }

  /** The future of one item; free, under way, or over with a result or a failure. */
  private static final class Child<U> {
    final Branch branch;
    @Nullable Future<? extends U> future;
    @Nullable U result;
    @Nullable Exception failure;

    /** The next free one, or the next among the results. */
    @Nullable Child<U> next;

    Child(Branch branch) {
      this.branch = branch;
    }
  }

  @Override
  @Nullable U pull(Context cx) throws Exception {
    branches.begin(cx);
    try {
      if (inputFirst) {
        if (!cx.mayProceed()) {
          return yielded(); // it is the turn of the input still
        }
        startAll();
        inputFirst = false;
        pollWoken();
      } else {
        pollWoken();
        startAll();
      }
    } finally {
      branches.end();
    }
    return yielded();
  }

  private void pollWoken() throws Exception {
    for (Branch woken = branches.next(); woken != null; woken = branches.next()) {
      if (woken.place == INPUT) {
        inputReady = true;
      } else {
        poll(children.get(woken.place));
      }
    }
  }

  private void startAll() throws Exception {
    while (started < limit && inputReady && !from.ended && !failed) {
      if (branches.hasStopped()) {
        inputFirst = true;
        return;
      }
      T item;
      try {
        item = from.pull(input);
      } catch (Exception e) {
        fail(begun(), e); // behind those before it, as one of the mapper's
        return;
      }
      if (item == null) {
        inputReady = false;
      } else {
        start(item);
      }
    }
  }

  /** A child for one item more. */
  private Child<U> begun() {
    Child<U> child = free;
    if (child == null) {
      child = new Child<>(branches.add(children.size()));
      children.add(child);
    } else {
      free = child.next;
      child.next = null;
    }
    started++;
    if (ordered) {
      addResult(child);
    }
    return child;
  }

  private void start(T item) throws Exception {
    Child<U> child = begun();
    try {
      child.future = Values.nonNull(mapper.apply(item), "mapAsync function", mapper, "a future");
    } catch (Exception e) {
      fail(child, e);
      return;
    }
    poll(child);
  }

  private void poll(Child<U> child) throws Exception {
    Future<? extends U> future = child.future;
    if (future == null) {
      return; // a late wake
    }
    U value;
    try {
      value = future.poll(child.branch);
    } catch (Throwable t) {
      child.future = null; // it has ended
      if (t instanceof Exception e) {
        fail(child, e);
        return;
      }
      throw t;
    }
    if (value != null) {
      child.future = null;
      child.result = value;
      if (!ordered) {
        addResult(child);
      }
    }
  }

  /** In order a failure comes after the results before it, else at once. */
  private void fail(Child<U> child, Exception failure) throws Exception {
    if (!ordered) {
      throw failure;
    }
    child.failure = failure;
    failed = true;
  }

  private void addResult(Child<U> child) {
    Child<U> last = lastResult;
    if (last == null) {
      firstResult = child;
    } else {
      last.next = child;
    }
    lastResult = child;
  }

  private @Nullable U yielded() throws Exception {
    Child<U> first = firstResult;
    if (first == null) {
      ended = from.ended && started == 0;
      return null;
    }
    if (first.failure != null) {
      throw first.failure;
    }
    U result = first.result;
    if (result == null) {
      return null;
    }
    firstResult = first.next;
    if (firstResult == null) {
      lastResult = null;
    }
    first.result = null;
    first.next = free;
    free = first;
    started--;
    return result;
  }

  @Override
  int inputs() {
    return 1;
  }

  @Override
  Stage<?> input(int i) {
    return from;
  }

  /** The input has let go of its waker; the children keep theirs. */
  @Override
  void forget() {
    inputReady = true;
  }

  @Override
  void release() {
    branches.close();
    for (Child<U> child : children) {
      Future<?> future = child.future;
      child.future = null;
      if (future != null) {
        SafeCalls.drop(future);
      }
    }
    firstResult = null;
    lastResult = null;
    free = null;
  }

  @Override
  public String toString() {
    return started + " futures of " + from;
  }
}
