package dev.blitz.io.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.wait.SafeCalls;
import org.jspecify.annotations.Nullable;

/** {@link CancelToken#cancelled}: in the token's list from the first pending poll to the end. */
final class CancelWait extends Link implements UncheckedFuture<Done> {
  private final CancelToken token;

  /** Written by the owner under the token's lock; null before the first pending poll. */
  private @Nullable Waker waker;

  CancelWait(CancelToken token) {
    this.token = token;
  }

  @Override
  public @Nullable Done poll(Context cx) {
    StackRoom.forStep();
    if (token.isCancelled()) {
      leave();
      return Done.DONE;
    }
    Waker now = cx.waker();
    if (waker == now) {
      return null; // still enlisted: whoever sets the flag after the look above wakes this waker
    }
    if (waker == null) {
      waker = now;
      return token.enlist(this) ? null : Done.DONE;
    }
    token.lock().lock();
    try {
      waker = now;
    } finally {
      token.lock().unlock();
    }
    // The canceller may have read the old waker just before.
    if (!token.isCancelled()) {
      return null;
    }
    leave();
    return Done.DONE;
  }

  /** Whether it has been enlisted, and may be still; for the owner. */
  boolean hasBegun() {
    return waker != null;
  }

  /** Called by the canceller, which has taken this waiter out of the list. */
  void wake() {
    Waker toWake = waker;
    if (toWake != null) {
      SafeCalls.wake(toWake);
    }
  }

  private void leave() {
    if (waker != null) {
      token.delist(this);
    }
  }

  @Override
  public void drop() {
    leave();
  }

  @Override
  public String toString() {
    return "cancellation of a token";
  }
}
