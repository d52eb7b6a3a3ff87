package dev.blitz.io.internal.file;

import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Reads of what the system has in memory, straight into the user's buffer. Never waits. */
final class NowReads {
  private static final long NOWHERE = -1;

  private final int fd;

  /** Whether the file system can tell what it has in memory; a wrong guess costs a call. */
  private volatile boolean tells = true;

  /** Where a read was last refused for want of the bytes; of several at a time it knows one. */
  private volatile long lackedAt = NOWHERE;

  /** Of a file that has offsets. */
  NowReads(int fd) {
    this.fd = fd;
  }

  /** How many bytes, EOF, or PENDING: an operation must tell; while the number is in use. */
  int read(ByteBuffer target, long position) {
    if (!tells) {
      return FileOperation.PENDING;
    }
    CallFrame frame = CallFrame.take();
    try {
      return read(frame, target, position);
    } finally {
      frame.giveBack();
    }
  }

  private int read(CallFrame frame, ByteBuffer target, long position) {
    boolean direct = target.isDirect();
    int length =
        Math.min(target.remaining(), direct ? FileTuning.mostBytes() : CallFrame.STAGING_BYTES);
    MemorySegment memory = direct ? MemorySegment.ofBuffer(target) : frame.staging();
    int n = FileCalls.readNow(frame, fd, memory, length, position);
    if (n < 0) {
      tells = n == -Errno.EAGAIN; // other failures are told by the operation that follows
      lackedAt = position;
      return FileOperation.PENDING;
    }
    if (n > 0 && !direct) {
      MemorySegment.copy(memory, 0, MemorySegment.ofBuffer(target), 0, n);
    }
    target.position(target.position() + n);
    if (n > 0) {
      return n;
    }
    if (isEnd(frame, position)) {
      return FileOperation.EOF;
    }
    lackedAt = position;
    return FileOperation.PENDING;
  }

  /**
   * For whoever is about to read {@code length} bytes at {@code position} by an operation: whether
   * it has just been refused by {@link #read}, or follows such a read, as what is read ahead; or
   * nobody can tell what is in memory.
   */
  boolean takeLack(long position, int length) {
    boolean lacks = lackedAt == position;
    if (lacks) {
      lackedAt = position + length;
    }
    return lacks || !tells;
  }

  /** Linux 5.9 and 5.10 may answer 0 before the end. */
  private boolean isEnd(CallFrame frame, long position) {
    long size = FileCalls.sizeNow(frame, fd);
    return size >= 0 && size <= position;
  }
}
