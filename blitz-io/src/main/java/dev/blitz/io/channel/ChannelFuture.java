package dev.blitz.io.channel;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import org.jspecify.annotations.Nullable;

/** An attempt that is repeated until it succeeds, waiting in between: the way all channels wait. */
abstract class ChannelFuture<R> extends WaitEntry implements UncheckedFuture<R> {
  private boolean ended;

  /** The result; null if it is necessary to wait. Throws when waiting would be in vain. */
  abstract @Nullable R attempt();

  @Override
  public final @Nullable R poll(Context cx) {
    if (ended) {
      throw new IllegalStateException("polled after completion: " + this);
    }
    byte now = stage;
    if (now == QUEUED && queue().stillQueued(this, cx.waker())) {
      return null; // others are called before it: no look
    }
    if (!cx.proceed()) {
      return null;
    }
    boolean newcomer = now == NOT_WAITING;
    boolean look = !newcomer || !queue().isClosedToNewcomers();
    for (; ; ) {
      if (look) {
        R result = look();
        if (result != null) {
          return result;
        }
      }
      if (queue().enlist(this, cx.waker(), newcomer)) {
        cx.refund();
        return null;
      }
      look = true;
    }
  }

  private @Nullable R look() {
    R result;
    try {
      result = attempt();
    } catch (Throwable t) {
      ended = true; // a failed attempt has taken nothing: the next gets its wake
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
    if (result != null) {
      ended = true;
      stage = NOT_WAITING;
      if (vain == WaitQueue.HUNGRY) {
        drop();
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
  final void settle() {
    if (ended) {
      queue().abandon(this);
    } else if (waker != null) {
      WaitQueue.wake(waker);
    }
  }
}
