package dev.blitz.io.fs;

import dev.blitz.io.internal.file.OpenFile;
import dev.blitz.io.internal.file.RangeLock;
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

  /** A length of 0 reaches as far as files can, as in the JDK. */
  static RangeLock range(OpenFile file, long position, long length, boolean shared) {
    if (position < 0 || length < 0 || position + length < 0) {
      throw new IllegalArgumentException(
          "a file has no part of " + length + " bytes at " + position);
    }
    return new RangeLock(file, position, length == 0 ? Long.MAX_VALUE - position : length, shared);
  }

  static long mapped(long position, long length) {
    if (length <= 0 || position + length < 0) {
      throw new IllegalArgumentException(
          "nothing can be mapped of " + length + " bytes at " + position);
    }
    return length;
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
