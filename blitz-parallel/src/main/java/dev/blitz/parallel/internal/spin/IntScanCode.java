package dev.blitz.parallel.internal.spin;

import java.util.function.IntBinaryOperator;

/** The inner loops of a scan of ints, as a class that can be copied per combiner class. */
abstract class IntScanCode {
  /** All elements of a range combined; there is one or more. */
  abstract int total(IntBinaryOperator combiner, int[] src, int from, int to);

  /** Running totals of a range, each combined with {@code before} if {@code follows}. */
  abstract void run(
      IntBinaryOperator combiner,
      int[] src,
      int[] dst,
      int from,
      int to,
      boolean follows,
      int before);

  /** The template. */
  static final class Loop extends IntScanCode {
    @Override
    int total(IntBinaryOperator combiner, int[] src, int from, int to) {
      int total = src[from];
      for (int i = from + 1; i < to; i++) {
        total = combiner.applyAsInt(total, src[i]);
      }
      return total;
    }

    @Override
    void run(
        IntBinaryOperator combiner,
        int[] src,
        int[] dst,
        int from,
        int to,
        boolean follows,
        int before) {
      int total = follows ? combiner.applyAsInt(before, src[from]) : src[from];
      dst[from] = total;
      for (int i = from + 1; i < to; i++) {
        total = combiner.applyAsInt(total, src[i]);
        dst[i] = total;
      }
    }
  }
}
