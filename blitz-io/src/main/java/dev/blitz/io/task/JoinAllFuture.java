package dev.blitz.io.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.task.JoinCell;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link Task#joinAll} and {@link Task#tryJoinAll}. */
/* Implementation notes
 *
 * Each task pushes its end onto a stack, so a poll looks at the tasks that have ended since the last one and
 * not at all of them: n tasks cost O(n), not O(n * n).
 *
 *   field | writer     | reader | mode            | pairs with
 *   ends  | ended      | poll   | CAS / getAndSet | what is pushed before the waker is read
 *   waker | poll, drop | ended  | volatile        | poll writes it, then takes the ends; ended pushes, then reads
 *         |            |        |                 | it: one of the two sees the other
 */
final class JoinAllFuture<T, R> implements UncheckedFuture<List<R>> {

  /** What one task that has ended contributes. */
  @FunctionalInterface
  interface Take<T, R> {
    @Nullable R from(JoinHandle<? extends T> task, Context cx);
  }

  private static final VarHandle ENDS = Fields.of(MethodHandles.lookup(), "ends", TaskEnd.class);

  private final Take<T, R> take;
  private final boolean failFast;
  private List<JoinHandle<? extends T>> tasks;
  private boolean begun;
  private int left;
  private volatile boolean over;
  private volatile @Nullable Waker waker;
  private volatile @Nullable TaskEnd ends;

  JoinAllFuture(List<? extends JoinHandle<? extends T>> tasks, Take<T, R> take, boolean failFast) {
    this.tasks = List.copyOf(tasks);
    this.tasks.forEach(JoinCell::of); // refuses foreign ones now, not in the poll
    this.take = take;
    this.failFast = failFast;
    this.left = this.tasks.size();
  }

  @Override
  public @Nullable List<R> poll(Context cx) {
    if (over) {
      throw new IllegalStateException("polled after completion: " + this);
    }
    waker = cx.waker();
    if (!begun) {
      begun = true;
      tasks.forEach(this::watch);
    }
    for (TaskEnd end = oldestFirst((TaskEnd) ENDS.getAndSet(this, null));
        end != null;
        end = end.next) {
      left--;
      if (failFast) {
        failIfFailed(end.task, cx);
      }
    }
    if (left > 0) {
      return null;
    }
    List<R> results = new ArrayList<>(tasks.size());
    for (JoinHandle<? extends T> task : tasks) {
      results.add(Objects.requireNonNull(take.from(task, cx)));
    }
    drop();
    return List.copyOf(results);
  }

  private void watch(JoinHandle<?> task) {
    var end = new TaskEnd(this, task);
    if (!JoinCell.of(task).wakeAtEnd(end) && end.claim()) {
      push(end);
    }
  }

  private void failIfFailed(JoinHandle<?> task, Context cx) {
    try {
      task.poll(cx);
    } catch (RuntimeException e) {
      drop();
      throw e;
    }
  }

  private static @Nullable TaskEnd oldestFirst(@Nullable TaskEnd newest) {
    TaskEnd reversed = null;
    for (TaskEnd end = newest; end != null; ) {
      TaskEnd older = end.next;
      end.next = reversed;
      reversed = end;
      end = older;
    }
    return reversed;
  }

  /** Called by a task that has ended, on whatever thread. */
  void ended(TaskEnd end) {
    push(end);
    Waker w = waker;
    if (w != null) {
      w.wake();
    }
  }

  private void push(TaskEnd end) {
    TaskEnd top;
    do {
      top = ends;
      end.next = top;
    } while (!ENDS.compareAndSet(this, top, end));
  }

  boolean isOver() {
    return over;
  }

  @Override
  public void drop() {
    over = true;
    waker = null;
    tasks = List.of(); // those that run on refer to this future
  }

  @Override
  public String toString() {
    return "the end of " + left + " tasks";
  }
}
