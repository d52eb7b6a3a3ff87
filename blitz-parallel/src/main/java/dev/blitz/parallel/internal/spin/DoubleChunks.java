package dev.blitz.parallel.internal.spin;

import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.internal.BlockLoop;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reductions of doubles, whose rounding depends on the order: chunks of a fixed number of indices,
 * each reduced on its own, and their results combined by number. So the bits do not depend on who
 * ran what.
 */
public final class DoubleChunks {
  /** Indices per chunk. A chunk of doubles fits the first cache beside what it is made from. */
  static final int CHUNK = 1024;

  static final int LANES = 8;

  private DoubleChunks() {}

  /** Handles one chunk. */
  private interface Chunk {
    void run(int number, long from, int count);
  }

  /** A loop over the numbers of chunks. */
  private static final class Loop extends BlockLoop<Object> {
    private final long size;
    private final Supplier<Chunk> chunks;

    Loop(Where where, SpinPlan plan, long size, Supplier<Chunk> chunks) {
      super(where.home(), inChunks(where.options()), plan);
      this.size = size;
      this.chunks = chunks;
    }

    @Override
    protected Object runBlock(long from, long to) {
      Chunk chunk = chunks.get();
      for (long number = from; number < to && !(number > from && mustStop()); number++) {
        long start = number * CHUNK;
        chunk.run((int) number, start, (int) Math.min(CHUNK, size - start));
      }
      return this;
    }

    @Override
    protected Object combine(Object left, Object right) {
      return left;
    }
  }

  /** A grain of so many elements. */
  private static LoopOptions inChunks(LoopOptions options) {
    return options.withGrain(Math.max(1, options.grain() / CHUNK));
  }

  /** Of one index or more. */
  private static int chunks(long size) {
    return Ends.checkedSize((size - 1) / CHUNK + 1);
  }

  /** By the user's function or container, from left to right. */
  static Cell reduce(Pipe pipe, Where where, Execution.Ending ending) {
    Pipe ready = indexed(pipe, where);
    long size = ready.size();
    if (size == 0) {
      return new Cell();
    }
    Pass pass =
        new Pass(
            where, ready.source(), ready.steps(), ending.form(), Kind.DOUBLE, ending.function());
    @Nullable Cell[] cells = new Cell[chunks(size)];
    new Loop(
            where,
            pass.plan,
            size,
            () ->
                (number, from, count) -> {
                  Cell cell = Execution.fresh(ending);
                  pass.strip(pass.unflattened(), cell, from, count);
                  cells[number] = cell;
                })
        .run(cells.length);
    return where.call(() -> combined(cells, ending));
  }

  private static Cell combined(@Nullable Cell[] cells, Execution.Ending ending) {
    Cell all = Objects.requireNonNull(cells[0]);
    for (int i = 1; i < cells.length; i++) {
      all = Execution.combine(Kind.DOUBLE, ending, all, Objects.requireNonNull(cells[i]));
    }
    return all;
  }

  /** Filters keep their indices here; only flat maps and chains have none. */
  private static Pipe indexed(Pipe pipe, Where where) {
    Pipe ready = pipe.resolved(where);
    boolean flat = ready.parts() != null;
    for (Step step : ready.steps()) {
      flat |= step.op() == Op.FLAT;
    }
    return flat ? ready.collected(where) : ready;
  }

  /**
   * Adds doubles up.
   *
   * @param pipe of doubles
   * @param where it runs
   * @param compensated keep track of what rounding loses
   */
  public static double sum(Pipe pipe, Where where, boolean compensated) {
    Pipe ready = indexed(pipe, where);
    long size = ready.size();
    if (size == 0) {
      return 0;
    }
    Source source = ready.source();
    Step[] steps = ready.steps();
    Form form = compensated ? Form.STORE : Form.SUM;
    Pass pass = new Pass(where, source, steps, form, Kind.DOUBLE, null);
    double[] sums = new double[chunks(size)];
    double[] errors = compensated ? new double[sums.length] : sums;
    boolean plain =
        steps.length == 0 && source.form() == Source.Form.DOUBLES && !source.isStrided();
    boolean filtered = !ready.isIndexed();
    new Loop(
            where,
            pass.plan,
            size,
            () -> {
              Cell cell = new Cell();
              double[] scratch =
                  plain || !compensated ? sums : new double[(int) Math.min(CHUNK, size)];
              cell.out = scratch;
              Segment bound = pass.unflattened();
              return (number, from, count) -> {
                if (!plain && !compensated) {
                  cell.bits = 0;
                  pass.strip(bound, cell, from, count);
                  sums[number] = cell.asDouble();
                  return;
                }
                double[] data = scratch;
                int at = 0;
                if (plain) {
                  data = (double[]) source.data();
                  at = (int) (source.base() + from);
                } else {
                  if (filtered) {
                    // What is left out counts as nothing, at its own index.
                    Arrays.fill(scratch, 0, count, 0.0);
                  }
                  // So that index `from` goes to place 0.
                  cell.outAt = (int) -from;
                  pass.strip(bound, cell, from, count);
                }
                if (compensated) {
                  addExactly(data, at, count, sums, errors, number);
                } else {
                  sums[number] = add(data, at, count);
                }
              };
            })
        .run(sums.length);
    return compensated ? addExactly(sums, errors) : addPairs(sums, 0, sums.length);
  }

  /**
   * The sum of no more than one chunk.
   *
   * @param a an array
   * @param from the first
   * @param to the end, at most {@value #CHUNK} after it
   * @return what {@link #sum} yields for them
   */
  public static double sumOfOne(double[] a, int from, int to) {
    return add(a, from, to - from);
  }

  /** Eight lanes by index. */
  private static double add(double[] a, int from, int count) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    double s4 = 0;
    double s5 = 0;
    double s6 = 0;
    double s7 = 0;
    int whole = from + (count & -LANES);
    int i = from;
    for (; i < whole; i += LANES) {
      s0 += a[i];
      s1 += a[i + 1];
      s2 += a[i + 2];
      s3 += a[i + 3];
      s4 += a[i + 4];
      s5 += a[i + 5];
      s6 += a[i + 6];
      s7 += a[i + 7];
    }
    double sum = ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7));
    for (; i < from + count; i++) {
      sum += a[i];
    }
    return sum;
  }

  private static double addPairs(double[] a, int from, int to) {
    if (to - from <= 2) {
      return to - from == 2 ? a[from] + a[from + 1] : a[from];
    }
    int middle = (from + to) >>> 1;
    return addPairs(a, from, middle) + addPairs(a, middle, to);
  }

  /** Neumaier's sum: what each addition loses is added up on its own. */
  private static void addExactly(
      double[] a, int from, int count, double[] sums, double[] errors, int number) {
    double sum = 0;
    double error = 0;
    for (int i = from; i < from + count; i++) {
      double x = a[i];
      double next = sum + x;
      error += Math.abs(sum) >= Math.abs(x) ? (sum - next) + x : (x - next) + sum;
      sum = next;
    }
    sums[number] = sum;
    errors[number] = error;
  }

  private static double addExactly(double[] sums, double[] errors) {
    double sum = 0;
    double error = 0;
    for (int i = 0; i < sums.length; i++) {
      double x = sums[i];
      double next = sum + x;
      error += Math.abs(sum) >= Math.abs(x) ? (sum - next) + x : (x - next) + sum;
      error += errors[i];
      sum = next;
    }
    // With infinities the error is no number.
    return Double.isFinite(error) ? sum + error : sum;
  }
}
