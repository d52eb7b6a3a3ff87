package dev.blitz.parallel.internal.spin;

import java.util.function.DoubleBinaryOperator;

/** The inner loops of a scan of doubles, as a class that can be copied per combiner class. */
abstract class DoubleScanCode {
  /** All elements of a range combined; there is one or more. */
  abstract double total(DoubleBinaryOperator combiner, double[] src, int from, int to);

  /** Running totals of a range, each combined with {@code before} if {@code follows}. */
  abstract void run(
      DoubleBinaryOperator combiner,
      double[] src,
      double[] dst,
      int from,
      int to,
      boolean follows,
      double before);

  /** The template. */
  static final class Loop extends DoubleScanCode {
    @Override
    double total(DoubleBinaryOperator combiner, double[] src, int from, int to) {
      double total = src[from];
      for (int i = from + 1; i < to; i++) {
        total = combiner.applyAsDouble(total, src[i]);
      }
      return total;
    }

    @Override
    void run(
        DoubleBinaryOperator combiner,
        double[] src,
        double[] dst,
        int from,
        int to,
        boolean follows,
        double before) {
      // The same operations whether the range before was known or not: the same bits.
      double total = src[from];
      dst[from] = follows ? combiner.applyAsDouble(before, total) : total;
      for (int i = from + 1; i < to; i++) {
        total = combiner.applyAsDouble(total, src[i]);
        dst[i] = follows ? combiner.applyAsDouble(before, total) : total;
      }
    }
  }
}
