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

  /**
   * How long a lock that is taken is waited for before it is asked for again; each pause is twice
   * the one before. Shorter asks more often in vain.
   */
  static final long FIRST_LOCK_PAUSE_NANOS = 1_000_000;

  /** The longest of these pauses: how late one who waits for long may learn of its turn. */
  static final long LOCK_PAUSE_NANOS = 64_000_000;

  /** The most that one operation moves. */
  static int mostBytes() {
    return STAGING_BYTES[STAGING_BYTES.length - 1];
  }
}
