package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.base.StackRoom;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** {@link ByteReader#take}: the end comes after a number of bytes at the latest. */
final class TakeReader implements ByteReader {
  private final ByteReader below;
  private long left;

  TakeReader(ByteReader below, long count) {
    if (count < 0) {
      throw new IllegalArgumentException("a negative count: " + count);
    }
    this.below = below;
    this.left = count;
  }

  @Override
  public int pollRead(Context cx, ByteBuffer target) throws IOException {
    if (left == 0 && target.hasRemaining()) {
      return EOF;
    }
    int limit = target.limit();
    StackRoom.forStep(); // the limit is the caller's, and is put back
    target.limit(target.position() + (int) Math.min(target.remaining(), left));
    int n;
    try {
      n = below.pollRead(cx, target);
    } finally {
      target.limit(limit);
    }
    if (n > 0) {
      left -= n;
    }
    return n;
  }

  /** Whether all of them have been taken. */
  boolean isEnded() {
    return left == 0;
  }

  /** What is below, as far as it may be taken; null if that has none. */
  @Nullable DirectInput directInput() {
    GuardedStream stream = Reads.guardedBy(below);
    DirectInput all = stream == null ? null : stream.directInput();
    Side side = Reads.sideOf(below);
    return all == null || side == null ? null : move -> move(all, side, move);
  }

  private long move(DirectInput all, Side side, DirectInput.Move move) throws IOException {
    if (left == 0) {
      return GuardedStream.BY_MEMORY;
    }
    StackRoom.forWake(); // to let go of the side
    side.claim(move);
    try {
      long n =
          all.move((descriptor, position, most) ->
              move.make(descriptor, position, (int) Math.min(most, left)));
      left -= Math.max(0, n);
      return n;
    } finally {
      side.release();
    }
  }

  @Override
  public void forgetRead() {
    below.forgetRead();
  }

  @Override
  public String toString() {
    return "at most " + left + " bytes of " + below;
  }
}
