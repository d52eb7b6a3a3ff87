package dev.blitz.io.internal.file;

/** Sizes. */
final class FileTuning {
  private FileTuning() {}

  /**
   * The memory of an operation, by what it is for: a record, a page or two of text, and bulk. Each
   * operation has the smallest that holds what it moves; the last bounds what it can move. Larger
   * bulk saves hand-overs and takes memory per operation in flight.
   */
  static final int[] STAGING_BYTES = {8 << 10, 64 << 10, 256 << 10};

  /**
   * How many buffers of a size are kept for the next operations. Fewer are made and freed more
   * often when many operations run at once; more would be held for nothing after a burst.
   */
  static final int KEPT_BUFFERS = 32;

  /** How many entries of a directory are fetched at a time. */
  static final int ENTRIES = 256;

  /** The most that one operation moves. */
  static int mostBytes() {
    return STAGING_BYTES[STAGING_BYTES.length - 1];
  }
}
