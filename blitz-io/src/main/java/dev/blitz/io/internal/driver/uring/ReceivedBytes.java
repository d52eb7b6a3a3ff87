package dev.blitz.io.internal.driver.uring;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What has arrived at a stream and nobody has read yet, in order: buffers of a ring, or copies on
 * the heap of what arrived while buffers were short. At its end an end of stream, or an error.
 */
/* Implementation notes
 *
 * Added to by whoever reaps, taken from by the reading side, closed by anyone; all under `lock`, which is never held
 * while another lock than the buffer ring's is taken. `unread` and `end` are volatile so that a reader with nothing
 * to take needs no lock.
 *
 * An entry is a buffer's number in the high half and its length in the low half; number COPIED stands for the
 * next one of `copies`. All buffers that wait here at a time are of one ring, because a receive is armed, perhaps on another ring,
 * only when nothing waits.
 */
final class ReceivedBytes {
  /** {@link #end} of a stream that goes on. */
  private static final int OPEN = -1;

  private static final int COPIED = -1;

  private final SpinLock lock = new SpinLock();
  private long[] entries = new long[2];
  private int head;
  private int count;
  private int headOffset;
  private @Nullable BufferRing buffers;
  private @Nullable ArrayDeque<byte[]> copies;
  private boolean closed;
  private volatile int unread;
  private volatile int end = OPEN;

  /**
   * Adds a filled buffer.
   *
   * @param copy whether to copy its bytes and give it back at once
   * @return how many bytes are unread now
   */
  int add(BufferRing from, int id, int length, boolean copy) {
    lock.lock();
    try {
      if (closed) {
        from.giveBack(id);
        return 0;
      }
      buffers = from;
      if (copy) {
        byte[] bytes = new byte[length];
        from.copyOut(id, 0, MemorySegment.ofArray(bytes), 0, length);
        from.giveBack(id);
        if (copies == null) {
          copies = new ArrayDeque<>();
        }
        copies.add(bytes);
        push(COPIED, length);
      } else {
        push(id, length);
      }
      int now = unread + length; // no one else writes it: the lock is ours
      unread = now;
      return now;
    } finally {
      lock.unlock();
    }
  }

  private void push(int id, int length) {
    if (count == entries.length) {
      long[] larger = new long[2 * count];
      for (int i = 0; i < count; i++) {
        larger[i] = entries[(head + i) & (count - 1)];
      }
      entries = larger;
      head = 0;
    }
    entries[(head + count) & (entries.length - 1)] = (long) id << 32 | length;
    count++;
  }

  /** Nothing more comes: 0 for the end of the stream, or an errno. */
  void end(int errno) {
    end = errno;
  }

  boolean isEmpty() {
    return unread == 0;
  }

  boolean hasEnded() {
    return end != OPEN;
  }

  /** Why it ended: 0 for the end of the stream, or an errno. */
  int endReason() {
    return end;
  }

  /**
   * Copies to {@code target}, from {@code at} on, as much as there is or fits.
   *
   * @param keep whether the bytes stay to be read
   * @return how many bytes
   */
  long take(MemorySegment target, long at, boolean keep) {
    if (unread == 0) {
      return 0;
    }
    lock.lock();
    long position = at;
    try {
      int index = 0;
      int offset = headOffset;
      while (index < count && position < target.byteSize()) {
        long entry = entries[(head + index) & (entries.length - 1)];
        int length = (int) entry - offset;
        int n = (int) Math.min(length, target.byteSize() - position);
        copy((int) (entry >> 32), offset, target, position, n, keep ? index : 0);
        position += n;
        if (keep) {
          index++;
          offset = 0;
        } else if (n == length) {
          removeFirst();
          offset = 0;
        } else {
          offset += n;
          headOffset = offset;
        }
      }
      return position - at;
    } finally {
      if (!keep) { // also when the target has gone in the middle
        int left = unread - (int) (position - at);
        unread = left;
      }
      lock.unlock();
    }
  }

  private void copy(int id, int from, MemorySegment target, long at, int length, int index) {
    if (id == COPIED) {
      MemorySegment.copy(MemorySegment.ofArray(copied(index)), from, target, at, length);
    } else if (buffers != null) {
      buffers.copyOut(id, from, target, at, length);
    }
  }

  /** The copy that entry {@code index} stands for. */
  private byte[] copied(int index) {
    int before = 0;
    for (int i = 0; i < index; i++) {
      if ((int) (entries[(head + i) & (entries.length - 1)] >> 32) == COPIED) {
        before++;
      }
    }
    if (copies != null) {
      for (byte[] bytes : copies) {
        if (before-- == 0) {
          return bytes;
        }
      }
    }
    throw new AssertionError("an entry without its bytes");
  }

  private void removeFirst() {
    int id = (int) (entries[head & (entries.length - 1)] >> 32);
    if (id == COPIED) {
      if (copies != null) {
        copies.remove();
      }
    } else if (buffers != null) {
      buffers.giveBack(id);
    }
    head = (head + 1) & (entries.length - 1);
    count--;
    headOffset = 0;
  }

  /** Gives everything back, also what is yet to be added. */
  void close() {
    lock.lock();
    try {
      closed = true;
      while (count > 0) {
        removeFirst();
      }
      unread = 0;
    } finally {
      lock.unlock();
    }
  }
}
