package dev.blitz.io.fs;

import java.nio.ByteBuffer;

/** What callers may get wrong. */
final class Checks {
  private Checks() {}

  static long position(long position) {
    if (position < 0) {
      throw new IllegalArgumentException("a file has no place " + position);
    }
    return position;
  }

  static ByteBuffer[] writable(ByteBuffer... targets) {
    ByteBuffer[] copy = targets.clone();
    for (ByteBuffer target : copy) {
      if (target.isReadOnly()) {
        throw new IllegalArgumentException("a read-only buffer cannot be read into: " + target);
      }
    }
    return copy;
  }
}
