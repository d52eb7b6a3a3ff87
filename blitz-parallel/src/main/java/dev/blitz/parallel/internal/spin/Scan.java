package dev.blitz.parallel.internal.spin;

import dev.blitz.parallel.internal.BlockLoop;
import dev.blitz.parallel.internal.Loops;
import dev.blitz.parallel.internal.plan.Cost;
import dev.blitz.parallel.internal.plan.Plan;
import dev.blitz.parallel.internal.plan.Plans;
import dev.blitz.parallel.internal.plan.Template;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * Running totals: those of chunks first, then within each chunk from what is before it. Somebody
 * alone goes through once. Chunks are of fixed length, so totals of doubles have the same bits for
 * any number of workers.
 */
public final class Scan {
  static final int CHUNK = 1 << 13;

  private static final Plans<IntScanCode> INTS = plans(new IntScanCode.Loop());
  private static final Plans<LongScanCode> LONGS = plans(new LongScanCode.Loop());
  private static final Plans<DoubleScanCode> DOUBLES = plans(new DoubleScanCode.Loop());

  private Scan() {}

  private static <L> Plans<L> plans(L shared) {
    return new Plans<>(new Template<>(MethodHandles.lookup(), shared));
  }

  /** Whether a pipeline is an array from its first to its last element, and nothing else. */
  static boolean isWholeArray(Pipe pipe) {
    if (pipe.parts() != null || pipe.steps().length > 0) {
      return false;
    }
    Source source = pipe.source();
    return source.form() == Source.Form.ofArray(pipe.kind())
        && source.base() == 0
        && !source.isStrided()
        && source.size() == Array.getLength(source.data());
  }

  private static int chunks(int length) {
    return length == 0 ? 0 : (length - 1) / CHUNK + 1;
  }

  /** The last chunk of the longest arrays ends where an int would overflow. */
  static int end(int chunk, int length) {
    int start = chunk * CHUNK;
    return start + Math.min(CHUNK, length - start);
  }

  /** Handles a chunk, or all of them. */
  private interface Body {
    void run(int chunk, BooleanSupplier mustStop);
  }

  /** A loop over the numbers of chunks. */
  private static final class Chunks extends BlockLoop<Object> {
    private final Body body;

    Chunks(Where where, Body body) {
      super(where.home(), where.options().withGrain(1), new Cost());
      this.body = body;
    }

    @Override
    protected Object runBlock(long from, long to) {
      for (long c = from; c < to && !(c > from && mustStop()); c++) {
        body.run((int) c, this::mustStop);
      }
      return this;
    }

    @Override
    protected Object combine(Object left, Object right) {
      return left;
    }
  }

  /**
   * Running totals.
   *
   * @param pipe of ints
   * @param where it runs
   * @param combiner associative
   * @return a total per element
   */
  public static int[] ints(Pipe pipe, Where where, IntBinaryOperator combiner) {
    Pipe ready = pipe.resolved(where);
    boolean whole = isWholeArray(ready);
    int[] src = (int[]) (whole ? ready.source().data() : Ends.toArray(ready, where));
    int[] dst = whole ? new int[src.length] : src;
    int chunks = chunks(src.length);
    if (chunks == 0) {
      return dst;
    }
    Plan<IntScanCode> plan = INTS.get(combiner.getClass());
    IntScanCode code = plan.loop();
    int[] totals = new int[chunks];
    if (chunks == 1 || where.workers() == 1) {
      new Chunks(
              where,
              (all, mustStop) -> {
                for (int c = 0; c < chunks && !mustStop.getAsBoolean(); c++) {
                  int from = c * CHUNK;
                  int to = end(c, src.length);
                  int before = c == 0 ? 0 : totals[c - 1];
                  code.run(combiner, src, dst, from, to, c > 0, before);
                  totals[c] = dst[to - 1];
                }
              })
          .run(1);
    } else {
      new Chunks(
              where,
              (c, mustStop) -> totals[c] = code.total(combiner, src, c * CHUNK, end(c, src.length)))
          .run(chunks);
      where.call(() -> {
        for (int c = 1; c < chunks; c++) {
          totals[c] = combiner.applyAsInt(totals[c - 1], totals[c]);
        }
        return totals;
      });
      new Chunks(
              where,
              (c, mustStop) -> {
                int before = c == 0 ? 0 : totals[c - 1];
                code.run(combiner, src, dst, c * CHUNK, end(c, src.length), c > 0, before);
              })
          .run(chunks);
    }
    Loops.passed(plan, src.length);
    return dst;
  }

