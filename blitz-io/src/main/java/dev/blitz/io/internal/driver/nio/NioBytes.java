package dev.blitz.io.internal.driver.nio;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Moves bytes between a channel and memory of any kind. What lies on the heap goes through a
 * staging area of ours: the JDK would take one as large as the buffer, for each thread, and keep
 * it. No buffer's position changes.
 */
/* Implementation notes
 *
 * A staging area lies in the pool's slot that the thread's number picks, or is with its borrower, as with CallFrame.
 */
final class NioBytes {
  private NioBytes() {}

  /** Room for any datagram, and the most that one call moves from or to the heap. */
  static final int STAGING_BYTES = 64 * 1024;

  /** Segments of one vectored call; what a caller has beyond that goes into the next one. */
  private static final int MAX_VECTORS = 16;

  private static final int SLOTS = 64;
  private static final AtomicReferenceArray<@Nullable ByteBuffer> POOL =
      new AtomicReferenceArray<>(SLOTS);

  /** Borrows a staging area, empty. */
  static ByteBuffer takeStaging() {
    ByteBuffer area = POOL.getAndSet(slot(), null);
    return area != null ? area.clear() : ByteBuffer.allocateDirect(STAGING_BYTES);
  }

  /** Ends the loan. */
  static void giveBack(ByteBuffer staging) {
    POOL.setRelease(slot(), staging);
  }

  private static int slot() {
    return (int) Thread.currentThread().threadId() & SLOTS - 1;
  }

  /** How many bytes one call can move at most: less than asked for means that the kernel is dry. */
  static int most(ByteBuffer memory) {
    return memory.isDirect() ? memory.remaining() : Math.min(memory.remaining(), STAGING_BYTES);
  }

  /** What the channel says. */
  static int read(SocketChannel from, ByteBuffer target) throws IOException {
    int begin = target.position();
    if (target.isDirect()) {
      try {
        return from.read(target);
      } finally {
        target.position(begin);
      }
    }
    ByteBuffer staging = takeStaging();
    try {
      int n = from.read(staging.limit(most(target)));
      if (n > 0) {
        target.put(begin, staging, 0, n);
      }
      return n;
    } finally {
      giveBack(staging);
    }
  }

  /** What the channel says. */
  static int write(SocketChannel to, ByteBuffer source) throws IOException {
    int begin = source.position();
    if (source.isDirect()) {
      try {
        return to.write(source);
      } finally {
        source.position(begin);
      }
    }
    ByteBuffer staging = takeStaging();
    try {
      int length = most(source);
      return to.write(staging.put(0, source, begin, length).limit(length));
    } finally {
      giveBack(staging);
    }
  }

  /** As {@link #read} into several segments, in one call. */
  static long readAll(SocketChannel from, MemorySegment[] targets) throws IOException {
    if (targets.length == 1) {
      return read(from, buffer(targets[0]));
    }
    ByteBuffer staging = takeStaging();
    try {
      ByteBuffer[] buffers = buffers(targets, staging, false);
      long n = from.read(buffers);
      long left = n;
      for (int i = 0; left > 0; i++) {
        int part = buffers[i].position();
        if (!targets[i].isNative()) {
          copy(MemorySegment.ofBuffer(buffers[i].flip()), targets[i], part);
        }
        left -= part;
      }
      return n;
    } finally {
      giveBack(staging);
    }
  }

  /** As {@link #write} from several segments, in one call. */
  static long writeAll(SocketChannel to, MemorySegment[] sources) throws IOException {
    if (sources.length == 1) {
      return write(to, buffer(sources[0]));
    }
    ByteBuffer staging = takeStaging();
    try {
      return to.write(buffers(sources, staging, true));
    } finally {
      giveBack(staging);
    }
  }

  /**
   * What one call moves: native memory as it is, and for memory of the heap parts of {@code
   * staging}. It ends where that is used up.
   */
  private static ByteBuffer[] buffers(
      MemorySegment[] segments, ByteBuffer staging, boolean copies) {
    var buffers = new ByteBuffer[Math.min(segments.length, MAX_VECTORS)];
    int staged = 0;
    for (int i = 0; i < buffers.length; i++) {
      MemorySegment segment = segments[i];
      if (segment.isNative()) {
        buffers[i] = buffer(segment);
        continue;
      }
      int part = (int) Math.min(segment.byteSize(), STAGING_BYTES - staged);
      buffers[i] = staging.slice(staged, part);
      staged += part;
      if (copies) {
        copy(segment, MemorySegment.ofBuffer(buffers[i]), part);
      }
      if (part < segment.byteSize()) {
        return Arrays.copyOf(buffers, i + 1);
      }
    }
    return buffers;
  }

  private static void copy(MemorySegment from, MemorySegment to, int length) {
    MemorySegment.copy(from, 0, to, 0, length);
  }

  private static ByteBuffer buffer(MemorySegment segment) {
    return segment.byteSize() <= Integer.MAX_VALUE
        ? segment.asByteBuffer()
        : segment.asSlice(0, Integer.MAX_VALUE).asByteBuffer();
  }
}
