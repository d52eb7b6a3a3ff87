package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.CountedArena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The memory that a ring's sends read from, in pieces of equal size. Under the ring's lock. */
final class SendBuffers implements AutoCloseable {
  private final CountedArena arena = CountedArena.open("sends of an io_uring");
  private final Piece[] free = new Piece[UringTuning.MOST_SENDS];
  private int count;
  private int made;

  /** {@code bytes}: written by index; {@code address}: where the kernel finds them. */
  record Piece(ByteBuffer bytes, long address) {}

  /** A piece, the one that was used last if possible; null if all are in use. */
  @Nullable Piece take() {
    if (count > 0) {
      return free[--count];
    }
    if (made == free.length) {
      return null;
    }
    MemorySegment memory =
        arena.allocate(UringTuning.SEND_BYTES + UringTuning.GAP_BYTES, UringTuning.GAP_BYTES);
    var piece =
        new Piece(memory.asSlice(0, UringTuning.SEND_BYTES).asByteBuffer(), memory.address());
    made++; // there is one: closing waits for those
    return piece;
  }

  void giveBack(Piece piece) {
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
