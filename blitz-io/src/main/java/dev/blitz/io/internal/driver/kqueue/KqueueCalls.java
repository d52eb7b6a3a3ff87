package dev.blitz.io.internal.driver.kqueue;

import dev.blitz.io.internal.driver.posix.Descriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * The calls of kqueue: those of the system, or others that do the same. Thread safe; one may wait
 * while others change what is watched.
 */
interface KqueueCalls {

  /** How its events look. */
  KqueueAbi abi();

  /** A new queue. */
  Descriptor open() throws IOException;

  /**
   * Makes changes, then waits for events if there is room for any. A change with {@code EV_RECEIPT}
   * is answered by an event with its outcome.
   *
   * @param timeout {@code struct timespec}, or null for no limit
   * @return how many events, or {@code -errno}
   */
  int kevent(
      MemorySegment errno,
      int queue,
      MemorySegment changes,
      int changeCount,
      MemorySegment events,
      int room,
      MemorySegment timeout);

  /** Makes one change, of which nobody learns whether it succeeded. Takes no memory. */
  void change(int queue, MemorySegment change);
}
