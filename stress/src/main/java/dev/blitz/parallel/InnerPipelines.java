package dev.blitz.parallel;

import dev.blitz.parallel.iter.DoubleIter;
import dev.blitz.parallel.iter.IntIter;
import dev.blitz.parallel.iter.LongIter;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * What flat maps make of an element: of most nothing, of some a pipeline of every kind, and beside
 * each what must come out of it.
 */
final class InnerPipelines {
  private static final int SHAPES = 16;
  private static final int LONG_ONE = 1500;
  private static final int SELDOM = 256;

  private InnerPipelines() {}

  private static int shape(long number) {
    // A long one now and then.
    return Math.floorMod(number, SELDOM) == SHAPES - 1 ? SHAPES : Math.floorMod(number, SHAPES);
  }

  static IntIter ints(int x) {
    return switch (shape(x)) {
      case 0 -> Parallel.range(0, 9).filter(y -> y % 2 == 1).limit(3);
      case 1 -> Parallel.iter(new int[] {x, 3, -1}).sorted();
      case 2 -> Parallel.range(0, 5).takeWhile(y -> y < 3).chain(Parallel.range(7, 9));
      case 3 -> Parallel.range(0, 4).flatMap(y -> Parallel.range(0, y).reversed());
      case 4 -> Parallel.range(0, 7).stepBy(3).scan(Integer::sum);
      case SHAPES -> Parallel.range(0, LONG_ONE).map(y -> y ^ x);
      default -> Parallel.range(0, 0);
    };
  }

  static List<Integer> intModel(int x) {
    return switch (shape(x)) {
      case 0 -> List.of(1, 3, 5);
      case 1 -> IntStream.of(x, 3, -1).sorted().boxed().toList();
      case 2 -> List.of(0, 1, 2, 7, 8);
      case 3 -> List.of(0, 1, 0, 2, 1, 0);
      case 4 -> List.of(0, 3, 9);
      case SHAPES -> IntStream.range(0, LONG_ONE).map(y -> y ^ x).boxed().toList();
      default -> List.of();
    };
  }

  static LongIter longs(long x) {
    return switch (shape(x)) {
      case 0 -> Parallel.rangeLong(0, 9).filter(y -> y % 2 == 1).limit(3);
      case 1 -> Parallel.iter(new long[] {x, 3, -1}).sorted();
      case 2 -> Parallel.rangeLong(0, 5).takeWhile(y -> y < 3).chain(Parallel.rangeLong(7, 9));
      case 3 -> Parallel.rangeLong(0, 4).flatMap(y -> Parallel.rangeLong(0, y).reversed());
      case 4 -> Parallel.rangeLong(0, 7).stepBy(3).scan(Long::sum);
      case SHAPES -> Parallel.rangeLong(0, LONG_ONE).map(y -> y ^ x);
      default -> Parallel.rangeLong(0, 0);
    };
  }

  static List<Long> longModel(long x) {
    return switch (shape(x)) {
      case 0 -> List.of(1L, 3L, 5L);
      case 1 -> LongStream.of(x, 3, -1).sorted().boxed().toList();
      case 2 -> List.of(0L, 1L, 2L, 7L, 8L);
      case 3 -> List.of(0L, 1L, 0L, 2L, 1L, 0L);
      case 4 -> List.of(0L, 3L, 9L);
      case SHAPES -> LongStream.range(0, LONG_ONE).map(y -> y ^ x).boxed().toList();
      default -> List.of();
    };
  }

  static DoubleIter doubles(double x) {
    return switch (shape((long) x)) {
      case 0 -> Parallel.range(0, 9).filter(y -> y % 2 == 1).mapToDouble(y -> y).limit(3);
      case 1 -> Parallel.iter(new double[] {x, 3, -1}).sorted();
      case 2 -> Parallel.iter(new double[] {-0.0, 1, 5}).takeWhile(y -> y < 3);
      case 3 -> Parallel.iter(new double[] {1, 2}).flatMap(y -> Parallel.iter(new double[] {y, x}));
      case SHAPES -> Parallel.range(0, LONG_ONE).mapToDouble(y -> y + 0.5);
      default -> Parallel.iter(new double[0]);
    };
  }

  static List<Double> doubleModel(double x) {
    return switch (shape((long) x)) {
      case 0 -> List.of(1.0, 3.0, 5.0);
      case 1 -> DoubleStream.of(x, 3, -1).sorted().boxed().toList();
      case 2 -> List.of(-0.0, 1.0);
      case 3 -> List.of(1.0, x, 2.0, x);
      case SHAPES -> IntStream.range(0, LONG_ONE).mapToDouble(y -> y + 0.5).boxed().toList();
      default -> List.of();
    };
  }
}
