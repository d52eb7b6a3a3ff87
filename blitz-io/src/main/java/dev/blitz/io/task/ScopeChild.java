package dev.blitz.io.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.internal.task.Guardian;
import dev.blitz.io.internal.task.Inheritance;
import dev.blitz.io.internal.task.JoinCell;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A task of a scope, in the scope's list from before its spawn to its end. It is woken by the
 * task's completion, when the outcome can be seen already: so once a scope has no child left, all
 * handles are done.
 *
 * <p>It is also the future that the task runs, or makes its body, to learn which task that is
 * before any code of the child runs: the child may wait for its scope sooner than {@code spawn}
 * returns, and must be told then that it would wait for itself.
 */
final class ScopeChild<T> extends Link implements Guardian, Future<T> {
  private final ScopeBooks books;

  /**
   * Until the task has ended: a scope that goes on after failures remembers the failed children.
   */
  private @Nullable Object work;

  /**
   * Written by the spawner under the scope's lock and by the task before it runs the child's code,
   * both times with the same value. Whoever looks for itself has run that code, so it finds itself;
   * other children's fields may be read too early, but never hold somebody else.
   */
  @Nullable JoinCell<?> task;

  /** It is no child any more; guarded by the scope's lock. */
  boolean ended;

  /** {@code work}: a future, or what {@link #body} calls. */
  ScopeChild(ScopeBooks books, Object work) {
    this.books = books;
    this.work = work;
  }

  JoinCell<?> task() {
    return Objects.requireNonNull(task);
  }

  private void learnTask() {
    if (task == null) {
      JoinCell<?> mine = Caller.task();
      if (mine != null) {
        mine.guardBy(
            this); // first: from now on the scope finds it, and may cancel it with a reason
        task = mine;
      }
    }
  }

  @SuppressWarnings("unchecked") // the constructor's contract
  private Future<? extends T> future() {
    return (Future<? extends T>) Objects.requireNonNull(work);
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    learnTask();
    ScopedValue.Carrier bindings = books.bindings;
    Future<? extends T> future = future();
    return bindings == null
        ? future.poll(cx)
        : bindings.<@Nullable T, Exception>call(() -> future.poll(cx));
  }

  @Override
  public void drop() {
    if (work == null) {
      return; // a spawn that failed after its task had ended
    }
    ScopedValue.Carrier bindings = books.bindings;
    if (bindings == null) {
      future().drop();
    } else {
      bindings.run(future()::drop);
    }
  }

  ThrowingSupplier<T> body() {
    @SuppressWarnings("unchecked") // as above
    var body = (ThrowingSupplier<? extends T>) Objects.requireNonNull(work);
    return new Body<T>(this, body);
  }

  /** What a blocking or direct child runs. */
  private record Body<T>(ScopeChild<T> child, ThrowingSupplier<? extends T> inner)
      implements ThrowingSupplier<T>, Inheritance.Wrapped {
    @Override
    public T get() throws Exception {
      child.learnTask();
      ScopedValue.Carrier bindings = child.books.bindings;
      return bindings == null ? inner.get() : bindings.<T, Exception>call(inner::get);
    }
  }

  @Override
  public void wake() {
    work = null;
    books.childEnded(this);
  }

  @Override
  public @Nullable Supplier<? extends @Nullable Throwable> cancelReason() {
    return books.cancelReason();
  }

  @Override
  public String toString() {
    return String.valueOf(work);
  }
}
