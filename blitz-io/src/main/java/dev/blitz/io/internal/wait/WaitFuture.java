package dev.blitz.io.internal.wait;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.LinkList;
import dev.blitz.io.internal.base.StackRoom;
import org.jspecify.annotations.Nullable;

/**
 * A waiter of the plain kind: its first poll takes what is there or joins the list, others look for
 * the outcome, and once it has one it is over. What it waits for says what is there, what an
 * outcome means, and what becomes of one who leaves.
 *
 * <p>Locks, permits and notifications have their own: they are used more often than a call that
 * knows its target only at run time may cost.
 */
public abstract class WaitFuture<T> extends Waiter implements UncheckedFuture<T> {
  private static final byte ENDED = Byte.MAX_VALUE;

  private final LinkList list;

  /** {@code list}: where it waits; its lock guards it. */
  protected WaitFuture(LinkList list) {
    this.list = list;
  }

  @Override
  public final @Nullable T poll(Context cx) {
    StackRoom.forCalls(); // also for the end: what was handed over must not be lost in it
    byte now = outcome();
    if (now == UNSETTLED) {
      now = isArmed() ? pollAgain(list, cx.waker()) : begin(cx);
      if (now == UNSETTLED) {
        return null;
      }
    }
    if (now == ENDED) {
      throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
    }
    disarm();
    settle(ENDED);
    return end(now);
  }

  private byte begin(Context cx) {
    StackRoom.forMany(); // more than a drop needs, which may come at the same depth
    if (!cx.proceed()) {
      return UNSETTLED;
    }
    byte now = join(cx.waker());
    if (now == UNSETTLED) {
      cx.refund();
    }
    return now;
  }

  @Override
  public final void drop() {
    StackRoom.forCalls();
    if (isArmed()) {
      leave();
      disarm();
    }
  }

  /** Takes what is there, or enters the list; the outcome, if there is one. */
  protected abstract byte join(Waker waker);

  /** What the poll returns, or throws, once there is an outcome. */
  protected abstract T end(byte outcome);

  /** It will not be polled again: leaves the list, or passes on what it was granted. */
  protected abstract void leave();
}
