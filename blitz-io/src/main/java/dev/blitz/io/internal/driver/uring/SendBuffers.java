package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.CountedArena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The memory that a ring's sends read from, in pieces of equal size. Under the ring's lock. */
final class SendBuffers implements AutoCloseable {
  /** Between two pieces: without it all of them would begin in the same lines of the cache. */
  private static final int GAP_BYTES = 64;

  private final CountedArena arena = CountedArena.open("sends of an io_uring");
  private final MemorySegment[] free = new MemorySegment[UringTuning.MOST_SENDS];
  private int count;
  private int made;

  /** A piece, the one that was used last if possible; null if all are in use. */
  @Nullable MemorySegment take() {
    if (count > 0) {
      return free[--count];
    }
    if (made == free.length) {
      return null;
    }
    MemorySegment piece =
        arena
            .allocate(UringTuning.SEND_BYTES + GAP_BYTES, GAP_BYTES)
            .asSlice(0, UringTuning.SEND_BYTES);
    made++; // there is one: closing waits for those
    return piece;
  }

  void giveBack(MemorySegment piece) {
    free[count++] = piece;
  }

  /** How many pieces are in use. */
  int inUse() {
    return made - count;
  }

  /** After the last send has completed. */
  @Override
  public void close() {
    arena.close();
  }

  /** The kernel may use the memory for good: nobody else gets it. */
  void abandon() {
    arena.abandon();
  }
}
