package dev.blitz.io.internal.driver.posix;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Moves bytes between a descriptor and memory of any kind: native memory directly, memory of the
 * heap through the frame's staging area. Which calls do that is up to the descriptor: they are
 * passed in, as constants.
 */
public final class Transfer {
  private Transfer() {}

  /** A call on one piece of native memory: how many bytes, or {@code -errno}. */
  @FunctionalInterface
  public interface Single {
    int make(CallFrame frame, int fd, MemorySegment memory, long length);
  }

  /** A call on the first {@code count} vectors of the frame: how many bytes, or {@code -errno}. */
  @FunctionalInterface
  public interface Vectored {
    long make(CallFrame frame, int fd, int count);
  }

  /** How many bytes came, 0 at the end, or {@code -errno}. Takes no memory for what is copied. */
  public static int in(CallFrame frame, int fd, ByteBuffer target, Single call) {
    if (target.isDirect()) {
      return call.make(frame, fd, MemorySegment.ofBuffer(target), target.remaining());
    }
    ByteBuffer staged = frame.stagingBytes(); // first: what has come would be lost for want of it
    int n = call.make(frame, fd, frame.staging(), most(target));
    if (n > 0) {
      target.put(target.position(), staged, 0, n);
    }
    return n;
  }

  private static int in(CallFrame frame, int fd, MemorySegment target, Single call) {
    if (target.isNative()) {
      return call.make(frame, fd, target, Math.min(target.byteSize(), Integer.MAX_VALUE));
    }
    int most = most(target);
    MemorySegment staging = frame.staging();
    int n = call.make(frame, fd, staging, most);
    if (n > 0) {
      MemorySegment.copy(staging, 0, target, 0, n);
    }
    return n;
  }

  /** How many bytes went out, or {@code -errno}. Takes no memory for what is copied. */
  public static int out(CallFrame frame, int fd, ByteBuffer source, Single call) {
    if (source.isDirect()) {
      return call.make(frame, fd, MemorySegment.ofBuffer(source), source.remaining());
    }
    int most = most(source);
    frame.stagingBytes().put(0, source, source.position(), most);
    return call.make(frame, fd, frame.staging(), most);
  }

  private static int out(CallFrame frame, int fd, MemorySegment source, Single call) {
    if (source.isNative()) {
      return call.make(frame, fd, source, Math.min(source.byteSize(), Integer.MAX_VALUE));
    }
    int most = most(source);
    MemorySegment staging = frame.staging();
    MemorySegment.copy(source, 0, staging, 0, most);
    return call.make(frame, fd, staging, most);
  }

  /** How many bytes one call can move at most: less than asked for means that the kernel is dry. */
  public static int most(ByteBuffer memory) {
    int size = memory.remaining();
    return memory.isDirect() ? size : Math.min(size, CallFrame.STAGING_BYTES);
  }

  /** As {@link #most(ByteBuffer)}, of a call on several segments. */
  public static long most(MemorySegment[] segments) {
    if (segments.length == 1) {
      return most(segments[0]);
    }
    long total = 0;
    long room = CallFrame.STAGING_BYTES;
    for (int i = 0; i < Math.min(segments.length, CallFrame.MAX_VECTORS); i++) {
      long length = segments[i].byteSize();
      if (!segments[i].isNative()) {
        if (length > room) {
          return total + room; // what follows would be out of place
        }
        room -= length;
      }
      total += length;
    }
    return total;
  }

  private static int most(MemorySegment memory) {
    long limit = memory.isNative() ? Integer.MAX_VALUE : CallFrame.STAGING_BYTES;
    return (int) Math.min(memory.byteSize(), limit);
  }

  /** As {@link #in} into several segments, in one call. */
  public static long inAll(
      CallFrame frame, int fd, MemorySegment[] targets, Single one, Vectored many) {
    if (targets.length == 1) {
      return in(frame, fd, targets[0], one);
    }
    int vectors = fill(frame, targets, false);
    try {
      long n = many.make(frame, fd, vectors);
      unstage(frame, targets, vectors, n);
      return n;
    } finally {
      frame.forgetVectors(vectors);
    }
  }

  /** As {@link #out} from several segments, in one call. */
  public static long outAll(
      CallFrame frame, int fd, MemorySegment[] sources, Single one, Vectored many) {
    if (sources.length == 1) {
      return out(frame, fd, sources[0], one);
    }
    int vectors = fill(frame, sources, true);
    try {
      return many.make(frame, fd, vectors);
    } finally {
      frame.forgetVectors(vectors);
    }
  }

  /**
   * Puts segments into the frame's vectors, as many as there is room for: native ones as they are,
   * those of the heap as pieces of the staging area.
   *
   * @param copies whether what lies on the heap is to be sent
   * @return how many vectors
   */
  private static int fill(CallFrame frame, MemorySegment[] segments, boolean copies) {
    int vectors = 0;
    int staged = 0;
    while (vectors < Math.min(segments.length, CallFrame.MAX_VECTORS)) {
      MemorySegment segment = segments[vectors];
      long length = segment.byteSize();
      MemorySegment memory = segment;
      if (!segment.isNative()) {
        length = Math.min(length, CallFrame.STAGING_BYTES - staged);
        if (length == 0) {
          break;
        }
        memory = frame.staging().asSlice(staged, length);
        staged += (int) length;
        if (copies) {
          MemorySegment.copy(segment, 0, memory, 0, length);
        }
      }
      PosixAbi.setIovec(frame.iovecs(), vectors, memory, length);
      frame.vectors()[vectors] = memory;
      vectors++;
      if (length < segment.byteSize()) {
        break; // what follows would be out of place
      }
    }
    return vectors;
  }

  /** Copies what came into the staging area to the targets on the heap. */
  private static void unstage(CallFrame frame, MemorySegment[] targets, int vectors, long bytes) {
    long left = bytes;
    for (int i = 0; i < vectors && left > 0; i++) {
      MemorySegment memory = frame.vectors()[i];
      long n = Math.min(left, memory.byteSize());
      if (!targets[i].isNative()) {
        MemorySegment.copy(memory, 0, targets[i], 0, n);
      }
      left -= n;
    }
  }
}
