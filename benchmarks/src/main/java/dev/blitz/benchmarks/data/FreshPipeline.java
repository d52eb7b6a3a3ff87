package dev.blitz.benchmarks.data;

import dev.blitz.parallel.Parallel;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
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

  abstract long blitz();

  abstract long hand();

  abstract long stream();

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
    long blitz() {
      long sum = 0;
      for (int from = 0; from < ELEMENTS; from += PASS) {
        sum += Parallel.range(from, from + PASS).map(i -> i * 3).filter(i -> (i & 1) == 0).sum();
      }
      return sum;
    }

    @Override
    long hand() {
      long sum = 0;
      for (int from = 0; from < ELEMENTS; from += PASS) {
        for (int i = from; i < from + PASS; i++) {
          int x = i * 3;
          if ((x & 1) == 0) {
            sum += x;
          }
        }
      }
      return sum;
    }

    @Override
    long stream() {
      long sum = 0;
      for (int from = 0; from < ELEMENTS; from += PASS) {
        sum +=
            IntStream.range(from, from + PASS)
                .parallel()
                .map(i -> i * 3)
                .filter(i -> (i & 1) == 0)
                .asLongStream()
                .sum();
      }
      return sum;
    }
  }
}
