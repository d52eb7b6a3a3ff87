package dev.blitz.io.internal.file;

import java.nio.file.OpenOption;

/** Past the page cache: {@code O_DIRECT}, which moves whole blocks between aligned places. */
public enum DirectAccess implements OpenOption {
  /** The option. */
  DIRECT;

  /** A multiple of the blocks of every disk. */
  static final int BLOCK = 4096;

  static boolean isWhole(long position, int length) {
    return (position & BLOCK - 1) == 0 && (length & BLOCK - 1) == 0;
  }

  /** Where the block of {@code position} begins. */
  static long floor(long position) {
    return position & -BLOCK;
  }

  /** So many bytes, and all of their last block. */
  static int ceiling(int length) {
    return (int) Math.min(length + (BLOCK - 1L) & -BLOCK, FileTuning.mostBytes());
  }
}
