package dev.blitz.io.internal.driver.socket;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

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

  /**
   * How a connection that was on its way has ended: 0, a failure, or {@code -EAGAIN} if it has not.
   */
  public static int connectOutcome(CallFrame frame, int fd) {
    int r = SocketCalls.getOption(frame, fd, SocketAbi.SOL_SOCKET, SocketAbi.SO_ERROR, 4);
    int error = r < 0 ? -r : SocketAbi.intAt(frame.value, 0);
    if (error != 0) {
      return -error;
    }
    return SocketCalls.peerName(frame, fd) == -SocketAbi.ENOTCONN ? -SocketAbi.EAGAIN : 0;
  }

  /** How many bytes one call can move at most: less than asked for means that the kernel is dry. */
  public static int most(ByteBuffer memory) {
    int size = memory.remaining();
    return memory.isDirect() ? size : Math.min(size, CallFrame.STAGING_BYTES);
  }

  private static int most(MemorySegment memory) {
    long limit = memory.isNative() ? Integer.MAX_VALUE : CallFrame.STAGING_BYTES;
    return (int) Math.min(memory.byteSize(), limit);
  }

  /** As {@link #receive} into several segments, in one call. */
  public static long receiveAll(CallFrame frame, int fd, MemorySegment[] targets, int count) {
    if (count == 1) {
      return receive(frame, fd, targets[0], false);
    }
    int vectors = fill(frame, targets, count, false);
    try {
      long n = SocketCalls.receiveVectors(frame, fd, vectors);
      unstage(frame, targets, vectors, n);
      return n;
    } finally {
      frame.forgetVectors(vectors);
    }
  }

  /** As {@link #send} from several segments, in one call. */
  public static long sendAll(CallFrame frame, int fd, MemorySegment[] sources, int count) {
    if (count == 1) {
      return send(frame, fd, sources[0]);
    }
    int vectors = fill(frame, sources, count, true);
    try {
      return SocketCalls.sendVectors(frame, fd, vectors);
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
  private static int fill(CallFrame frame, MemorySegment[] segments, int count, boolean copies) {
    int vectors = 0;
    int staged = 0;
    while (vectors < Math.min(count, CallFrame.MAX_VECTORS)) {
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
      SocketAbi.setIovec(frame.iovecs, vectors, memory, length);
      frame.vectors[vectors] = memory;
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
      MemorySegment memory = frame.vectors[i];
      long n = Math.min(left, memory.byteSize());
      if (!targets[i].isNative()) {
        MemorySegment.copy(memory, 0, targets[i], 0, n);
      }
      left -= n;
    }
  }
}