  /**
   * Running totals.
   *
   * @param pipe of longs
   * @param where it runs
   * @param combiner associative
   * @return a total per element
   */
  public static long[] longs(Pipe pipe, Where where, LongBinaryOperator combiner) {
    Pipe ready = pipe.resolved(where);
    boolean whole = isWholeArray(ready);
    long[] src = (long[]) (whole ? ready.source().data() : Ends.toArray(ready, where));
    long[] dst = whole ? new long[src.length] : src;
    int chunks = chunks(src.length);
    if (chunks == 0) {
      return dst;
    }
    Plan<LongScanCode> plan = LONGS.get(combiner.getClass());
    LongScanCode code = plan.loop();
    long[] totals = new long[chunks];
    if (chunks == 1 || where.workers() == 1) {
      new Chunks(
              where,
              (all, mustStop) -> {
                for (int c = 0; c < chunks && !mustStop.getAsBoolean(); c++) {
                  int from = c * CHUNK;
                  int to = end(c, src.length);
                  long before = c == 0 ? 0 : totals[c - 1];
                  code.run(combiner, src, dst, from, to, c > 0, before);
                  totals[c] = dst[to - 1];
                }
              })
          .run(1);
    } else {
      new Chunks(
              where,
              (c, mustStop) -> totals[c] = code.total(combiner, src, c * CHUNK, end(c, src.length)))
          .run(chunks);
      where.call(() -> {
        for (int c = 1; c < chunks; c++) {
          totals[c] = combiner.applyAsLong(totals[c - 1], totals[c]);
        }
        return totals;
      });
      new Chunks(
              where,
              (c, mustStop) -> {
                long before = c == 0 ? 0 : totals[c - 1];
                code.run(combiner, src, dst, c * CHUNK, end(c, src.length), c > 0, before);
              })
          .run(chunks);
    }
    Loops.passed(plan, src.length);
    return dst;
  }

  /**
   * Running totals.
   *
   * @param pipe of doubles
   * @param where it runs
   * @param combiner associative
   * @return a total per element
   */
  public static double[] doubles(Pipe pipe, Where where, DoubleBinaryOperator combiner) {
    Pipe ready = pipe.resolved(where);
    boolean whole = isWholeArray(ready);
    double[] src = (double[]) (whole ? ready.source().data() : Ends.toArray(ready, where));
    double[] dst = whole ? new double[src.length] : src;
    int chunks = chunks(src.length);
    if (chunks == 0) {
      return dst;
    }
    Plan<DoubleScanCode> plan = DOUBLES.get(combiner.getClass());
    DoubleScanCode code = plan.loop();
    double[] totals = new double[chunks];
    if (chunks == 1 || where.workers() == 1) {
      new Chunks(
              where,
              (all, mustStop) -> {
                for (int c = 0; c < chunks && !mustStop.getAsBoolean(); c++) {
                  int from = c * CHUNK;
                  int to = end(c, src.length);
                  double before = c == 0 ? 0 : totals[c - 1];
                  double total = code.total(combiner, src, from, to);
                  code.run(combiner, src, dst, from, to, c > 0, before);
                  totals[c] = c == 0 ? total : combiner.applyAsDouble(before, total);
                }
              })
          .run(1);
    } else {
      new Chunks(
              where,
              (c, mustStop) -> totals[c] = code.total(combiner, src, c * CHUNK, end(c, src.length)))
          .run(chunks);
      where.call(() -> {
        for (int c = 1; c < chunks; c++) {
          totals[c] = combiner.applyAsDouble(totals[c - 1], totals[c]);
        }
        return totals;
      });
      new Chunks(
              where,
              (c, mustStop) -> {
                double before = c == 0 ? 0 : totals[c - 1];
                code.run(combiner, src, dst, c * CHUNK, end(c, src.length), c > 0, before);
              })
          .run(chunks);
    }
    Loops.passed(plan, src.length);
    return dst;
  }
}
