package dev.blitz.parallel.internal.spin;

import java.util.function.LongBinaryOperator;

/** The inner loops of a scan of longs, as a class that can be copied per combiner class. */
abstract class LongScanCode {
  /** All elements of a range combined; there is one or more. */
  abstract long total(LongBinaryOperator combiner, long[] src, int from, int to);

  /** Running totals of a range, each combined with {@code before} if {@code follows}. */
  abstract void run(
      LongBinaryOperator combiner,
      long[] src,
      long[] dst,
      int from,
      int to,
      boolean follows,
      long before);

  /** The template. */
  static final class Loop extends LongScanCode {
    @Override
    long total(LongBinaryOperator combiner, long[] src, int from, int to) {
      long total = src[from];
      for (int i = from + 1; i < to; i++) {
        total = combiner.applyAsLong(total, src[i]);
      }
      return total;
    }

    @Override
    void run(
        LongBinaryOperator combiner,
        long[] src,
        long[] dst,
        int from,
        int to,
        boolean follows,
        long before) {
      long total = follows ? combiner.applyAsLong(before, src[from]) : src[from];
      dst[from] = total;
      for (int i = from + 1; i < to; i++) {
        total = combiner.applyAsLong(total, src[i]);
        dst[i] = total;
      }
    }
  }
}
