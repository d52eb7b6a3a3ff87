package dev.blitz.io.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.internal.task.JoinCell;
import org.jspecify.annotations.Nullable;

/** Ends when no child of a scope is left; in the scope's list while pending. */
final class ScopeIdle extends Link implements UncheckedFuture<Done> {
  private final ScopeBooks books;
  private final boolean closing;

  /** The limit of the join that waits, if it has one. */
  final @Nullable JoinLimit limit;

  /** Guarded by the scope's lock. */
  @Nullable Waker waker;

  private boolean checked;

  /** {@code closing}: the moment without children is also the end of the scope. */
  ScopeIdle(ScopeBooks books, boolean closing) {
    this(books, closing, null);
  }

  /** For a join with a limit. */
  ScopeIdle(ScopeBooks books, JoinLimit limit) {
    this(books, false, limit);
  }

  private ScopeIdle(ScopeBooks books, boolean closing, @Nullable JoinLimit limit) {
    this.books = books;
    this.closing = closing;
    this.limit = limit;
  }

  @Override
  public @Nullable Done poll(Context cx) {
    if (!checked) {
      checked = true;
      JoinCell<?> self = Caller.task();
      if (self != null && books.isChild(self)) {
        throw new IllegalStateException(
            self.name() + " waits for the scope it belongs to: it would wait for itself");
      }
    }
    return books.awaitIdle(this, cx.waker(), closing) ? Done.DONE : null;
  }

  @Override
  public void drop() {
    books.stopAwaitingIdle(this);
  }

  @Override
  public String toString() {
    return "the children of " + books;
  }
}
