package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.base.StackRoom;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Checks and bookkeeping for the callers' memory. */
final class Buffers {
  /** For those who do not wait. */
  static final Context NOBODY = Context.of(() -> {});

  /** The most of a segment that is seen as one buffer. */
  private static final long PIECE_BYTES = 1 << 30;

  /** The most of a segment that is copied at a time. */
  private static final long COPY_BYTES = 1 << 16;

  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  private Buffers() {}

  static ByteBuffer writable(ByteBuffer buffer) {
    Objects.requireNonNull(buffer, "target");
    if (buffer.isReadOnly()) {
      throw new IllegalArgumentException("a read-only buffer cannot be read into: " + buffer);
    }
    return buffer;
  }

  static ByteBuffer[] writable(ByteBuffer[] buffers) {
    for (ByteBuffer buffer : buffers) {
      writable(buffer);
    }
    return buffers;
  }

  static MemorySegment writable(MemorySegment segment) {
    Objects.requireNonNull(segment, "target");
    if (segment.isReadOnly()) {
      throw new IllegalArgumentException("a read-only segment cannot be read into: " + segment);
    }
    return segment;
  }

  /**
   * The segment from {@code offset} on, up to a piece, for what is to be written: an array of
   * anything but bytes is copied, as no buffer can be made of it.
   */
  static ByteBuffer of(MemorySegment segment, long offset) {
    long left = segment.byteSize() - offset;
    try {
      return segment.asSlice(offset, Math.min(left, PIECE_BYTES)).asByteBuffer();
    } catch (UnsupportedOperationException e) {
      MemorySegment piece = segment.asSlice(offset, Math.min(left, COPY_BYTES));
      byte[] copy = new byte[(int) piece.byteSize()];
      MemorySegment.ofArray(copy).copyFrom(piece);
      return ByteBuffer.wrap(copy);
    }
  }

  /** The beginning of a segment, up to a piece, for what is to be read. */
  static ByteBuffer target(MemorySegment segment) {
    MemorySegment piece = writable(segment).asSlice(0, Math.min(segment.byteSize(), PIECE_BYTES));
    try {
      return piece.asByteBuffer();
    } catch (UnsupportedOperationException e) {
      throw new IllegalArgumentException(
          "of segments on the heap only those of a byte[] can be read into: " + segment, e);
    }
  }

  /** The first buffer in which something remains; an empty one if there is none. */
  static ByteBuffer firstWithRoom(ByteBuffer[] buffers) {
    for (ByteBuffer buffer : buffers) {
      if (buffer.hasRemaining()) {
        return buffer;
      }
    }
    return EMPTY;
  }

  /** Moves what there is, as far as there is room, or nothing at all. */
  static int move(ByteBuffer from, ByteBuffer to) {
    int n = Math.min(from.remaining(), to.remaining());
    StackRoom.forStep(); // both positions move, or none does
    to.put(to.position(), from, from.position(), n);
    from.position(from.position() + n);
    to.position(to.position() + n);
    return n;
  }

  /** The JDK's words say neither what is wrong nor what to do. */
  static WrongThreadException explained(WrongThreadException e) {
    var clear =
        new WrongThreadException(
            "the memory of a buffer belongs to another thread: it is of a confined arena, and a task"
                + " may run on any thread of its runtime. Take Arena.ofShared() or Arena.ofAuto()");
    clear.initCause(e);
    return clear;
  }
}
