package dev.blitz.io.fs;

import dev.blitz.io.internal.file.PageCache;

/**
 * A part of a file that was found to be in memory: it is asked for once, and again when whoever
 * takes it has had to wait, since the system may have let go of it meanwhile.
 */
final class PresentBytes {
  private long from;
  private long to;

  /** How many bytes at {@code position} can be taken now, up to {@code most}; 0 if none. */
  int count(int descriptor, long position, int most) {
    if (position < from || position >= to) {
      int found = PageCache.present(descriptor, position, most);
      from = position;
      to = position + found;
    }
    return (int) Math.min(most, to - position);
  }

  /** Who takes the rest may come much later. */
  void forget() {
    to = from;
  }

  /** The outcome of taking them: negative if that has to wait. */
  void taken(long n) {
    if (n < 0) {
      to = from;
    }
  }
}
