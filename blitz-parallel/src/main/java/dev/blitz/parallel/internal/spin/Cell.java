package dev.blitz.parallel.internal.spin;

import org.jspecify.annotations.Nullable;

/**
 * What a loop leaves behind: the value so far, as bits or a reference. Loops start from what is
 * there, so one cell can be carried through several. Used by one thread at a time.
 */
public final class Cell {
  /** An int, a long, or the bits of a double. */
  long bits;

  /** An object. */
  @Nullable Object ref;

  /** Whether there is a value. */
  boolean any;

  /** The key of the value, if it is chosen by one: an int, a long, or the bits of a double. */
  long key;

  /** The key of an object. */
  @Nullable Object keyRef;

  /** The index of the value in the source. */
  long index;

  /** The array that is stored into. */
  @Nullable Object out;

  /** Where what was appended begins in it. */
  int outFrom;

  /** Where the next element, or that of index 0, goes in it. */
  int outAt;

  /** The cell that was appended to this one, and the last of them. */
  @Nullable Cell next;

  Cell last = this;

  /**
   * Whether anything came.
   *
   * @return true if there is a value
   */
  public boolean isPresent() {
    return any;
  }

  /**
   * The value, or what was counted.
   *
   * @return bits
   */
  public long bits() {
    return bits;
  }

  /** The value as a double. */
  public double asDouble() {
    return Double.longBitsToDouble(bits);
  }

  /**
   * The value as an object.
   *
   * @return null if there is none
   */
  public @Nullable Object ref() {
    return ref;
  }

  /**
   * Where the value came from.
   *
   * @return the index in the source
   */
  public long index() {
    return index;
  }
}
