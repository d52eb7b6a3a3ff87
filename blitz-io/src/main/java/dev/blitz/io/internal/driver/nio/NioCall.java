package dev.blitz.io.internal.driver.nio;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A call on a channel, that does not wait.
 *
 * @param <C> the channel's kind
 */
@FunctionalInterface
interface NioCall<C> {

  /** The call's answer: nothing can be done now. */
  long IN_VAIN = Long.MIN_VALUE + 1;

  /**
   * Makes it.
   *
   * @param one the memory of a call that wants one buffer
   * @param many the memory of a call that wants several
   * @return what the channel says, or {@link #IN_VAIN}
   */
  long make(C channel, ByteBuffer one, MemorySegment[] many) throws IOException;

  /** For calls whose 0 means that nothing can be done now. */
  static long orInVain(long moved) {
    return moved == 0 ? IN_VAIN : moved;
  }
}
