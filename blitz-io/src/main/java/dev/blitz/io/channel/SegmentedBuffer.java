package dev.blitz.io.channel;

import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A buffer whose memory follows its contents, with or without a limit: a chain of segments, of
 * which the consumed ones are garbage.
 */
/* Implementation notes
 *
 * A sender finds the cell at tail, appending a segment if need be, claims the position, then puts its message
 * in. A receiver reads the cell at head, then claims the position: who wins the claim has the message it
 * read, since a cell is written once and cleared by the winner only.
 *
 * Orderings
 *   field          | writer            | reader    | mode            | pairs with
 *   cells          | sender, claimed   | receivers | release/acquire | publishes the message
 *   cells (null)   | receiver, claimed | receivers | plain           | a loser reads it or not: its claim fails
 *   next           | senders, CAS      | all       | volatile        | publishes the segment
 *   sendSegment    | senders, CAS      | senders   | volatile        | read before tail, hence never ahead of the claim
 *   receiveSegment | receivers, CAS    | receivers | volatile        | likewise, with head
 */
final class SegmentedBuffer<T> extends Buffer<T> {
  /** Large enough that appending is rare, small enough for an unused channel. */
  static final int DEFAULT_SEGMENT_SIZE = 64;

  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(Object[].class);
  private static final VarHandle NEXT =
      Fields.of(MethodHandles.lookup(), Segment.class, "next", Segment.class);
  private static final VarHandle SEND_SEGMENT =
      Fields.of(MethodHandles.lookup(), "sendSegment", Segment.class);
  private static final VarHandle RECEIVE_SEGMENT =
      Fields.of(MethodHandles.lookup(), "receiveSegment", Segment.class);

  private static final class Segment {
    /** The word of its first cell. */
    final long base;

    final @Nullable Object[] cells;
    volatile @Nullable Segment next;

    Segment(long base, int size) {
      this.base = base;
      cells = new Object[size];
    }

    boolean isBehind(Segment other) {
      return base - other.base < 0;
    }
  }

  private final int segmentSize;
  private final int capacity;
  private volatile Segment sendSegment;
  private volatile Segment receiveSegment;

  SegmentedBuffer() {
    this(DEFAULT_SEGMENT_SIZE, 0);
  }

  /** {@code start}: the first position, for tests of the overflow. */
  SegmentedBuffer(int segmentSize, long start) {
    this(segmentSize, start, Integer.MAX_VALUE);
  }

  /** With a limit, unless it is {@link Integer#MAX_VALUE}. */
  SegmentedBuffer(int segmentSize, long start, int capacity) {
    super(start * UNIT);
    this.segmentSize = segmentSize;
    this.capacity = capacity;
    var first = new Segment(start * UNIT, segmentSize);
    sendSegment = first;
    receiveSegment = first;
  }

  @Override
  SendResult trySend(T value) {
    for (; ; ) {
      Segment from = sendSegment;
      long t = tail;
      if ((t & CLOSED) != 0) {
        return SendResult.CLOSED;
      }
      if (capacity != Integer.MAX_VALUE && used(t) + permits(t) >= capacity) {
        return SendResult.FULL;
      }
      Segment segment = segmentOf(from, t);
      int i = (int) offset(segment, t);
      if (TAIL.compareAndSet(this, t, t + UNIT)) {
        try {
          CELL.setRelease(segment.cells, i, value);
        } catch (VirtualMachineError e) {
          published = true;
          segment.cells[i] = value;
        }
        return SendResult.SENT;
      }
    }
  }

  @Override
  void sendReserved(T value) {
    for (; ; ) {
      Segment from = sendSegment;
      long t = tail;
      Segment segment = segmentOf(from, t);
      int i = (int) offset(segment, t);
      if (TAIL.compareAndSet(this, t, t + UNIT - PERMIT)) {
        try {
          CELL.setRelease(segment.cells, i, value);
        } catch (VirtualMachineError e) {
          published = true;
          segment.cells[i] = value;
        }
        return;
      }
    }
  }

  /** The segment of the position in {@code t}; what is missing is appended. */
  private Segment segmentOf(Segment from, long t) {
    if (offset(from, t) < segmentSize) {
      return from;
    }
    Segment segment = from;
    do {
      segment = nextOf(segment);
    } while (offset(segment, t) >= segmentSize);
    advance(SEND_SEGMENT, segment);
    return segment;
  }

  private Segment nextOf(Segment segment) {
    Segment next = segment.next;
    if (next != null) {
      return next;
    }
    var made = new Segment(segment.base + segmentSize * UNIT, segmentSize);
    var there = (Segment) NEXT.compareAndExchange(segment, null, made);
    return there == null ? made : there;
  }

  private void advance(VarHandle which, Segment to) {
    for (; ; ) {
      var now = (Segment) which.getVolatile(this);
      if (!now.isBehind(to) || which.compareAndSet(this, now, to)) {
        return;
      }
    }
  }

  @Override
  @SuppressWarnings("unchecked") // only messages are put in
  @Nullable T tryReceive() {
    for (int spins = 0; ; spins++) {
      Segment from = receiveSegment;
      long h = head;
      Segment segment = find(from, h);
      if (segment != null) {
        int i = (int) offset(segment, h);
        Object value = CELL.getAcquire(segment.cells, i);
        if (value != null) {
          if (HEAD.compareAndSet(this, h, h + UNIT)) {
            segment.cells[i] = null;
            return (T) value;
          }
          continue;
        }
      }
      if ((tail & POSITION) == h) {
        return null;
      }
      Spin.once(spins); // a sender has claimed the cell, or h is old
    }
  }

  /** The segment of {@code h}; null if there is none yet, or h is old. */
  private @Nullable Segment find(Segment from, long h) {
    Segment segment = from;
    while (segment != null && offset(segment, h) >= segmentSize) {
      segment = segment.next;
    }
    if (segment != null && segment != from) {
      advance(RECEIVE_SEGMENT, segment);
    }
    return segment;
  }

  @Override
  @SuppressWarnings("unchecked") // only messages are put in
  @Nullable T peek(long h) {
    Segment segment = find(receiveSegment, h);
    return segment == null ? null : (T) CELL.getAcquire(segment.cells, (int) offset(segment, h));
  }

  @Override
  boolean claim(long h) {
    Segment segment = find(receiveSegment, h);
    if (segment == null) {
      return false;
    }
    int i = (int) offset(segment, h);
    if (!HEAD.compareAndSet(this, h, h + UNIT)) {
      return false;
    }
    segment.cells[i] = null;
    return true;
  }

  /** The index of a position in a segment; not less than its size if it is in a later one. */
  private static long offset(Segment segment, long w) {
    return (w - segment.base) >>> POSITION_SHIFT;
  }

  @Override
  long used(long t) {
    return ((t & POSITION) - head) >> POSITION_SHIFT;
  }

  @Override
  int length() {
    long h = head;
    return Math.clamp((tail - h) >> POSITION_SHIFT, 0, capacity);
  }

  @Override
  int capacity() {
    return capacity;
  }
}
