package dev.blitz.io.bytes.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Looks for bytes, eight at a time where they lie in an array. */
final class ByteSearch {
  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;

  private ByteSearch() {}

  /** Where {@code wanted} begins, from {@code from} to the limit; -1 if nowhere. */
  static int indexOf(ByteBuffer bytes, int from, byte[] wanted) {
    int last = bytes.limit() - wanted.length;
    for (int at = from; at <= last; at++) {
      at = indexOf(bytes, at, bytes.limit(), wanted[0]);
      if (at < 0 || at > last) {
        return -1;
      }
      if (isAt(bytes, at, wanted)) {
        return at;
      }
    }
    return -1;
  }

  private static boolean isAt(ByteBuffer bytes, int at, byte[] wanted) {
    for (int i = 1; i < wanted.length; i++) {
      if (bytes.get(at + i) != wanted[i]) {
        return false;
      }
    }
    return true;
  }

  private static int indexOf(ByteBuffer bytes, int from, int to, byte wanted) {
    if (bytes.hasArray()) {
      int offset = bytes.arrayOffset();
      int at = indexOf(bytes.array(), offset + from, offset + to, wanted);
      return at < 0 ? -1 : at - offset;
    }
    for (int i = from; i < to; i++) {
      if (bytes.get(i) == wanted) {
        return i;
      }
    }
    return -1;
  }

  private static int indexOf(byte[] array, int from, int to, byte wanted) {
    long pattern = ONES * (wanted & 0xff);
    int i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      long zeroWhereEqual = (long) EIGHT.get(array, i) ^ pattern;
      long found = (zeroWhereEqual - ONES) & ~zeroWhereEqual & HIGHS; // the lowest is exact
      if (found != 0) {
        return i + Long.numberOfTrailingZeros(found) / Byte.SIZE;
      }
    }
    for (; i < to; i++) {
      if (array[i] == wanted) {
        return i;
      }
    }
    return -1;
  }
}
