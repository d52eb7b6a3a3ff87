package dev.blitz.parallel.internal.spin;

import java.util.ArrayList;

/**
 * What a pipeline goes through: element {@code i} is found at {@code base + i * stride}. For a
 * range of numbers that is the element itself.
 *
 * @param form of the data
 * @param data an array or list; for a range anything
 * @param base where element 0 is
 * @param stride from one to the next
 * @param size how many
 */
public record Source(Form form, Object data, long base, long stride, long size) {
  /** Of the data. */
  public enum Form {
    /** {@code int[]}. */
    INTS(0, Kind.INT),
    /** {@code long[]}. */
    LONGS(1, Kind.LONG),
    /** {@code double[]}. */
    DOUBLES(2, Kind.DOUBLE),
    /** {@code Object[]}. */
    OBJECTS(3, Kind.REF),
    /** A {@code List} with random access. */
    LIST(4, Kind.REF),
    /** Numbers themselves. */
    INT_RANGE(5, Kind.INT),
    /** Numbers themselves. */
    LONG_RANGE(6, Kind.LONG);

    /** Counts from 0. */
    final int slot;

    final Kind kind;

    Form(int slot, Kind kind) {
      this.slot = slot;
      this.kind = kind;
    }

    /** The form of an array. */
    static Form ofArray(Kind kind) {
      return switch (kind) {
        case INT -> INTS;
        case LONG -> LONGS;
        case DOUBLE -> DOUBLES;
        case REF -> OBJECTS;
      };
    }
  }

  /** An array of this kind, up to a size. */
  static Source ofArray(Kind kind, Object array, int size) {
    return new Source(Form.ofArray(kind), array, 0, 1, size);
  }

  boolean isStrided() {
    return stride != 1;
  }

  /** Whether the element of an index is found elsewhere. */
  boolean isMoved() {
    return base != 0 || isStrided();
  }

  /** Whether the element of an index may be read at another index of this array. */
  @SuppressWarnings("ReferenceEquality") // the very array is meant
  boolean readsElsewhereIn(Object array) {
    return switch (form) {
      // Most lists are views, or may be: only of these it is known what they are kept in.
      case LIST -> !(data instanceof Counting) && data.getClass() != ArrayList.class;
      case INT_RANGE, LONG_RANGE -> data instanceof Pipe.Parts parts && parts.readIn(array);
      default -> data == array && isMoved();
    };
  }

  /**
   * The elements from one index to another.
   *
   * @param from the first
   * @param to the end
   */
  public Source slice(long from, long to) {
    return new Source(form, data, base + from * stride, stride, to - from);
  }

  Source reversed() {
    return new Source(form, data, base + (size - 1) * stride, -stride, size);
  }

  Source stepBy(long step) {
    long count = size == 0 ? 0 : (size - 1) / step + 1;
    // Of one element the stride is of no interest, and might overflow.
    return new Source(form, data, base, count <= 1 ? stride : stride * step, count);
  }
}
