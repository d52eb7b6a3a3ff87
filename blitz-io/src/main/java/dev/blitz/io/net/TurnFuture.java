package dev.blitz.io.net;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.sync.Semaphore;
import java.io.IOException;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * An operation on one side of a socket that several tasks may use: each waits for its turn, in the
 * order of their first polls, and has it until its end.
 */
abstract class TurnFuture<T> implements IoFuture<T> {
  private final Semaphore turns;
  private @Nullable UncheckedFuture<Semaphore.Permit> waiting;
  private boolean mine;

  /** {@code turns}: the one permit of the side. */
  TurnFuture(Semaphore turns) {
    this.turns = turns;
  }

  /** Tries once; null leaves the waker with the endpoint. */
  abstract @Nullable T attempt(Context cx) throws IOException;

  /** Takes the waker back from the endpoint, and lets go of everything but the turn. */
  abstract void forget();

  @Override
  public final @Nullable T poll(Context cx) throws IOException {
    StackRoom.forOwner(); // to pass the turn on, and to close what was got in it
    if ((!mine && !takesTurn(cx)) || !cx.proceed()) {
      return null;
    }
    T value;
    try {
      value = attempt(cx);
    } catch (Throwable t) {
      endTurn();
      throw t;
    } finally {
      Reference.reachabilityFence(this); // and so the socket, which would be closed without
    }
    if (value == null) {
      cx.refund();
    } else {
      endTurn();
    }
    return value;
  }

  private boolean takesTurn(Context cx) {
    UncheckedFuture<Semaphore.Permit> before = waiting;
    if (before == null) {
      if (turns.tryAcquire()) {
        mine = true;
        return true;
      }
      before = turns.acquire();
      waiting = before;
    }
    if (before.poll(cx) != null) {
      mine = true;
      waiting = null;
    }
    return mine;
  }

  private void endTurn() {
    turns.release(); // the next in line looks for itself
    mine = false; // after: if there was no stack to release it, it is still ours
  }

  @Override
  public final void drop() {
    StackRoom.forMany(); // all of it, or nothing: a turn that is lost would be missed by all others
    UncheckedFuture<?> before = waiting;
    if (before != null) {
      before.drop(); // if there is no stack for it, it still waits, and is dropped again
      waiting = null;
    }
    if (mine) {
      try {
        forget();
      } finally {
        endTurn();
      }
    }
  }
}
