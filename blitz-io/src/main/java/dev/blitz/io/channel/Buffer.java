package dev.blitz.io.channel;

import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.PaddedEnds;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a channel, oldest first, without any waiting. Thread safe and, but for a wait of
 * some instructions for another thread that is half way through an operation, lock-free.
 */
/* Implementation notes
 *
 * A position counts messages in the upper 36 bits of a word. All arithmetic wraps, so positions may
 * overflow; only differences have a meaning.
 *
 *   head   position of the next message to receive; the low 28 bits are 0
 *   tail   position of the next message to send | permits that are out (27 bits) | closed (1 bit)
 *
 * A sender claims its position by a CAS of the whole tail, so it finds the channel open and counts all
 * permits in the same instant. After `closed` has been set nobody claims a position but the holders of
 * permits. Hence "closed, no permits, head = tail" is final: drained.
 *
 * Answers are exact. "Empty" means head = tail at one instant, "full" means no room at one instant: where
 * a cell is not in the expected state because another thread has claimed it and not finished, the caller
 * waits for it (Spin) in place of a wrong answer. The waiting protocol of a channel builds on this; see
 * docs/design/channel.md.
 *
 * Errors. An operation that throws has done nothing. A stack can overflow at any call and at nothing else, and
 * memory can run out at any allocation: so whatever needs either comes before the claim. After it there are plain
 * bytecodes, and one release store that is repeated without a call if there is no stack for it (`published`).
 * Nobody can therefore claim a cell and leave it unfinished, and nobody waits for a cell for ever.
 *
 * Orderings
 *   field | writer           | reader       | mode        | pairs with
 *   head  | receivers, CAS   | all          | volatile    | WaitQueue.waiting of the senders
 *   tail  | senders, CAS     | all          | volatile    | WaitQueue.waiting of the receivers
 * A CAS of a position, then a look at `waiting`; on the other side `waiting`, then a look at the positions:
 * one of the two sees the other. No other fence is needed on the fast path.
 *   published | who has no stack left | nobody | volatile | in place of a fence, which would be a call
 */
abstract sealed class Buffer<T> extends PaddedEnds.Ends permits BoundedRing, SegmentedBuffer {
  /** The bit of tail that says closed. */
  static final long CLOSED = 1;

  /** One permit in tail. */
  static final long PERMIT = 2;

  static final int POSITION_SHIFT = 28;

  /** One message in a position. */
  static final long UNIT = 1L << POSITION_SHIFT;

  static final long POSITION = -UNIT;
  static final long PERMITS = UNIT - PERMIT;

  /** As many as a word can count: more than a machine of today holds. */
  static final int MAX_PERMITS = (int) (PERMITS >>> 1);

  static final VarHandle HEAD = Fields.of(MethodHandles.lookup(), "head", long.class);
  static final VarHandle TAIL = Fields.of(MethodHandles.lookup(), "tail", long.class);

  /** Written between two stores that must be seen in that order, where nothing may be called. */
  volatile boolean published;

  /** Both positions start at {@code start}, a multiple of {@link #UNIT}. */
  Buffer(long start) {
    HEAD.set(this, start);
    TAIL.set(this, start);
  }

  abstract SendResult trySend(T value);

  /**
   * Takes a permit: room for one message that nobody else will use. Without a limit on the messages
   * there is one on the permits, {@link #MAX_PERMITS}.
   */
  final SendResult tryReserve() {
    for (; ; ) {
      long t = tail;
      if ((t & CLOSED) != 0) {
        return SendResult.CLOSED;
      }
      if (used(t) + permits(t) >= capacity() || (t & PERMITS) == PERMITS) {
        return SendResult.FULL;
      }
      if (TAIL.compareAndSet(this, t, t + PERMIT)) {
        return SendResult.SENT;
      }
    }
  }

  /** Sends with a permit, also after close. */
  abstract void sendReserved(T value);

  /** The oldest message, or null if there is none now. */
  abstract @Nullable T tryReceive();

  /** The message at {@code h}, a head read before; null if it is not there, or no longer. */
  abstract @Nullable T peek(long h);

  /** Takes the message at {@code h}; false if another was faster. */
  abstract boolean claim(long h);

  /** As {@link #tryReceive}; an Error while the Optional is made leaves the message where it is. */
  @SuppressWarnings("NullableOptional") // null: look again later; empty: there will be none
  final @Nullable Optional<T> tryNext() {
    for (int spins = 0; ; spins++) {
      long h = head;
      T message = peek(h);
      if (message != null) {
        Optional<T> made = Optional.of(message);
        if (claim(h)) {
          return made;
        }
      } else if ((tail & POSITION) == h) {
        return null;
      } else {
        Spin.once(spins); // a sender has claimed the cell, or h is old
      }
    }
  }

  /** How many messages there are from head to the position in {@code t}, a tail read before. */
  abstract long used(long t);

  /** Whether a sender has to wait: the buffer is open and has no room. */
  final boolean isFull() {
    long t = tail; // before head: no room then means no room at that instant
    return (t & CLOSED) == 0 && used(t) + permits(t) >= capacity();
  }

  /** Whether one who wants a permit has to wait. */
  final boolean isFullForPermits() {
    long t = tail;
    return (t & CLOSED) == 0 && (isFull() || (t & PERMITS) == PERMITS);
  }

  /** How many messages are in it or on the way in. */
  abstract int length();

  /** How many more would be accepted now. */
  final int room() {
    long t = tail;
    return Math.clamp(capacity() - used(t) - permits(t), 0, capacity());
  }

  /** The most it holds; {@link Integer#MAX_VALUE} if there is no limit. */
  abstract int capacity();

  /** Gives a permit back unused. */
  final void release() {
    TAIL.getAndAdd(this, -PERMIT);
  }

  /** Accepts nothing more; false if that was so before. */
  final boolean close() {
    return ((long) TAIL.getAndBitwiseOr(this, CLOSED) & CLOSED) == 0;
  }

  final boolean isClosed() {
    return (tail & CLOSED) != 0;
  }

  /** Whether it is closed and no permit is out: nothing more will come. */
  final boolean isEnded() {
    return (tail & ~POSITION) == CLOSED;
  }

  /** Whether nothing is in it and nothing will ever be. */
  final boolean isDrained() {
    long h = head;
    long t = tail;
    return t == (h | CLOSED);
  }

  /** Whether a receiver has to wait: there is nothing now, but there may be later. */
  final boolean isEmptyForNow() {
    long h = head; // before tail: if they are equal then, they were at that instant
    long t = tail;
    return (t & POSITION) == h && t != (h | CLOSED);
  }

  static int permits(long t) {
    return (int) ((t & PERMITS) >>> 1);
  }
}
