package dev.blitz.benchmarks.data;

import dev.blitz.parallel.Parallel;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The same computation in code that the JVM has never seen: each time a class of its own, with
 * lambdas of its own.
 */
abstract class FreshPipeline {
  /** Enough for a pipeline to get its own code, and for that to be compiled. */
  static final int ELEMENTS = 1_000_000;

  /** Each pass is short, as those of a program that has just begun. */
  static final int PASS = 10_000;

  /** Passes of a measurement of how long it takes to be quick. */
  private static final int PASSES = 400;

  /** Of them the last, which are taken for as quick as it gets. */
  private static final int LAST = 50;

  /** A pass is at full speed if it takes no more than so many times as long. */
  private static final double NEARLY = 1.5;

  /** One pass, from a number on. */
  abstract long blitz(int from);

  abstract long hand(int from);

  abstract long stream(int from);

  /** One way to do a pass. */
  interface Way {
    long pass(FreshPipeline pipeline, int from);
  }

  /** The first passes of a new class. */
  static long first(Way way) {
    FreshPipeline pipeline = fresh();
    long sum = 0;
    for (int from = 0; from < ELEMENTS; from += PASS) {
      sum += way.pass(pipeline, from);
    }
    return sum;
  }

  /**
   * What passes before a new class runs at full speed.
   *
   * @param nanos how long
   * @param elements how many
   */
  record Start(double nanos, double elements) {
    static Start of(Way way) {
      FreshPipeline pipeline = fresh();
      long[] nanos = new long[PASSES];
      long sum = 0;
      for (int i = 0; i < PASSES; i++) {
        long start = System.nanoTime();
        sum += way.pass(pipeline, i * PASS);
        nanos[i] = System.nanoTime() - start;
      }
      if (sum % 2 != 0) {
        throw new IllegalStateException("even numbers add up to " + sum);
      }
      long[] last = Arrays.copyOfRange(nanos, PASSES - LAST, PASSES);
      Arrays.sort(last);
      double limit = NEARLY * last[LAST / 2];
      double total = 0;
      // The first pass always counts: nothing has a ratio to nothing.
      double before = nanos[0];
      int count = 1;
      for (int i = 0; i + 2 < PASSES; i++) {
        total += nanos[i];
        // One slow pass may be the machine's doing, three in a row are not.
        if (Math.min(nanos[i], Math.min(nanos[i + 1], nanos[i + 2])) > limit) {
          before = total;
          count = i + 1;
        }
      }
      return new Start(before, (double) count * PASS);
    }
  }

  /** A new class each time. */
  static FreshPipeline fresh() {
    var lookup = MethodHandles.lookup();
    try (InputStream in = FreshPipeline.class.getResourceAsStream("FreshPipeline$Passes.class")) {
      if (in == null) {
        throw new IllegalStateException("no class file");
      }
      var copy = lookup.defineHiddenClass(in.readAllBytes(), true);
      var constructor = copy.findConstructor(copy.lookupClass(), MethodType.methodType(void.class));
      return (FreshPipeline) constructor.invoke();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Throwable t) {
      throw new IllegalStateException(t);
    }
  }

  /** What is copied. */
  static final class Passes extends FreshPipeline {
    @Override
    long blitz(int from) {
      return Parallel.range(from, from + PASS).map(i -> i * 3).filter(i -> (i & 1) == 0).sum();
    }

    @Override
    long hand(int from) {
      long sum = 0;
      for (int i = from; i < from + PASS; i++) {
        int x = i * 3;
        if ((x & 1) == 0) {
          sum += x;
        }
      }
      return sum;
    }

    @Override
    long stream(int from) {
      return IntStream.range(from, from + PASS)
          .parallel()
          .map(i -> i * 3)
          .filter(i -> (i & 1) == 0)
          .asLongStream()
          .sum();
    }
  }
}
