package dev.blitz.io.sync;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.wait.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * The way to the value of a {@link OnceCell}: it is there, or this one makes it, or waits for the
 * one who does.
 *
 * <pre>
 *   FROM        TO       trigger                                 actor
 *   UNSETTLED   TURN     the cell was empty                      owner
 *   UNSETTLED   TURN     the one before failed or was dropped    that one, under the lock
 *   UNSETTLED   THERE    the one before has set the value        that one, under the lock
 *   any         ENDED    the poll that returns or throws         owner
 * </pre>
 *
 * @param <E> what the initialiser throws
 */
abstract class InitWait<T, E extends Exception> extends Waiter {
  static final byte TURN = 1;
  static final byte THERE = 2;
  private static final byte ENDED = 3;

  private final OnceCell<T> cell;

  /** What it waits in or, in its turn, owns; null before. */
  private @Nullable Initialising initialising;

  InitWait(OnceCell<T> cell) {
    this.cell = cell;
  }

  /** One poll of the initialiser; null while pending. */
  abstract @Nullable T initialise(Context cx) throws E;

  /** The initialiser will not be polled again. */
  abstract void dropInitialiser();

  final @Nullable T advance(Context cx) throws E {
    StackRoom.forCalls();
    byte now = outcome();
    if (now == UNSETTLED) {
      now = attempt(cx);
    }
    return switch (now) {
      case UNSETTLED -> null;
      case TURN -> turn(cx);
      case THERE -> end();
      default ->
          throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
    };
  }

  private byte attempt(Context cx) {
    Initialising mine = initialising;
    if (mine != null) {
      return pollAgain(mine.waiting, cx.waker());
    }
    StackRoom.forMany(); // more than a drop needs, which may come at the same depth
    if (!cx.proceed()) {
      return UNSETTLED;
    }
    while (cell.get() == null) {
      Initialising theirs = cell.initialising();
      if (theirs == null) {
        mine = mine == null ? new Initialising() : mine;
        if (cell.begin(mine)) {
          initialising = mine;
          settle(TURN);
          return TURN;
        }
      } else if (theirs.join(this, cx.waker())) {
        initialising = theirs;
        cx.refund();
        return UNSETTLED;
      }
    }
    return THERE;
  }

  private @Nullable T turn(Context cx) throws E {
    T value = null;
    boolean failed = true;
    try {
      value = initialise(cx);
      failed = false;
    } finally {
      if (failed) {
        settle(ENDED);
        owned().passOn(cell);
      }
    }
    if (value != null) {
      settle(ENDED);
      cell.publish(value);
      owned().succeed();
    }
    return value;
  }

  private T end() {
    disarm();
    settle(ENDED);
    T value = cell.get();
    if (value == null) {
      throw new AssertionError("a cell lost its value: " + cell);
    }
    return value;
  }

  private Initialising owned() {
    Initialising mine = initialising;
    if (mine == null) {
      throw new AssertionError("a turn without an owner: " + cell);
    }
    return mine;
  }

  public final void drop() {
    StackRoom.forCalls();
    Initialising mine = initialising;
    if (mine == null || outcome() == ENDED || (isArmed() && mine.leave(this))) {
      return;
    }
    if (outcome() == TURN) {
      settle(ENDED);
      dropInitialiser();
      mine.passOn(cell);
    }
  }

  @Override
  public String toString() {
    return (outcome() == TURN ? "the initialiser of " : "the value of ") + cell;
  }
}
