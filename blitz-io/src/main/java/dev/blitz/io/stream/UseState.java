package dev.blitz.io.stream;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.wait.SafeCalls;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Who uses a source at the moment. All that is inside the source belongs to whoever has brought it
 * to POLLED, until he leaves, and to whoever has brought it to CLOSED or ENDED, for the drop; so a
 * close may come from any thread, also in the middle of a poll, and from the functions that the
 * poll calls.
 *
 * <pre>
 * FROM           TO       trigger                                  actor
 * FREE, waker    POLLED   enter                                    who polls
 * FREE, waker    POLLED   enterToForget                            who has polled
 * POLLED         FREE     leave: an item                           who polls
 * POLLED         waker    leave: pending                           who polls
 * POLLED         ENDED    the end, a failure; then drops           who polls
 * POLLED         CLOSING  close                                    anyone
 * CLOSING        CLOSED   leave, the end, a failure; then drops    who polls
 * FREE           TAKEN    an operator is put on it                 its owner
 * TAKEN          the new  that is complete                         its owner
 * FREE, waker, TAKEN  CLOSED  close; then drops, wakes             anyone
 * </pre>
 *
 * <p>FREE is null, "waker" the one who waits, "the new" the source that has taken this one: a close
 * of this one closes that.
 */
/* Implementation notes
 *
 * state: every transition by compareAndSet, but those out of CLOSING, which are the poller's alone. What one user did
 * to the stages happens before what the next one does: each reads here what the one before wrote.
 */
abstract class UseState {
  private static final VarHandle STATE = Fields.of(MethodHandles.lookup(), "state", Object.class);

  private enum Mark {
    POLLED,
    CLOSING,
    TAKEN,
    CLOSED,
    ENDED
  }

  @SuppressWarnings("unused") // also by STATE
  private volatile @Nullable Object state;

  /** Drops all that is inside. Called once, by whoever has closed or ended it. */
  abstract void dropAll();

  /** Begins a poll; false if there is nothing to poll any more. */
  final boolean enter() {
    StackRoom.forMany(); // for the drop of all, should the poll overflow
    for (; ; ) {
      Object now = state;
      if (now == Mark.ENDED || now == Mark.CLOSED) {
        return false;
      }
      if (now != null && !(now instanceof Waker)) {
        throw inUse(now);
      }
      if (STATE.compareAndSet(this, now, Mark.POLLED)) {
        return true;
      }
    }
  }

  /** Begins what is done instead of a poll; false if there is nothing to do or somebody polls. */
  final boolean enterToForget() {
    Object now = state;
    return (now == null || now instanceof Waker) && STATE.compareAndSet(this, now, Mark.POLLED);
  }

  /**
   * The poll has yielded an item: null; or is pending. False if the source was closed meanwhile.
   */
  final boolean leave(@Nullable Waker waiting) {
    if (STATE.compareAndSet(this, Mark.POLLED, waiting)) {
      return true;
    }
    state = Mark.CLOSED;
    dropAll();
    return false;
  }

  /** The poll was the last. False if the source was closed meanwhile. */
  final boolean end() {
    boolean byItself = STATE.compareAndSet(this, Mark.POLLED, Mark.ENDED);
    if (!byItself) {
      state = Mark.CLOSED;
    }
    dropAll();
    return byItself;
  }

  /** For who polls: whether it might as well stop. */
  final boolean isClosing() {
    return state == Mark.CLOSING;
  }

  /** An operator takes what is inside; false if there is nothing any more. */
  final boolean take() {
    for (; ; ) {
      Object now = state;
      if (now == Mark.ENDED || now == Mark.CLOSED) {
        return false;
      }
      if (now != null) {
        throw inUse(now);
      }
      if (STATE.compareAndSet(this, null, Mark.TAKEN)) {
        return true;
      }
    }
  }

  /** The operator is complete. False if this was closed meanwhile. */
  final boolean givenTo(UseState taker) {
    return STATE.compareAndSet(this, Mark.TAKEN, taker);
  }

  /** Closes it, or what it has become a part of. */
  final void closeAll() {
    StackRoom.forCalls();
    UseState at = this;
    for (; ; ) {
      Object now = at.state;
      if (now instanceof UseState taker) {
        at = taker;
      } else if (now == Mark.CLOSED || now == Mark.ENDED || now == Mark.CLOSING) {
        return;
      } else if (now == Mark.POLLED) {
        if (STATE.compareAndSet(at, now, Mark.CLOSING)) {
          return; // whoever polls drops it
        }
      } else if (STATE.compareAndSet(at, now, Mark.CLOSED)) {
        at.dropAll();
        if (now instanceof Waker waiting) {
          SafeCalls.wake(waiting);
        }
        return;
      }
    }
  }

  /** Whether it, or what it has become a part of, has ended or was closed. */
  final boolean isOver() {
    Object now = follow();
    return now == Mark.CLOSED || now == Mark.ENDED;
  }

  /** Whether it was closed before it had ended. */
  final boolean wasClosed() {
    return follow() == Mark.CLOSED;
  }

  private @Nullable Object follow() {
    UseState at = this;
    while (at.state instanceof UseState taker) {
      at = taker;
    }
    return at.state;
  }

  private IllegalStateException inUse(Object now) {
    String why =
        switch (now) {
          case Waker w -> "somebody waits for its next item";
          case Mark m when m != Mark.TAKEN -> "it is being polled";
          default -> "it belongs to what an operator has made of it: use that";
        };
    return new IllegalStateException("a source has one user at a time, and " + why + ": " + this);
  }

  /** The state, for those who print or check. */
  final String describeState() {
    return switch (state) {
      case null -> "free";
      case Mark m -> m.toString().toLowerCase(Locale.ROOT);
      case Waker w -> "waited for";
      default -> "part of another";
    };
  }
}
