package dev.blitz.io.internal.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * An open file of the lane's threads. All but {@link #readNow} may wait, and each fails with what
 * the system says, without the operation's name.
 */
interface LaneChannel {

  /** Whether bytes have offsets; if not, positions mean nothing. */
  boolean isSeekable();

  /** Reads into {@code target}, a buffer outside the heap: how many bytes, or -1. */
  int read(ByteBuffer target, long position) throws IOException;

  /** Writes from {@code source}, a buffer outside the heap: how many bytes. */
  int write(ByteBuffer source, long position) throws IOException;

  /** Makes what was written last. */
  void force(boolean metadata) throws IOException;

  /** Cuts the file off, or lets it grow by zeros. */
  void setLength(long length) throws IOException;

  /** How many bytes it has. */
  long size() throws IOException;

  /** Maps by a channel of the JDK's. */
  MemorySegment map(LaneMap.Mapping mapping) throws IOException;

  /** Locks {@code range}, if nobody else has; waits for no lock. */
  boolean tryLock(RangeLock range) throws IOException;

  /** Gives back what was locked. */
  void unlock(RangeLock range) throws IOException;

  /** As {@link OpenFile#readNow}. */
  default int readNow(ByteBuffer target, long position) {
    return FileOperation.PENDING;
  }

  /** Whether reads must begin and end with a block. */
  default boolean isDirect() {
    return false;
  }

  /** The system's number of it, whose reads come from the page cache; -1 if there is none. */
  default int number() {
    return -1;
  }

  /** Once. */
  void close() throws IOException;
}
