package dev.blitz.io.internal.driver.readiness;

import dev.blitz.io.internal.driver.posix.CallFrame;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** A system call that does not wait, on memory that it is given; none of them holds anything. */
@FunctionalInterface
interface IoCall {

  /**
   * Makes it.
   *
   * @param frame lent for the time of the call
   * @param fd in use
   * @param one the memory of a call that wants one segment
   * @param many the memory of a call that wants several
   * @return what the kernel says, or {@code -errno}
   */
  long make(CallFrame frame, int fd, ByteBuffer one, MemorySegment[] many) throws IOException;
}
