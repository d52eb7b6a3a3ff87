package dev.blitz.io.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A buffer without a limit: a chain of segments, of which the consumed ones are garbage. */
/* Implementation notes
 *
 * A sender claims a position, then puts its message into the cell of that position, appending segments
 * as needed. A receiver reads the cell at head, then claims the position: who wins the claim has the
 * message it read, since a cell is written once and cleared by the winner only.
 *
 * Orderings
 *   field          | writer             | reader    | mode            | pairs with
 *   cells          | sender, claimed    | receivers | release/acquire | publishes the message
 *   cells (null)   | receiver, claimed  | receivers | plain           | a loser reads it or not: its claim fails
 *   next           | senders, CAS       | all       | volatile        | publishes the segment
 *   sendSegment    | senders, CAS       | senders   | volatile        | read before tail, hence never ahead of the claim
 *   receiveSegment | receivers, CAS     | receivers | volatile        | read before head, likewise
 */
final class SegmentedBuffer<T> extends Buffer<T> {
  /** Large enough that appending is rare, small enough for an unused channel. */
  static final int DEFAULT_SEGMENT_SIZE = 64;

  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(Object[].class);
  private static final VarHandle NEXT;
  private static final VarHandle SEND_SEGMENT;
  private static final VarHandle RECEIVE_SEGMENT;

  static {
    try {
      var lookup = MethodHandles.lookup();
      NEXT = lookup.findVarHandle(Segment.class, "next", Segment.class);
      SEND_SEGMENT = lookup.findVarHandle(SegmentedBuffer.class, "sendSegment", Segment.class);
      RECEIVE_SEGMENT =
          lookup.findVarHandle(SegmentedBuffer.class, "receiveSegment", Segment.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

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
  private volatile Segment sendSegment;
  private volatile Segment receiveSegment;

  SegmentedBuffer() {
    this(DEFAULT_SEGMENT_SIZE, 0);
  }

  /** {@code start}: the first position, for tests of the overflow. */
  SegmentedBuffer(int segmentSize, long start) {
    super(start * UNIT);
    this.segmentSize = segmentSize;
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
      if (TAIL.compareAndSet(this, t, t + UNIT)) {
        put(from, t & POSITION, value);
        return SendResult.SENT;
      }
    }
  }

  @Override
  SendResult tryReserve() {
    for (; ; ) {
      long t = tail;
      if ((t & CLOSED) != 0) {
        return SendResult.CLOSED;
      }
      checkPermits(t);
      if (TAIL.compareAndSet(this, t, t + PERMIT)) {
        return SendResult.SENT;
      }
    }
  }

  @Override
  void sendReserved(T value) {
    for (; ; ) {
      Segment from = sendSegment;
      long t = tail;
      if (TAIL.compareAndSet(this, t, t + UNIT - PERMIT)) {
        put(from, t & POSITION, value);
        return;
      }
    }
  }

  private void put(Segment from, long w, T value) {
    Segment segment = from;
    long offset = offset(segment, w);
    while (offset >= segmentSize) {
      segment = nextOf(segment);
      offset -= segmentSize;
    }
    if (segment != from) {
      advance(SEND_SEGMENT, segment);
    }
    CELL.setRelease(segment.cells, (int) offset, value);
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
  @SuppressWarnings("unchecked") // only put writes cells
  @Nullable T tryReceive() {
    for (int spins = 0; ; spins++) {
      Segment from = receiveSegment;
      long h = head;
      Segment segment = from;
      long offset = offset(segment, h);
      while (segment != null && offset >= segmentSize) {
        segment = segment.next;
        offset -= segmentSize;
      }
      Object value = segment == null ? null : CELL.getAcquire(segment.cells, (int) offset);
      if (segment != null && value != null) {
        if (HEAD.compareAndSet(this, h, h + UNIT)) {
          segment.cells[(int) offset] = null;
          if (segment != from) {
            advance(RECEIVE_SEGMENT, segment);
          }
          return (T) value;
        }
      } else if ((tail & POSITION) == h) {
        return null;
      } else {
        Spin.once(spins); // a sender has claimed the cell, or h is old
      }
    }
  }

  private static long offset(Segment segment, long w) {
    return (w - segment.base) >>> POSITION_SHIFT;
  }

  @Override
  boolean isFull() {
    return false;
  }

  @Override
  int length() {
    long h = head;
    return Math.clamp((tail - h) >> POSITION_SHIFT, 0, Integer.MAX_VALUE);
  }

  @Override
  int room() {
    return Integer.MAX_VALUE;
  }

  @Override
  int capacity() {
    return Integer.MAX_VALUE;
  }
}
