package dev.blitz.io.channel;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import org.jspecify.annotations.Nullable;

/** An attempt that is repeated until it succeeds, waiting in between: the way all channels wait. */
abstract class ChannelFuture<R> extends WaitEntry implements UncheckedFuture<R> {
  private boolean ended;

  /**
   * The result; null if it is necessary to wait. Throws when waiting would be in vain; after what
   * was waited for has been taken it calls nothing, so that it cannot be lost by an overflow.
   */
  abstract @Nullable R attempt();

  /** Whether it never stands back for those who wait: what it does takes nothing from them. */
  boolean overtakes() {
    return false;
  }

  @Override
  public final @Nullable R poll(Context cx) {
    if (ended) {
      throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
    }
    R result = null;
    try {
      byte now = stage;
      if (now == QUEUED && queue().stillQueued(this, cx.waker())) {
        return null; // others are called before it: no look
      }
      if (!cx.proceed()) {
        return null;
      }
      boolean newcomer = now == NOT_WAITING && !overtakes();
      boolean look = !newcomer || !queue().isClosedToNewcomers();
      for (; ; ) {
        if (look) {
          result = attempt();
          if (result != null) {
            break;
          }
        }
        if (queue().enlist(this, cx.waker(), newcomer)) {
          cx.refund();
          return null;
        }
        look = true;
      }
    } catch (Throwable t) {
      ended = true; // nobody drops what has thrown; it has taken nothing: the next gets its wake
      try {
        queue().abandon(this);
      } catch (VirtualMachineError e) {
        synchronized (LOCK) {
          if (!owing) {
            owing = true;
            nextOwed = Owed.first;
            Owed.first = this;
          }
        }
      }
      throw t;
    }
    // The result is in nobody's hands but these: nothing is thrown from here on.
    ended = true;
    stage = NOT_WAITING;
    if (vain == WaitQueue.HUNGRY) {
      try {
        queue().sate(this);
      } catch (VirtualMachineError e) {
        synchronized (LOCK) {
          if (!owing) {
            owing = true;
            nextOwed = Owed.first;
            Owed.first = this;
          }
        }
      }
    }
    return result;
  }

  @Override
  public final void drop() {
    ended = true;
    if (stage == NOT_WAITING && vain < WaitQueue.HUNGRY) {
      return;
    }
    try {
      queue().abandon(this);
    } catch (VirtualMachineError e) {
      synchronized (LOCK) {
        if (!owing) {
          owing = true;
          nextOwed = Owed.first;
          Owed.first = this;
        }
      }
    }
  }

  @Override
  final void pay() {
    if (ended) {
      queue().abandon(this);
    } else if (waker != null) {
      WaitQueue.wake(waker);
    }
  }
}
