package dev.blitz.io.fs;

import java.nio.file.OpenOption;

/** How a file is opened, besides {@link java.nio.file.StandardOpenOption}. */
public enum FileOption implements OpenOption {
  /**
   * Reads and writes go between the disk and memory of the operation, and leave the page cache
   * alone: for those who have a cache of their own, or read what nobody will want again. Buffers,
   * places and lengths may be any; a write whose place or length is no multiple of 4,096 goes
   * through the page cache all the same. Fails where the file system refuses it, with {@link
   * UnsupportedOperationException} where native code may not be called.
   */
  DIRECT
}
