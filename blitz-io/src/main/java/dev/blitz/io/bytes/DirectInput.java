package dev.blitz.io.bytes;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Where another stream may take bytes of this one from without their passing through memory of the
 * program: a descriptor of the system's and a place in it. For kinds of streams, see {@link
 * GuardedStream#directInput}; a reader may be one itself. Used by whoever has the reading side.
 */
public interface DirectInput {

  /** A call of the system that takes bytes from a descriptor. */
  @FunctionalInterface
  interface Move {
    /**
     * Makes the call, which waits for nothing.
     *
     * @param descriptor open for the time of the call
     * @param position where the bytes begin
     * @param most how many are there; more would have to be waited for
     * @return how many were taken; 0 or a negative number if none
     */
    long make(int descriptor, long position, int most) throws IOException;

    /**
     * As {@link #make}, but what remains in {@code before} goes first, and its position says how
     * much of it has gone.
     *
     * @return 0 without anything done, if that is not for this kind of stream
     */
    default long makeBehind(ByteBuffer before, int descriptor, long position, int most)
        throws IOException {
      return 0;
    }
  }

  /**
   * Has {@code move} made with bytes that no disk has to be waited for, and goes on behind what it
   * has taken.
   *
   * @return what it answers, or {@link GuardedStream#BY_MEMORY} if it was not called
   */
  long move(Move move) throws IOException;
}
