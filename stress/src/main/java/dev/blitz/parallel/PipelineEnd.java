package dev.blitz.parallel;

import static dev.blitz.parallel.RandomPipeline.erased;
import static dev.blitz.parallel.RandomPipeline.number;

import dev.blitz.parallel.iter.BaseIter;
import dev.blitz.parallel.iter.DoubleIter;
import dev.blitz.parallel.iter.IntIter;
import dev.blitz.parallel.iter.Iter;
import dev.blitz.parallel.iter.LongIter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The end of a random pipeline.
 *
 * @param told which
 * @param run runs a pipeline; results are lists, numbers and optionals
 * @param isRight whether a result is right; runs must agree beside
 * @param isRepeatable whether each run must yield the same
 */
record PipelineEnd(
    String told,
    Function<BaseIter<?>, Object> run,
    Predicate<Object> isRight,
    boolean isRepeatable) {
  private static final int ENDS = 27;

  /**
   * Per element, of the sum of all magnitudes: where the order is not known and shows. Runs must
   * agree to the bit.
   */
  private static final double ROUNDING = 0x1p-52;

  /** A sum of fewer units than this, whatever its order, is not rounded. */
  private static final double EXACT = 0x1p53;

  static PipelineEnd of(RandomPipeline pipeline, SplittableRandom random) {
    int which = random.nextInt(ENDS);
    int n = random.nextInt(1, 60);
    List<Object> model = pipeline.model();
    return switch (which) {
      case 0 -> exact("count", BaseIter::count, (long) model.size());
      default ->
          switch (pipeline.iter()) {
            case IntIter _ -> ofInts(model.stream().mapToInt(x -> (int) x).toArray(), which, n);
            case LongIter _ -> ofLongs(model.stream().mapToLong(x -> (long) x).toArray(), which, n);
            case DoubleIter _ ->
                ofDoubles(model.stream().mapToDouble(x -> (double) x).toArray(), which, n);
            case Iter<?> _ -> ofObjects(model, which, n);
          };
    };
  }

  private static PipelineEnd exact(
      String told, Function<BaseIter<?>, Object> run, Object expected) {
    return new PipelineEnd(told, run, expected::equals, true);
  }

  private static PipelineEnd ints(String told, Function<IntIter, Object> run, Object expected) {
    return exact(told, iter -> run.apply((IntIter) iter), expected);
  }

  private static PipelineEnd longs(String told, Function<LongIter, Object> run, Object expected) {
    return exact(told, iter -> run.apply((LongIter) iter), expected);
  }

  private static PipelineEnd doubles(
      String told, Function<DoubleIter, Object> run, Object expected) {
    return exact(told, iter -> run.apply((DoubleIter) iter), expected);
  }

  private static PipelineEnd objects(
      String told, Function<Iter<Object>, Object> run, Object expected) {
    return exact(told, iter -> run.apply(erased((Iter<?>) iter)), expected);
  }

  private static PipelineEnd any(
      String told, Function<BaseIter<?>, Object> run, Predicate<Object> isRight) {
    return new PipelineEnd(told, run, isRight, false);
  }

  private static Optional<Object> boxed(OptionalInt x) {
    return x.isPresent() ? Optional.of(x.getAsInt()) : Optional.empty();
  }

  private static Optional<Object> boxed(OptionalLong x) {
    return x.isPresent() ? Optional.of(x.getAsLong()) : Optional.empty();
  }

  private static Optional<Object> boxed(OptionalDouble x) {
    return x.isPresent() ? Optional.of(x.getAsDouble()) : Optional.empty();
  }

  private static Object sorted(Queue<? extends Comparable<?>> all) {
    return all.stream().sorted().toList();
  }

  private static long firstPlace(int size, Predicate<Integer> passes) {
    return IntStream.range(0, size).filter(passes::test).findFirst().orElse(-1);
  }

  private static long lastPlace(int size, Predicate<Integer> passes) {
    return IntStream.range(0, size).filter(passes::test).reduce((x, y) -> y).orElse(-1);
  }

  private static <T> Optional<T> extreme(
      List<T> all, Function<? super T, ? extends Comparable<?>> key, int sign) {
    @SuppressWarnings("unchecked") // keys are of one class
    Comparator<T> order =
        (x, y) -> sign * ((Comparable<Object>) key.apply(x)).compareTo(key.apply(y));
    @Nullable T best = null;
    for (T x : all) {
      best = best == null || order.compare(x, best) > 0 ? x : best;
    }
    return Optional.ofNullable(best);
  }

  private static PipelineEnd ofInts(int[] m, int which, int n) {
    List<Object> list = new ArrayList<>(IntStream.of(m).boxed().toList());
    return switch (which) {
      case 1 -> ints("sum", IntIter::sum, IntStream.of(m).asLongStream().sum());
      case 2 -> ints("min", i -> boxed(i.min()), boxed(IntStream.of(m).min()));
      case 3 -> ints("max", i -> boxed(i.max()), boxed(IntStream.of(m).max()));
      case 4 -> ints("average", i -> boxed(i.average()), boxed(IntStream.of(m).average()));
      case 5 ->
          ints(
              "minBy",
              i -> boxed(i.minBy(x -> x % n)),
              extreme(list, x -> (long) ((int) x % n), -1));
      case 6 ->
          ints(
              "maxBy",
              i -> boxed(i.maxBy(x -> x % n)),
              extreme(list, x -> (long) ((int) x % n), 1));
      case 7 ->
          ints(
              "reduce",
              i -> boxed(i.reduce((x, y) -> y)),
              boxed(IntStream.of(m).reduce((x, y) -> y)));
      case 8 ->
          ints(
              "reduce from",
              i -> i.reduce(n, (x, y) -> x + y),
              IntStream.of(m).reduce(n, (x, y) -> x + y));
      case 9 ->
          ints(
              "any", i -> i.anyMatch(x -> x % 97 == n), IntStream.of(m).anyMatch(x -> x % 97 == n));
      case 10 ->
          ints(
              "all", i -> i.allMatch(x -> x % 97 != n), IntStream.of(m).allMatch(x -> x % 97 != n));
      case 11 ->
          ints(
              "first",
              i -> boxed(i.filter(x -> x % 41 == n % 41).findFirst()),
              boxed(IntStream.of(m).filter(x -> x % 41 == n % 41).findFirst()));
      case 12 ->
          ints(
              "last",
              i -> boxed(i.filter(x -> x % 41 == n % 41).findLast()),
              boxed(IntStream.of(m).filter(x -> x % 41 == n % 41).reduce((x, y) -> y)));
      case 13 -> any("findAny", i -> boxed(((IntIter) i).findAny()), isOneOf(list));
      case 14 ->
          ints(
              "position",
              i -> i.position(x -> x % 97 == n),
              firstPlace(m.length, i -> m[i] % 97 == n));
      case 15 ->
          ints(
              "rposition",
              i -> i.rposition(x -> x % 97 == n),
              lastPlace(m.length, i -> m[i] % 97 == n));
      case 16 ->
          any(
              "positionAny",
              i -> ((IntIter) i).positionAny(x -> x % 97 == n),
              p -> isPlace((long) p, m.length, i -> m[i] % 97 == n));
      case 17 -> {
        Object all = IntStream.of(m).sorted().boxed().toList();
        yield ints(
            "each",
            i -> {
              Queue<Integer> seen = new ConcurrentLinkedQueue<>();
              i.forEach(seen::add);
              return sorted(seen);
            },
            all);
      }
      case 18 ->
          ints(
              "collect",
              i -> i.collect(ArrayList<Object>::new, ArrayList::add, ArrayList::addAll),
              list);
      case 19 ->
          ints(
              "into",
              i -> {
                int[] a = new int[m.length + 1];
                a[m.length] = 77;
                int count = i.into(a);
                return List.of(count, Arrays.stream(a).boxed().toList());
              },
              List.of(
                  m.length, IntStream.concat(IntStream.of(m), IntStream.of(77)).boxed().toList()));
      case 20 ->
          ints(
              "least",
              i -> Arrays.stream(i.least(n)).boxed().toList(),
              IntStream.of(m).sorted().limit(n).boxed().toList());
      case 21 ->
          ints(
              "greatest",
              i -> Arrays.stream(i.greatest(n)).boxed().toList(),
              IntStream.of(m).boxed().sorted(Comparator.reverseOrder()).limit(n).toList());
      case 22 ->
          ints(
              "statistics",
              i -> i.summaryStatistics().toString(),
              IntStream.of(m).summaryStatistics().toString());
      case 23 -> ints("stream", i -> i.stream().boxed().toList(), list);
      case 24 -> {
        long[] bins = new long[n];
        IntStream.of(m).forEach(x -> bins[Math.floorMod(x, n)]++);
        yield ints(
            "histogram",
            i -> LongStream.of(i.map(x -> Math.floorMod(x, n)).histogram(n)).boxed().toList(),
            LongStream.of(bins).boxed().toList());
      }
      case 25 ->
          ints(
              "count of some",
              i -> i.filter(x -> x % n == 0).count(),
              IntStream.of(m).filter(x -> x % n == 0).count());
      default -> ints("toArray", i -> Arrays.stream(i.toArray()).boxed().toList(), list);
    };
  }

  private static PipelineEnd ofLongs(long[] m, int which, int n) {
    List<Object> list = new ArrayList<>(LongStream.of(m).boxed().toList());
    return switch (which) {
      case 1 -> longs("sum", LongIter::sum, LongStream.of(m).sum());
      case 2 -> longs("min", i -> boxed(i.min()), boxed(LongStream.of(m).min()));
      case 3 -> longs("max", i -> boxed(i.max()), boxed(LongStream.of(m).max()));
      case 4 -> longs("average", i -> boxed(i.average()), boxed(LongStream.of(m).average()));
      case 5 ->
          longs("minBy", i -> boxed(i.minBy(x -> x % n)), extreme(list, x -> (long) x % n, -1));
      case 6 ->
          longs("maxBy", i -> boxed(i.maxBy(x -> x % n)), extreme(list, x -> (long) x % n, 1));
      case 7 ->
          longs(
              "reduce",
              i -> boxed(i.reduce((x, y) -> y)),
              boxed(LongStream.of(m).reduce((x, y) -> y)));
      case 8 ->
          longs(
              "reduce from",
              i -> i.reduce(n, (x, y) -> x + y),
              LongStream.of(m).reduce(n, (x, y) -> x + y));
      case 9 ->
          longs(
              "any",
              i -> i.anyMatch(x -> x % 97 == n),
              LongStream.of(m).anyMatch(x -> x % 97 == n));
      case 10 ->
          longs(
              "all",
              i -> i.allMatch(x -> x % 97 != n),
              LongStream.of(m).allMatch(x -> x % 97 != n));
      case 11 ->
          longs(
              "first",
              i -> boxed(i.filter(x -> x % 41 == n % 41).findFirst()),
              boxed(LongStream.of(m).filter(x -> x % 41 == n % 41).findFirst()));
      case 12 ->
          longs(
              "last",
              i -> boxed(i.filter(x -> x % 41 == n % 41).findLast()),
              boxed(LongStream.of(m).filter(x -> x % 41 == n % 41).reduce((x, y) -> y)));
      case 13 -> any("findAny", i -> boxed(((LongIter) i).findAny()), isOneOf(list));
      case 14 ->
          longs(
              "position",
              i -> i.position(x -> x % 97 == n),
              firstPlace(m.length, i -> m[i] % 97 == n));
      case 15 ->
          longs(
              "rposition",
              i -> i.rposition(x -> x % 97 == n),
              lastPlace(m.length, i -> m[i] % 97 == n));
      case 16 ->
          any(
              "positionAny",
              i -> ((LongIter) i).positionAny(x -> x % 97 == n),
              p -> isPlace((long) p, m.length, i -> m[i] % 97 == n));
      case 17 -> {
        Object all = LongStream.of(m).sorted().boxed().toList();
        yield longs(
            "each",
            i -> {
              Queue<Long> seen = new ConcurrentLinkedQueue<>();
              i.forEach(seen::add);
              return sorted(seen);
            },
            all);
      }
      case 18 ->
          longs(
              "collect",
              i -> i.collect(ArrayList<Object>::new, ArrayList::add, ArrayList::addAll),
              list);
      case 19 ->
          longs(
              "into",
              i -> {
                long[] a = new long[m.length + 1];
                a[m.length] = 77;
                int count = i.into(a);
                return List.of(count, Arrays.stream(a).boxed().toList());
              },
              List.of(
                  m.length,
                  LongStream.concat(LongStream.of(m), LongStream.of(77)).boxed().toList()));
      case 20 ->
          longs(
              "least",
              i -> Arrays.stream(i.least(n)).boxed().toList(),
              LongStream.of(m).sorted().limit(n).boxed().toList());
      case 21 ->
          longs(
              "greatest",
              i -> Arrays.stream(i.greatest(n)).boxed().toList(),
              LongStream.of(m).boxed().sorted(Comparator.reverseOrder()).limit(n).toList());
      case 22 ->
          longs(
              "statistics",
              i -> i.summaryStatistics().toString(),
              LongStream.of(m).summaryStatistics().toString());
      case 23 -> longs("stream", i -> i.stream().boxed().toList(), list);
      case 24 ->
          longs(
              "none",
              i -> i.noneMatch(x -> x % 97 == n),
              LongStream.of(m).noneMatch(x -> x % 97 == n));
      case 25 ->
          longs(
              "count of some",
              i -> i.filter(x -> x % n == 0).count(),
              LongStream.of(m).filter(x -> x % n == 0).count());
      default -> longs("toArray", i -> Arrays.stream(i.toArray()).boxed().toList(), list);
    };
  }

  /**
   * Whether a sum is what some order of additions yields: where none of them rounds, there is one
   * such sum.
   */
  private static Predicate<Object> isAbout(double expected, double[] m) {
    if (!DoubleStream.of(m).allMatch(Double::isFinite)) {
      return x -> Double.compare((double) x, expected) == 0;
    }
    double magnitude = DoubleStream.of(m).map(Math::abs).sum();
    double finest = DoubleStream.of(m).map(PipelineEnd::lowestBit).min().orElse(1);
    if (magnitude / finest < EXACT) {
      return x -> (double) x == expected;
    }
    return x -> Math.abs((double) x - expected) <= m.length * ROUNDING * magnitude;
  }

  /** The weight of the last bit that is set; that of 0 is of no interest. */
  private static double lowestBit(double x) {
    long bits = Double.doubleToRawLongBits(x);
    long mantissa = (bits & (1L << 52) - 1) | 1L << 52;
    return x == 0
        ? Double.POSITIVE_INFINITY
        : Math.scalb(Math.ulp(x), Long.numberOfTrailingZeros(mantissa));
  }

  private static PipelineEnd rounded(
      String told, Function<DoubleIter, Object> run, double expected, double[] m) {
    return new PipelineEnd(told, iter -> run.apply((DoubleIter) iter), isAbout(expected, m), true);
  }

  private static PipelineEnd ofDoubles(double[] m, int which, int n) {
    List<Object> list = new ArrayList<>(DoubleStream.of(m).boxed().toList());
    return switch (which) {
      case 1 -> rounded("sum", DoubleIter::sum, DoubleStream.of(m).sum(), m);
      case 2 -> doubles("min", i -> boxed(i.min()), boxed(DoubleStream.of(m).min()));
      case 3 -> doubles("max", i -> boxed(i.max()), boxed(DoubleStream.of(m).max()));
      case 4 -> rounded("exact sum", DoubleIter::sumCompensated, DoubleStream.of(m).sum(), m);
      case 5 ->
          doubles("minBy", i -> boxed(i.minBy(x -> x % n)), extreme(list, x -> (double) x % n, -1));
      case 6 ->
          doubles("maxBy", i -> boxed(i.maxBy(x -> x % n)), extreme(list, x -> (double) x % n, 1));
      case 7 ->
          doubles(
              "reduce",
              i -> boxed(i.reduce((x, y) -> y)),
              boxed(DoubleStream.of(m).reduce((x, y) -> y)));
      case 8 ->
          rounded(
              "reduce from",
              i -> i.reduce(n, (x, y) -> x + y),
              DoubleStream.of(m).reduce(n, (x, y) -> x + y),
              DoubleStream.concat(DoubleStream.of(m), DoubleStream.of(n)).toArray());
      case 9 -> doubles("any", i -> i.anyMatch(x -> x == n), list.contains((double) n));
      case 10 -> doubles("all", i -> i.allMatch(x -> x != n), !list.contains((double) n));
      case 11 ->
          doubles(
              "first",
              i -> boxed(i.filter(x -> x > 10 * n).findFirst()),
              boxed(DoubleStream.of(m).filter(x -> x > 10 * n).findFirst()));
      case 12 ->
          doubles(
              "last",
              i -> boxed(i.filter(x -> x > 10 * n).findLast()),
              boxed(DoubleStream.of(m).filter(x -> x > 10 * n).reduce((x, y) -> y)));
      case 13 -> any("findAny", i -> boxed(((DoubleIter) i).findAny()), isOneOf(list));
      case 14 ->
          doubles(
              "position",
              i -> i.position(x -> x > 10 * n),
              firstPlace(m.length, i -> m[i] > 10 * n));
      case 15 ->
          doubles(
              "rposition",
              i -> i.rposition(x -> x > 10 * n),
              lastPlace(m.length, i -> m[i] > 10 * n));
      case 16 ->
          any(
              "positionAny",
              i -> ((DoubleIter) i).positionAny(x -> x > 10 * n),
              p -> isPlace((long) p, m.length, i -> m[i] > 10 * n));
      case 17 -> {
        Object all = DoubleStream.of(m).sorted().boxed().toList();
        yield doubles(
            "each",
            i -> {
              Queue<Double> seen = new ConcurrentLinkedQueue<>();
              i.forEach(seen::add);
              return sorted(seen);
            },
            all);
      }
      case 18 ->
          doubles(
              "collect",
              i -> i.collect(ArrayList<Object>::new, ArrayList::add, ArrayList::addAll),
              list);
      case 19 ->
          doubles(
              "into",
              i -> {
                double[] a = new double[m.length + 1];
                int count = i.into(a);
                return List.of(count, Arrays.stream(a).boxed().toList());
              },
              List.of(
                  m.length,
                  DoubleStream.concat(DoubleStream.of(m), DoubleStream.of(0)).boxed().toList()));
      case 20 ->
          doubles(
              "least",
              i -> Arrays.stream(i.least(n)).boxed().toList(),
              DoubleStream.of(m).sorted().limit(n).boxed().toList());
      case 21 ->
          doubles(
              "greatest",
              i -> Arrays.stream(i.greatest(n)).boxed().toList(),
              DoubleStream.of(m).boxed().sorted(Comparator.reverseOrder()).limit(n).toList());
      case 22 ->
          rounded(
              "average",
              i -> i.average().orElse(0) * Math.max(1, m.length),
              DoubleStream.of(m).sum(),
              DoubleStream.concat(DoubleStream.of(m), DoubleStream.of(0.1)).toArray());
      case 23 -> doubles("stream", i -> i.stream().boxed().toList(), list);
      case 24 ->
          rounded(
              "sum of statistics",
              i -> i.summaryStatistics().getSum(),
              DoubleStream.of(m).summaryStatistics().getSum(),
              m);
      case 25 ->
          doubles(
              "count of some",
              i -> i.filter(x -> x < n).count(),
              DoubleStream.of(m).filter(x -> x < n).count());
      default -> doubles("toArray", i -> Arrays.stream(i.toArray()).boxed().toList(), list);
    };
  }

  private static Predicate<Object> isOneOf(List<Object> all) {
    Set<Object> known = new HashSet<>(all);
    return x -> ((Optional<?>) x).map(known::contains).orElse(known.isEmpty());
  }

  private static boolean isPlace(long place, int size, Predicate<Integer> passes) {
    return place < 0
        ? place == -1 && IntStream.range(0, size).noneMatch(passes::test)
        : passes.test((int) place);
  }

  private static PipelineEnd ofObjects(List<Object> m, int which, int n) {
    Comparator<Object> order = Comparator.comparingInt(x -> number(x) % 30);
    return switch (which) {
      case 1 ->
          objects(
              "joining",
              i -> i.map(String::valueOf).collect(Collectors.joining(",")),
              m.stream().map(String::valueOf).collect(Collectors.joining(",")));
      case 2 -> objects("min", i -> i.min(order), extreme(m, x -> number(x) % 30, -1));
      case 3 -> objects("max", i -> i.max(order), extreme(m, x -> number(x) % 30, 1));
      case 4 -> {
        Map<Integer, List<Object>> groups =
            m.stream().collect(Collectors.groupingBy(x -> number(x) % 7));
        yield objects("groups", i -> i.collect(Collectors.groupingBy(x -> number(x) % 7)), groups);
      }
      case 5 ->
          objects("minBy", i -> i.minBy(x -> number(x) % n), extreme(m, x -> number(x) % n, -1));
      case 6 ->
          objects("maxBy", i -> i.maxBy(x -> number(x) % n), extreme(m, x -> number(x) % n, 1));
      case 7 -> objects("reduce", i -> i.reduce((x, y) -> y), m.stream().reduce((x, y) -> y));
      case 8 ->
          objects(
              "reduce from",
              i -> i.map(x -> (Object) number(x)).reduce(n, (x, y) -> (int) x + (int) y),
              m.stream().mapToInt(RandomPipeline::number).sum() + n);
      case 9 ->
          objects(
              "any",
              i -> i.anyMatch(x -> number(x) % 97 == n),
              m.stream().anyMatch(x -> number(x) % 97 == n));
      case 10 ->
          objects(
              "none",
              i -> i.noneMatch(x -> number(x) % 97 == n),
              m.stream().noneMatch(x -> number(x) % 97 == n));
      case 11 ->
          objects(
              "first",
              i -> i.filter(x -> number(x) % 41 == n % 41).findFirst(),
              m.stream().filter(x -> number(x) % 41 == n % 41).findFirst());
      case 12 ->
          objects(
              "last",
              i -> i.filter(x -> number(x) % 41 == n % 41).findLast(),
              m.stream().filter(x -> number(x) % 41 == n % 41).reduce((x, y) -> y));
      case 13 -> any("findAny", i -> ((Iter<?>) i).findAny(), isOneOf(m));
      case 14 ->
          objects(
              "position",
              i -> i.position(x -> number(x) % 97 == n),
              firstPlace(m.size(), i -> number(m.get(i)) % 97 == n));
      case 15 ->
          objects(
              "rposition",
              i -> i.rposition(x -> number(x) % 97 == n),
              lastPlace(m.size(), i -> number(m.get(i)) % 97 == n));
      case 16 ->
          any(
              "positionAny",
              i -> erased((Iter<?>) i).positionAny(x -> number(x) % 97 == n),
              p -> isPlace((long) p, m.size(), i -> number(m.get(i)) % 97 == n));
      case 17 ->
          objects(
              "each",
              i -> {
                Queue<Integer> seen = new ConcurrentLinkedQueue<>();
                i.tryForEach(x -> seen.add(number(x)));
                return sorted(seen);
              },
              m.stream().map(RandomPipeline::number).sorted().toList());
      case 18 ->
          objects(
              "collect",
              i -> i.collect(ArrayList<Object>::new, ArrayList::add, ArrayList::addAll),
              new ArrayList<>(m));
      case 19 ->
          objects(
              "into",
              i -> {
                Object[] a = new Object[m.size()];
                i.into(a);
                return Arrays.asList(a);
              },
              m);
      case 20 ->
          objects("least", i -> i.least(n, order), m.stream().sorted(order).limit(n).toList());
      case 21 ->
          objects(
              "greatest",
              i -> i.greatest(n, order),
              m.stream().sorted(order.reversed()).limit(n).toList());
      case 22 ->
          objects(
              "partition",
              i -> {
                var parts = i.partition(x -> number(x) % 2 == 0);
                return List.of(parts.passing(), parts.failing());
              },
              List.of(
                  m.stream().filter(x -> number(x) % 2 == 0).toList(),
                  m.stream().filter(x -> number(x) % 2 != 0).toList()));
      case 23 -> objects("stream", i -> i.stream().toList(), m);
      case 24 -> objects("toList", Iter::toList, m);
      case 25 -> {
        Map<Integer, Long> counts =
            m.stream().collect(Collectors.groupingBy(x -> number(x) % 9, Collectors.counting()));
        yield objects(
            "concurrent groups",
            i ->
                new HashMap<>(
                    i.collect(
                        Collectors.groupingByConcurrent(
                            x -> number(x) % 9, Collectors.counting()))),
            counts);
      }
      default -> objects("toArray", i -> Arrays.asList(i.toArray(Object[]::new)), m);
    };
  }

  /** What is wrong with a result; null: nothing. */
  @Nullable String complaint(Object result, @Nullable Object before) {
    if (!isRight.test(result)) {
      return "is wrong: " + brief(result);
    }
    return isRepeatable && before != null && !before.equals(result)
        ? "was " + brief(before) + ", then " + brief(result)
        : null;
  }

  private static String brief(Object result) {
    String all = result.toString();
    return all.length() <= 400 ? all : all.substring(0, 400) + "... of " + all.length();
  }
}
