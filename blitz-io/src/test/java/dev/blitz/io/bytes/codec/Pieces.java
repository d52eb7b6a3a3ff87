package dev.blitz.io.bytes.codec;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.future.Context;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Gives bytes out in pieces of any size, with waits in between, as a seed says. */
final class Pieces implements ByteReader {
  private final ByteBuffer bytes;
  private final int largest;
  private final SplittableRandom random;

  Pieces(byte[] bytes, int largest, long seed) {
    this.bytes = ByteBuffer.wrap(bytes);
    this.largest = largest;
    this.random = new SplittableRandom(seed);
  }

  @Override
  public int pollRead(Context cx, ByteBuffer target) {
    if (random.nextInt(4) == 0) {
      cx.waker().wake();
      return PENDING;
    }
    if (!bytes.hasRemaining()) {
      return EOF;
    }
    int n = random.nextInt(1, largest + 1);
    n = Math.min(n, Math.min(target.remaining(), bytes.remaining()));
    target.put(bytes.slice(bytes.position(), n));
    bytes.position(bytes.position() + n);
    return n;
  }

  @Override
  public void forgetRead() {}
}
