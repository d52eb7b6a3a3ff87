package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.base.SpinLock;
import dev.blitz.io.internal.base.StackRoom;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What has arrived at a stream and nobody has read yet, in order, in buffers of a ring. At its end
 * an end of stream, or an error. Nothing here takes memory.
 */
/* Implementation notes
 *
 * Added to by whoever reaps, taken from by the reading side, closed by anyone; all under `lock`, which is never held
 * while another lock than the buffer ring's is taken. `unread` and `end` are volatile so that a reader with nothing
 * to take needs no lock.
 *
 * The buffers are linked from `first` to `last`. All that wait here at a time are of one ring, because a receive is
 * armed, perhaps on another ring, only when nothing waits. What arrives and fits into the room that `last` has left is
 * moved there: so at least half of the memory is data, however small the arrivals were, and a peek meets few buffers.
 */
final class ReceivedBytes {
  /** {@link #add}: nobody will read it. */
  static final int CLOSED = -1;

  /** {@link #poll}: nothing more comes. */
  static final int ENDED = -1;

  /** {@link #end} of a stream that goes on. */
  private static final int OPEN = -1;

  private static final int NONE = -1;

  private final SpinLock lock = new SpinLock();
  private @Nullable BufferRing buffers;
  private int first = NONE;
  private int last = NONE;

  /** How much of the first buffer has been read. */
  private int firstOffset;

  private boolean closed;
  private boolean dropped;
  private volatile int unread;
  private volatile int end = OPEN;

  /**
   * Adds a filled buffer.
   *
   * @return how many bytes are unread now; {@link #CLOSED} if it was given back instead
   */
  int add(BufferRing from, int id) {
    lock.lock();
    try {
      if (closed) {
        dropped = true;
        from.giveBack(id);
        return CLOSED;
      }
      int bytes = from.filled(id);
      buffers = from;
      if (first == NONE) {
        first = id;
        last = id;
      } else if (!from.join(last, id)) {
        from.follow(last, id);
        last = id;
      }
      int now = unread + bytes; // no one else writes it: the lock is ours
      unread = now;
      return now;
    } finally {
      lock.unlock();
    }
  }

  /** Nothing more comes: 0 for the end of the stream, or an errno. */
  void end(int errno) {
    end = errno;
  }

  boolean isEmpty() {
    return unread == 0;
  }

  /** How many bytes nobody has read yet. */
  int unread() {
    return unread;
  }

  boolean hasEnded() {
    return end != OPEN;
  }

  /** Why it ended: 0 for the end of the stream, or an errno. */
  int endReason() {
    return end;
  }

  /**
   * Copies to {@code target} as much as there is or fits.
   *
   * @param keep whether the bytes stay to be read
   * @return how many bytes, 0 for none yet, or {@link #ENDED}
   */
  int poll(ByteBuffer target, boolean keep) {
    // First: what was added before the end is found. The other way round both could come between.
    boolean ended = hasEnded();
    int n = isEmpty() ? 0 : take(target, keep);
    return n == 0 && ended ? ENDED : n;
  }

  /**
   * Copies to {@code target} as much as there is or fits, and leaves its position alone.
   *
   * @param keep whether the bytes stay to be read
   * @return how many bytes
   */
  int take(ByteBuffer target, boolean keep) {
    if (unread == 0) {
      return 0;
    }
    StackRoom.forWake(); // the buffers' lock is taken under this one
    lock.lock();
    int start = target.position();
    int position = start;
    try {
      BufferRing from = buffers;
      int id = first;
      int offset = firstOffset;
      while (from != null && id != NONE && position < target.limit()) {
        int length = from.filled(id) - offset;
        int n = Math.min(length, target.limit() - position);
        from.copyOut(id, offset, target, position, n);
        position += n;
        if (n < length) {
          offset += n;
          if (!keep) {
            firstOffset = offset;
          }
        } else {
          offset = 0;
          id = keep ? after(from, id) : removeFirst(from);
        }
      }
      return position - start;
    } finally {
      if (!keep) { // also when the target has gone in the middle
        int left = unread - (position - start);
        unread = left;
      }
      lock.unlock();
    }
  }

  private int after(BufferRing from, int id) {
    return id == last ? NONE : from.following(id);
  }

  /** Which one is the first now. */
  private int removeFirst(BufferRing from) {
    int id = first;
    first = after(from, id);
    firstOffset = 0;
    from.giveBack(id);
    return first;
  }

  /**
   * Gives everything back, also what is yet to be added.
   *
   * @return whether something was unread, also since an earlier close
   */
  boolean close() {
    StackRoom.forWake(); // the buffers' lock is taken under this one
    lock.lock();
    try {
      closed = true;
      dropped |= first != NONE;
      BufferRing from = buffers;
      while (from != null && first != NONE) {
        removeFirst(from);
      }
      unread = 0;
      return dropped;
    } finally {
      lock.unlock();
    }
  }
}
