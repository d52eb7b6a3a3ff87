package dev.blitz.io.net.tls;

import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Whose turn it is to use the engine, the buffers and the transport of a TLS stream. Nobody waits
 * for it: a side that finds it taken is woken when it is given back, and the one who closes leaves
 * the rest of closing to whoever has it. So a virtual thread that is unmounted in the middle of its
 * turn, by a monitor deep in the JDK, keeps no worker waiting.
 *
 * <pre>
 *   from              to                  by
 *   free              held                take: TAKEN
 *   held              held + wants        take of the other side: BUSY
 *   any + closed      same                take: CLOSED
 *   held + wants      free                release: READER, WRITER or BOTH are to be woken
 *   free              held + closed       close: CLOSE_NOW, the caller has the turn
 *   held              held + closed + due close: HOLDER_CLOSES
 *   held + due        held                release: CLOSE_FIRST, the caller still has the turn
 *   any + closed      same                close: CLOSED_BEFORE
 *   held + closed     + again             closeFailed, by who was to close
 *   closed + again    held + closed       close: CLOSE_NOW, once nobody has the turn
 * </pre>
 *
 * <p>All transitions are compare-and-set: what was done in a turn happens before the next one.
 */
final class TurnState {
  /** What a side was told. */
  enum Take {
    /** It has the turn and must release it. */
    TAKEN,
    /** Somebody has it; the side is woken when that ends. */
    BUSY,
    /** Nobody gets it any more. */
    CLOSED
  }

  /** What the holder does after, or instead of, giving it back. */
  enum Release {
    NOBODY,
    READER,
    WRITER,
    BOTH,
    /** The turn is still held: close, and release again. */
    CLOSE_FIRST
  }

  /** What the one who closes does. */
  enum Close {
    /** It has the turn: it closes, and releases. */
    CLOSE_NOW,
    HOLDER_CLOSES,
    CLOSED_BEFORE
  }

  private static final int HELD = 1;
  private static final int READER_WANTS = 2;
  private static final int WRITER_WANTS = 4;
  private static final int CLOSED = 8;
  private static final int CLOSE_DUE = 16;
  private static final int CLOSE_AGAIN = 32;

  private static final VarHandle STATE = Fields.of(MethodHandles.lookup(), "state", int.class);

  private volatile int state;

  Take takeForReader() {
    return take(READER_WANTS);
  }

  Take takeForWriter() {
    return take(WRITER_WANTS);
  }

  private Take take(int wants) {
    for (; ; ) {
      int now = state;
      if ((now & CLOSED) != 0) {
        return Take.CLOSED;
      }
      boolean free = (now & HELD) == 0;
      if (STATE.compareAndSet(this, now, free ? HELD : now | wants)) {
        return free ? Take.TAKEN : Take.BUSY;
      }
    }
  }

  Release release() {
    for (; ; ) {
      int now = state;
      if ((now & HELD) == 0) {
        throw new IllegalStateException("nobody has the turn: " + this);
      }
      boolean due = (now & CLOSE_DUE) != 0;
      if (STATE.compareAndSet(this, now, due ? now & ~CLOSE_DUE : now & (CLOSED | CLOSE_AGAIN))) {
        return due ? Release.CLOSE_FIRST : whoWanted(now);
      }
    }
  }

  private static Release whoWanted(int state) {
    return switch (state & (READER_WANTS | WRITER_WANTS)) {
      case READER_WANTS -> Release.READER;
      case WRITER_WANTS -> Release.WRITER;
      case 0 -> Release.NOBODY;
      default -> Release.BOTH;
    };
  }

  Close close() {
    for (; ; ) {
      int now = state;
      boolean free = (now & HELD) == 0;
      if ((now & CLOSED) != 0 && (!free || (now & CLOSE_AGAIN) == 0)) {
        return Close.CLOSED_BEFORE;
      }
      if (STATE.compareAndSet(this, now, free ? HELD | CLOSED : now | CLOSED | CLOSE_DUE)) {
        return free ? Close.CLOSE_NOW : Close.HOLDER_CLOSES;
      }
    }
  }

  /** Who has the turn, and was to close, could not: the next one who closes does it. */
  void closeFailed() {
    for (; ; ) {
      int now = state;
      if (STATE.compareAndSet(this, now, now | CLOSE_AGAIN)) {
        return;
      }
    }
  }

  boolean isClosed() {
    return (state & CLOSED) != 0;
  }

  @Override
  public String toString() {
    int now = state;
    return ((now & HELD) != 0 ? "held" : "free")
        + ((now & READER_WANTS) != 0 ? ", the reader wants it" : "")
        + ((now & WRITER_WANTS) != 0 ? ", the writer wants it" : "")
        + ((now & CLOSED) != 0 ? ", closed" : "")
        + ((now & CLOSE_DUE) != 0 ? ", to be closed by the holder" : "")
        + ((now & CLOSE_AGAIN) != 0 ? ", to be closed again" : "");
  }
}
