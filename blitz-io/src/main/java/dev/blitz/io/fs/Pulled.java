package dev.blitz.io.fs;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.wait.WakerSlot;
import dev.blitz.io.stream.IoSource;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Items whose close may come from any thread, also while they are polled. */
/* Implementation notes
 *
 *   IDLE    -> POLLING  pollNext, forgetNext, by the user
 *   POLLING -> IDLE     their end
 *   POLLING -> CLOSING  close(), or a poll that fails: the user gives back at the end of its call
 *   IDLE, CLOSING -> CLOSED   close(), or the end of the call; whoever does it gives back, once
 */
abstract class Pulled<T> implements IoSource<T> {
  private static final int IDLE = 0;
  private static final int POLLING = 1;
  private static final int CLOSING = 2;
  private static final int CLOSED = 3;

  private final AtomicInteger state = new AtomicInteger();

  /** Who waits; woken by a close, which takes away what else would wake him. */
  private final WakerSlot waiting = new WakerSlot();

  /** The next item, or null; {@link #close} if there are no more. */
  abstract @Nullable T advance(Context cx) throws IOException;

  /** Nobody waits any more. */
  abstract void forget();

  /** Gives back all it has; once. */
  abstract void giveBack();

  @Override
  public final @Nullable T pollNext(Context cx) throws IOException {
    StackRoom.forOwner(); // what has begun ends, and may have to give back
    if (!begin()) {
      return null;
    }
    boolean failed = true;
    try {
      T item = advance(cx);
      failed = false;
      if (item == null && !hasEnded()) {
        waiting.set(cx.waker());
      }
      return item;
    } finally {
      if (failed) {
        state.set(CLOSING);
      }
      end();
    }
  }

  /** Whether it is open and nobody polls it; it may be closed at any moment. */
  final boolean isIdle() {
    return state.get() == IDLE;
  }

  private boolean begin() {
    if (state.compareAndSet(IDLE, POLLING)) {
      return true;
    }
    if (hasEnded()) {
      return false;
    }
    throw new IllegalStateException(this + " has one user at a time, and another one uses it");
  }

  private void end() {
    if (!state.compareAndSet(POLLING, IDLE)) {
      closed();
    }
  }

  private void closed() {
    state.set(CLOSED);
    try {
      giveBack();
    } finally {
      waiting.wake();
    }
  }

  @Override
  public final void forgetNext() {
    StackRoom.forOwner();
    if (state.compareAndSet(IDLE, POLLING)) {
      try {
        waiting.clear();
        forget();
      } finally {
        end();
      }
    }
  }

  @Override
  public final boolean hasEnded() {
    return state.get() >= CLOSING;
  }

  @Override
  public final void close() {
    StackRoom.forOwner(); // it is done once, and may close a file
    for (; ; ) {
      int now = state.get();
      if (now >= CLOSING) {
        return;
      }
      if (state.compareAndSet(now, now == IDLE ? CLOSED : CLOSING)) {
        if (now == IDLE) {
          closed();
        }
        return;
      }
    }
  }
}
