package dev.blitz.io.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.internal.task.JoinCell;
import org.jspecify.annotations.Nullable;

/** Ends when a scope with a limit has a place for another child, which its owner then has. */
final class ScopeRoom extends Link implements UncheckedFuture<Done> {
  private final ScopeBooks books;

  /** Guarded by the scope's lock, as is the other one. */
  @Nullable Waker waker;

  boolean granted;

  /** Who waits, as of its first poll; null outside a task. */
  @Nullable JoinCell<?> seeker;

  ScopeRoom(ScopeBooks books) {
    this.books = books;
  }

  @Override
  public @Nullable Done poll(Context cx) {
    if (seeker == null) {
      seeker = Caller.task();
    }
    return books.awaitRoom(this, cx.waker()) ? Done.DONE : null;
  }

  /** Also gives back a place that was granted and not used. */
  @Override
  public void drop() {
    books.stopAwaitingRoom(this);
  }

  @Override
  public String toString() {
    return "room in " + books;
  }
}
