package dev.blitz.io.internal.driver.socket;

import java.lang.foreign.MemorySegment;

/**
 * Moves bytes between a socket and memory of any kind: native memory directly, memory of the heap
 * through the frame's staging area.
 */
public final class SocketBytes {
  private SocketBytes() {}

  /** How many bytes came, 0 at the end of the stream, or {@code -errno}. */
  public static int receive(CallFrame frame, int fd, MemorySegment target, boolean peek) {
    int flags = peek ? SocketAbi.MSG_PEEK : 0;
    long size = target.byteSize();
    if (target.isNative()) {
      return SocketCalls.receive(frame, fd, target, Math.min(size, Integer.MAX_VALUE), flags);
    }
    int most = most(target);
    MemorySegment staging = frame.staging();
    int n = SocketCalls.receive(frame, fd, staging, most, flags);
    if (n > 0) {
      MemorySegment.copy(staging, 0, target, 0, n);
    }
    return n;
  }

  /** How many bytes went out, or {@code -errno}. */
  public static int send(CallFrame frame, int fd, MemorySegment source) {
    if (source.isNative()) {
      long size = Math.min(source.byteSize(), Integer.MAX_VALUE);
      return SocketCalls.send(frame, fd, source, size);
    }
    int most = most(source);
    MemorySegment staging = frame.staging();
    MemorySegment.copy(source, 0, staging, 0, most);
    return SocketCalls.send(frame, fd, staging, most);
  }

  /** How many bytes one call can move at most: less than asked for means that the kernel is dry. */
  public static int most(MemorySegment memory) {
    long limit = memory.isNative() ? Integer.MAX_VALUE : CallFrame.STAGING_BYTES;
    return (int) Math.min(memory.byteSize(), limit);
  }

  /** As {@link #receive} into several segments; one on the heap goes alone, or ends the vector. */
  public static long receiveAll(CallFrame frame, int fd, MemorySegment[] targets, int count) {
    int vectors = fill(frame, targets, count);
    if (vectors < 2) {
      frame.forgetVectors(vectors);
      return receive(frame, fd, targets[0], false);
    }
    try {
      return SocketCalls.receiveVectors(frame, fd, vectors);
    } finally {
      frame.forgetVectors(vectors);
    }
  }

  /** As {@link #send} from several segments. */
  public static long sendAll(CallFrame frame, int fd, MemorySegment[] sources, int count) {
    int vectors = fill(frame, sources, count);
    if (vectors < 2) {
      frame.forgetVectors(vectors);
      return send(frame, fd, sources[0]);
    }
    try {
      return SocketCalls.sendVectors(frame, fd, vectors);
    } finally {
      frame.forgetVectors(vectors);
    }
  }

  /** How many native segments there are in front; they are in the frame's vectors now. */
  private static int fill(CallFrame frame, MemorySegment[] segments, int count) {
    int vectors = 0;
    while (vectors < Math.min(count, CallFrame.MAX_VECTORS) && segments[vectors].isNative()) {
      MemorySegment segment = segments[vectors];
      SocketAbi.setIovec(frame.iovecs, vectors, segment, segment.byteSize());
      frame.vectors[vectors] = segment;
      vectors++;
    }
    return vectors;
  }
}
