package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.wait.WakerSlot;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One direction of a {@link Duplex}: a ring of bytes between one who writes and one who reads. */
/* Implementation notes
 *
 * Ownership: `taken` is written by the reading side, `put` by the writing side, each one thread at a time (the ends
 * are guarded streams). The bytes from `taken` to `put` are the reader's, the others the writer's. No lock: both may
 * copy at once.
 *
 * Protocol
 *   write   copies behind `put`, moves `put` on, wakes the reader. If there is no room: sets its waker, looks again.
 *   read    copies from `taken`, moves `taken` on, wakes the writer. If there is nothing: sets its waker, looks again.
 *   end     of either side: sets its flag, wakes both.
 * Room on the stack is looked for before the first copy: the bytes are counted and the other side is woken, or
 * nothing has happened.
 *
 * Orderings
 *   word           | writer  | reader | mode     | pairs with
 *   put            | writer  | reader | volatile | the bytes before it; against the reader's waker: one of the two sees the other
 *   taken          | reader  | writer | volatile | the copy out of the ring is over; against the writer's waker
 *   writerEnded    | writer  | reader | volatile | read before `put`: so nothing comes after what is then found
 *   readerEnded    | reader  | writer | volatile | against the writer's waker
 */
final class MemoryLane {
  private final byte[] ring;
  private final WakerSlot reader = new WakerSlot();
  private final WakerSlot writer = new WakerSlot();
  private volatile long taken;
  private volatile long put;
  private volatile boolean readerEnded;
  private volatile boolean writerEnded;

  MemoryLane(int capacity) {
    ring = new byte[capacity];
  }

  // --- The reading side ---

  int read(Context cx, ByteBuffer target) {
    StackRoom.forCalls();
    int n = take(target);
    if (n == ByteReader.PENDING) {
      reader.set(cx.waker());
      n = take(target); // it may have come before the waker
      if (n != ByteReader.PENDING) {
        reader.clear();
      }
    }
    return n;
  }

  private int take(ByteBuffer target) {
    if (readerEnded) {
      return ByteReader.EOF;
    }
    boolean last = writerEnded;
    long from = taken;
    int n = (int) Math.min(put - from, target.remaining());
    if (n == 0 && target.hasRemaining()) {
      return last ? ByteReader.EOF : ByteReader.PENDING;
    }
    int at = (int) (from % ring.length);
    int upToEnd = Math.min(n, ring.length - at);
    target.put(ring, at, upToEnd).put(ring, 0, n - upToEnd);
    taken = from + n;
    writer.wake();
    return n;
  }

  void forgetReader() {
    reader.clear();
  }

  /** Nobody reads any more. */
  void endReader() {
    readerEnded = true;
    wakeBoth();
  }

  // --- The writing side ---

  int write(Context cx, ByteBuffer source) throws IOException {
    StackRoom.forCalls();
    int n = put(source);
    if (n == ByteWriter.PENDING) {
      writer.set(cx.waker());
      n = put(source);
      if (n != ByteWriter.PENDING) {
        writer.clear();
      }
    }
    return n;
  }

  private int put(ByteBuffer source) throws IOException {
    if (writerEnded) {
      throw new IOException("the output has been shut down");
    }
    if (readerEnded) {
      writer.clear();
      throw new IOException("the peer has closed");
    }
    long from = put;
    int n = (int) Math.min(ring.length - (from - taken), source.remaining());
    if (n == 0 && source.hasRemaining()) {
      return ByteWriter.PENDING;
    }
    int at = (int) (from % ring.length);
    int upToEnd = Math.min(n, ring.length - at);
    source.get(ring, at, upToEnd).get(ring, 0, n - upToEnd);
    put = from + n;
    reader.wake();
    return n;
  }

  void forgetWriter() {
    writer.clear();
  }

  /** Nothing more is put in; what is there can be taken. */
  void endWriter() {
    writerEnded = true;
    wakeBoth();
  }

  /** An end of the stream has been closed: whoever waits there looks again. */
  void wakeBoth() {
    reader.wake();
    writer.wake();
  }

  @Override
  public String toString() {
    return (put - taken) + " of " + ring.length + " bytes";
  }
}
