package dev.blitz.examples;

import dev.blitz.parallel.Parallel;

/**
 * Multiplies matrices: by rows as a parallel loop, and by quarters as a recursion that fits into
 * whatever caches there are. Both get the same result.
 *
 * <p>Shows: parallelFor, nested joins. Run: {@code ./blitz example MatrixMultiply 1024}.
 */
public final class MatrixMultiply {
  private static final int LEAF = 64;

  private MatrixMultiply() {}

  /** Prints the times; the argument is the size, a power of two. */
  public static void main(String[] args) {
    int n = args.length > 0 ? Integer.parseInt(args[0]) : 256;
    double[] a = new double[n * n];
    double[] b = new double[n * n];
    Parallel.parallelFor(
        0,
        n * n,
        i -> {
          a[i] = i % 7;
          b[i] = i % 5;
        });
    long start = System.nanoTime();
    double[] byRows = byRows(a, b, n);
    long middle = System.nanoTime();
    double[] byQuarters = new double[n * n];
    addProduct(new Block(a, 0, n), new Block(b, 0, n), new Block(byQuarters, 0, n), n);
    long end = System.nanoTime();
    IO.println(
        "rows: " + (middle - start) / 1_000 + " us, quarters: " + (end - middle) / 1_000 + " us");
    IO.println(
        "the same: "
            + (Parallel.iter(byRows).zip(byQuarters, (x, y) -> x == y ? 0 : 1).sum() == 0));
    IO.println("first row, last column: " + byRows[n - 1]);
  }

  private static double[] byRows(double[] a, double[] b, int n) {
    double[] c = new double[n * n];
    Parallel.parallelFor(
        0,
        n,
        row -> {
          for (int k = 0; k < n; k++) {
            double factor = a[row * n + k];
            for (int column = 0; column < n; column++) { // the compiler makes vectors of it
              c[row * n + column] += factor * b[k * n + column];
            }
          }
        });
    return c;
  }

  /** A square part of a matrix: where it begins, and how long a row of the whole matrix is. */
  private static final class Block {
    final double[] data;
    final int start;
    final int stride;

    Block(double[] data, int start, int stride) {
      this.data = data;
      this.start = start;
      this.stride = stride;
    }

    Block quarter(int row, int column, int half) {
      return new Block(data, start + (row * stride + column) * half, stride);
    }
  }

  /** Adds {@code a} times {@code b} to {@code c}; all are of {@code size} rows and columns. */
  private static void addProduct(Block a, Block b, Block c, int size) {
    if (size <= LEAF) {
      addLeaf(a, b, c, size);
      return;
    }
    int half = size / 2;
    for (int k = 0; k < 2; k++) { // what is added to the same quarter is not done at the same time
      int middle = k;
      Parallel.join(
          () ->
              Parallel.join(
                  () -> step(a, b, c, 0, 0, middle, half), () -> step(a, b, c, 0, 1, middle, half)),
          () ->
              Parallel.join(
                  () -> step(a, b, c, 1, 0, middle, half),
                  () -> step(a, b, c, 1, 1, middle, half)));
    }
  }

  private static void step(Block a, Block b, Block c, int row, int column, int k, int half) {
    addProduct(
        a.quarter(row, k, half), b.quarter(k, column, half), c.quarter(row, column, half), half);
  }

  private static void addLeaf(Block a, Block b, Block c, int size) {
    for (int row = 0; row < size; row++) {
      for (int k = 0; k < size; k++) {
        double factor = a.data[a.start + row * a.stride + k];
        for (int column = 0; column < size; column++) {
          c.data[c.start + row * c.stride + column] +=
              factor * b.data[b.start + k * b.stride + column];
        }
      }
    }
  }
}
