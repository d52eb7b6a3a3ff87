package dev.blitz.io.internal.driver.uring;

/**
 * What the kernel keeps with an entry and hands back with its completions: what kind of entry it
 * was, and whose.
 *
 * <pre>
 *   bits   63..60   59..32       31..0
 *          kind     generation   slot, or the number of a worker or of a thread
 * </pre>
 *
 * The lower 60 bits of an operation are its key in the ring's table, so that the tag of an
 * operation is its key.
 */
final class Tag {
  /** An operation of the ring's table. */
  static final int OPERATION = 0;

  /** A cancel of the operation whose key it carries. */
  static final int CANCEL = 1;

  /** The counter that wakes the ring's worker. */
  static final int WAKE = 2;

  /** Another worker's ring, which is watched. */
  static final int WATCH = 3;

  /** Nobody needs to know. */
  static final int NOBODY = 4;

  private static final int KIND_SHIFT = 60;
  private static final long REST = (1L << KIND_SHIFT) - 1;

  private Tag() {}

  static int kind(long tag) {
    return (int) (tag >>> KIND_SHIFT);
  }

  /** The tag of the ring's own entries of a kind. */
  static long of(int kind) {
    return (long) kind << KIND_SHIFT;
  }

  /** The tag of a cancel of the operation that has {@code key}. */
  static long cancelOf(long key) {
    return of(CANCEL) | key;
  }

  /** Whose cancel it is. */
  static long key(long tag) {
    return tag & REST;
  }

  static long watchOf(int worker) {
    return of(WATCH) | worker;
  }

  /** Which worker's ring is watched. */
  static int worker(long tag) {
    return (int) tag;
  }

  /** The tag of what wakes a ring's worker, as armed by its {@code driver}-th thread. */
  static long wakeOf(int driver) {
    return of(WAKE) | Integer.toUnsignedLong(driver);
  }

  /** Which thread of the worker has armed it. */
  static int driver(long tag) {
    return (int) tag;
  }

  static String toString(long tag) {
    return switch (kind(tag)) {
      case OPERATION -> "operation " + (int) tag + " for the " + (key(tag) >>> 32) + ". time";
      case CANCEL -> "cancel of " + toString(key(tag));
      case WAKE -> "wake of thread " + driver(tag);
      case WATCH -> "watch of ring " + worker(tag);
      case NOBODY -> "nobody";
      default -> "unknown " + Long.toHexString(tag);
    };
  }
}
