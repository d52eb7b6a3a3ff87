package dev.blitz.parallel;

import dev.blitz.parallel.iter.BaseIter;
import dev.blitz.parallel.iter.DoubleIter;
import dev.blitz.parallel.iter.IntIter;
import dev.blitz.parallel.iter.Iter;
import dev.blitz.parallel.iter.LongIter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A pipeline made of random steps over a random source, and beside it the elements that must come
 * out, made by sequential streams and plain loops.
 *
 * @param iter the pipeline
 * @param model its elements, boxed
 * @param told how it was made
 */
record RandomPipeline(BaseIter<?> iter, List<Object> model, String told) {
  private static final int MOST_STEPS = 7;
  private static final int MOST_ELEMENTS = 120_000;
  private static final int STEPS_OF_ANY_KIND = 13;
  private static final int STEPS_OF_A_KIND = 18;

  /** A number of an object, whatever it is. */
  static int number(Object x) {
    return switch (x) {
      case Iter.Indexed<?> indexed -> (int) indexed.index() * 31 + number(indexed.value());
      case Double d -> (int) (d * 4);
      case Number n -> n.intValue();
      default -> x.hashCode();
    };
  }

  /** Of the same numbers it makes the same steps over a source of any size. */
  static RandomPipeline make(SplittableRandom random, int size, Probe probe) {
    int kind = random.nextInt(4);
    int steps = random.nextInt(MOST_STEPS + 1);
    int probed = random.nextInt(MOST_STEPS + 1);
    // How many numbers each takes depends on the size.
    RandomPipeline all = source(random.split(), size, kind);
    for (int i = 0; i < steps; i++) {
      SplittableRandom own = random.split();
      all = i == probed ? all.probed(probe) : all.longer(own);
    }
    return all;
  }

  private RandomPipeline with(BaseIter<?> changed, List<?> elements, String step) {
    return new RandomPipeline(changed, List.copyOf(elements), told + "." + step);
  }

  private static RandomPipeline of(BaseIter<?> iter, List<?> elements, String source) {
    return new RandomPipeline(iter, List.copyOf(elements), source + "[" + elements.size() + "]");
  }

  static RandomPipeline source(SplittableRandom random, int size, int kind) {
    return switch (kind) {
      case 0 -> ints(random, size);
      case 1 -> longs(random, size);
      case 2 -> doubles(random, size);
      default -> objects(random, size);
    };
  }

  static RandomPipeline ints(SplittableRandom random, int size) {
    return switch (random.nextInt(4)) {
      case 0, 1 -> {
        int[] a = random.ints(size, -1000, 1000).toArray();
        yield of(Parallel.iter(a), Arrays.stream(a).boxed().toList(), "ints");
      }
      case 2 -> {
        int from = random.nextBoolean() ? Integer.MAX_VALUE - size : Integer.MIN_VALUE;
        yield of(
            Parallel.range(from, from + size),
            IntStream.range(from, from + size).boxed().toList(),
            "range from " + from);
      }
      default -> {
        int from = random.nextInt(-1000, 1 << 25);
        yield of(
            Parallel.range(from, from + size),
            IntStream.range(from, from + size).boxed().toList(),
            "range from " + from);
      }
    };
  }

  static RandomPipeline longs(SplittableRandom random, int size) {
    return switch (random.nextInt(5)) {
      case 0, 1 -> {
        long[] a = random.longs(size, -1000, 1000).toArray();
        yield of(Parallel.iter(a), LongStream.of(a).boxed().toList(), "longs");
      }
      case 2 -> {
        long from = random.nextBoolean() ? Long.MAX_VALUE - size : Long.MIN_VALUE;
        yield of(
            Parallel.rangeLong(from, from + size),
            LongStream.range(from, from + size).boxed().toList(),
            "range from " + from);
      }
      case 3 -> {
        int step = random.nextInt(1, Integer.MAX_VALUE);
        yield of(
            Parallel.rangeLong(Long.MIN_VALUE, -1).stepBy(step).limit(size),
            LongStream.iterate(Long.MIN_VALUE, x -> x + step).limit(size).boxed().toList(),
            "range of 2^63 by " + step);
      }
      default -> {
        long from = random.nextLong(-1L << 33, 1L << 33);
        yield of(
            Parallel.rangeLong(from, Long.MAX_VALUE / 2).limit(size),
            LongStream.range(from, from + size).boxed().toList(),
            "range from " + from);
      }
    };
  }

  static RandomPipeline doubles(SplittableRandom random, int size) {
    double[] a = random.ints(size, -4000, 4000).mapToDouble(x -> x / 4.0).toArray();
    // Sums of the others are not rounded in any order.
    double[] odd = random.nextInt(3) == 0 ? new double[] {0.1, 1e100, -1e-100} : new double[0];
    double[] some = DoubleStream.concat(DoubleStream.of(0.0, -0.0), DoubleStream.of(odd)).toArray();
    for (int i = size / 50; i > 0; i--) {
      a[random.nextInt(size)] = some[random.nextInt(some.length)];
    }
    if (size > 0 && random.nextInt(8) == 0) {
      double[] none = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
      a[random.nextInt(size)] = none[random.nextInt(none.length)];
    }
    return of(Parallel.iter(a), DoubleStream.of(a).boxed().toList(), "doubles");
  }

  @SuppressWarnings("JdkObsolete") // a list without random access
  static RandomPipeline objects(SplittableRandom random, int size) {
    List<Object> list = new ArrayList<>(random.ints(size, -500, 500).boxed().toList());
    BaseIter<?> iter =
        switch (random.nextInt(5)) {
          case 0 -> Parallel.iter(list.toArray());
          case 1 -> Parallel.iter(list);
          case 2 -> Parallel.iter(new LinkedList<>(list));
          case 3 -> Iter.from(list.stream());
          default -> Iter.from(list.spliterator());
        };
    return of(iter, list, "objects");
  }

  private RandomPipeline longer(SplittableRandom random) {
    if (random.nextInt(3) == 0) {
      return stepOfAnyKind(random, random.nextInt(STEPS_OF_ANY_KIND));
    }
    int which = random.nextInt(STEPS_OF_A_KIND);
    return switch (iter) {
      case IntIter ints -> intStep(ints, random, which);
      case LongIter longs -> longStep(longs, random, which);
      case DoubleIter doubles -> doubleStep(doubles, random, which);
      case Iter<?> objects -> objectStep(erased(objects), random, which);
    };
  }

  @SuppressWarnings("unchecked") // elements are objects
  static Iter<Object> erased(Iter<?> objects) {
    return (Iter<Object>) objects;
  }

  private List<Object> mapped(Function<Object, Object> function) {
    return model.stream().map(function).toList();
  }

  private RandomPipeline stepOfAnyKind(SplittableRandom random, int which) {
    int size = model.size();
    int count = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(size + 2);
    return switch (which) {
      case 0, 1 -> with(iter.skip(count), model.stream().skip(count).toList(), "skip " + count);
      case 2, 3 -> with(iter.limit(count), model.stream().limit(count).toList(), "limit " + count);
      case 4, 5 -> with(iter.reversed(), model.reversed(), "reversed");
      case 6, 7 -> {
        int step = random.nextInt(8) == 0 ? Integer.MAX_VALUE : random.nextInt(1, 9);
        List<Object> some =
            IntStream.range(0, size).filter(i -> i % step == 0).mapToObj(model::get).toList();
        yield with(iter.stepBy(step), some, "step " + step);
      }
      case 8 -> {
        int grain = random.nextInt(1, 5000);
        yield with(iter.with(LoopOptions.DEFAULT.withGrain(grain)), model, "grain " + grain);
      }
      case 9 -> with(iter.limit(Long.MAX_VALUE - count), model, "limit of all");
      case 10 -> with(iter.skip(Long.MAX_VALUE - count), List.of(), "skip of all");
      default -> chained(random);
    };
  }

  private RandomPipeline chained(SplittableRandom random) {
    int size = Math.min(model.size(), MOST_ELEMENTS - model.size());
    int more = random.nextInt(Math.max(1, size) + 1);
    RandomPipeline second = other(random, more);
    for (int i = random.nextInt(4); i > 0; i--) {
      RandomPipeline longer = second.longer(random.split());
      boolean fits = longer.iter.getClass() == iter.getClass();
      second = fits && longer.model.size() + model.size() <= MOST_ELEMENTS ? longer : second;
    }
    List<Object> both = new ArrayList<>(model);
    both.addAll(second.model);
    BaseIter<?> all =
        switch (iter) {
          case IntIter ints -> ints.chain((IntIter) second.iter);
          case LongIter longs -> longs.chain((LongIter) second.iter);
          case DoubleIter doubles -> doubles.chain((DoubleIter) second.iter);
          case Iter<?> objects -> erased(objects).chain(erased((Iter<?>) second.iter));
        };
    return with(all, both, "chain (" + second.told + ")");
  }

  private RandomPipeline other(SplittableRandom random, int size) {
    return switch (iter) {
      case IntIter _ -> ints(random, size);
      case LongIter _ -> longs(random, size);
      case DoubleIter _ -> doubles(random, size);
      case Iter<?> _ -> objects(random, size);
    };
  }

  /** The same elements, each seen by the probe. */
  private RandomPipeline probed(Probe probe) {
    BaseIter<?> watched =
        switch (iter) {
          case IntIter ints ->
              ints.map(x -> {
                probe.see(x);
                return x;
              });
          case LongIter longs ->
              longs.map(x -> {
                probe.see((int) x);
                return x;
              });
          case DoubleIter doubles ->
              doubles.map(x -> {
                probe.see((int) (x * 4));
                return x;
              });
          case Iter<?> objects ->
              erased(objects)
                  .map(x -> {
                    probe.see(number(x));
                    return x;
                  });
        };
    return with(watched, model, "probed");
  }

  private boolean isLarge() {
    return 3 * model.size() > MOST_ELEMENTS;
  }

  private <T> List<Object> flattened(Function<Object, List<T>> function) {
    List<Object> all = new ArrayList<>();
    model.forEach(x -> all.addAll(function.apply(x)));
    return all;
  }

  private List<Object> taken(Function<Object, Boolean> passes) {
    return model.stream().takeWhile(passes::apply).toList();
  }

  private List<Object> kept(Function<Object, Boolean> passes) {
    return model.stream().filter(passes::apply).toList();
  }

  private List<Object> totals(BinaryOperator<Object> combiner) {
    List<Object> all = new ArrayList<>();
    for (Object x : model) {
      all.add(all.isEmpty() ? x : combiner.apply(all.getLast(), x));
    }
    return all;
  }

  private List<Object> zipped(int length, BinaryOperator<Object> function, IntFunction<Object> of) {
    return IntStream.range(0, Math.min(length, model.size()))
        .mapToObj(i -> function.apply(model.get(i), of.apply(i)))
        .toList();
  }

  private List<List<Object>> parts(int width, int step, boolean whole) {
    List<List<Object>> all = new ArrayList<>();
    for (int i = 0; i < model.size() && (!whole || i + width <= model.size()); i += step) {
      all.add(model.subList(i, Math.min(model.size(), i + width)));
    }
    return all;
  }

  private static List<Object> each(List<List<Object>> parts, Function<List<Object>, Object> end) {
    return parts.stream().map(end).toList();
  }

  private static List<Object> joined(List<List<Object>> parts) {
    List<Object> all = new ArrayList<>();
    parts.forEach(all::addAll);
    return all;
  }

  private static List<List<Object>> turned(List<List<Object>> parts) {
    return parts.stream().map(List::reversed).toList();
  }

  private RandomPipeline intStep(IntIter ints, SplittableRandom random, int which) {
    int n = random.nextInt(1, 40);
    return switch (which) {
      case 0 -> with(ints.map(x -> x * 3 + 1), mapped(x -> (int) x * 3 + 1), "map");
      case 1 -> with(ints.map(x -> x ^ n), mapped(x -> (int) x ^ n), "xor " + n);
      case 2 -> with(ints.filter(x -> x % 3 != 0), kept(x -> (int) x % 3 != 0), "filter");
      case 3 -> with(ints.filter(x -> (x & n) != 0), kept(x -> ((int) x & n) != 0), "bits " + n);
      case 4 -> with(ints.mapToLong(x -> x * 5L), mapped(x -> (int) x * 5L), "toLong");
      case 5 -> with(ints.mapToDouble(x -> x / 4.0), mapped(x -> (int) x / 4.0), "toDouble");
      case 6 -> with(ints.mapToObj(x -> x + 7), mapped(x -> (int) x + 7), "toObj");
      case 7 -> with(ints.boxed(), model, "boxed");
      case 8 -> with(ints.takeWhile(x -> x % 97 != n), taken(x -> (int) x % 97 != n), "while " + n);
      case 9 -> with(ints.sorted(), model.stream().sorted().toList(), "sorted");
      case 10 ->
          with(ints.scan(Integer::sum), totals((x, y) -> (int) x + (int) y), "running totals");
      case 11 -> {
        int[] others = random.ints(random.nextInt(model.size() + 2), -9, 9).toArray();
        yield with(
            ints.zip(others, (x, y) -> x * 7 - y),
            zipped(others.length, (x, y) -> (int) x * 7 - (int) y, i -> others[i]),
            "zip " + others.length);
      }
      case 12 ->
          isLarge()
              ? this
              : with(
                  ints.flatMap(x -> Parallel.range(x, x + (x & 3)).filter(y -> y != 5)),
                  flattened(x ->
                      IntStream.range((int) x, (int) x + ((int) x & 3))
                          .filter(y -> y != 5)
                          .boxed()
                          .toList()),
                  "flat");
      case 13 ->
          with(
              ints.chunks(n).mapToLong(IntIter::sum),
              each(parts(n, n, false), c -> c.stream().mapToLong(x -> (int) x).sum()),
              "sums of " + n);
      case 14 ->
          with(
              ints.chunks(n).flatMapToInt(IntIter::reversed),
              joined(turned(parts(n, n, false))),
              "turned by " + n);
      case 15 ->
          isLarge()
              ? this
              : with(
                  ints.flatMap(x -> InnerPipelines.ints(x)),
                  flattened(x -> InnerPipelines.intModel((int) x)),
                  "deeply flat");
      case 16 -> with(ints.filter(x -> x % n == 0), kept(x -> (int) x % n == 0), "every " + n);
      default ->
          with(
              ints.windows(1 + n % 5).mapToInt(w -> w.max().getAsInt()),
              each(
                  parts(1 + n % 5, 1, true),
                  w -> w.stream().mapToInt(x -> (int) x).max().getAsInt()),
              "windows");
    };
  }

  private RandomPipeline longStep(LongIter longs, SplittableRandom random, int which) {
    int n = random.nextInt(1, 40);
    return switch (which) {
      case 0 -> with(longs.map(x -> x * 7 - 3), mapped(x -> (long) x * 7 - 3), "map");
      case 1 -> with(longs.map(x -> x + n), mapped(x -> (long) x + n), "plus " + n);
      case 2 -> with(longs.filter(x -> x % 3 != 0), kept(x -> (long) x % 3 != 0), "filter");
      case 3 -> with(longs.filter(x -> (x & n) != 0), kept(x -> ((long) x & n) != 0), "bits " + n);
      case 4 ->
          with(longs.mapToInt(x -> (int) (x ^ 5)), mapped(x -> (int) ((long) x ^ 5)), "toInt");
      case 5 -> with(longs.mapToDouble(x -> x / 8.0), mapped(x -> (long) x / 8.0), "toDouble");
      case 6 -> with(longs.mapToObj(x -> x - 2), mapped(x -> (long) x - 2), "toObj");
      case 7 -> with(longs.boxed(), model, "boxed");
      case 8 ->
          with(longs.takeWhile(x -> x % 97 != n), taken(x -> (long) x % 97 != n), "while " + n);
      case 9 -> with(longs.sorted(), model.stream().sorted().toList(), "sorted");
      case 10 ->
          with(longs.scan(Long::sum), totals((x, y) -> (long) x + (long) y), "running totals");
      case 11 -> {
        long[] others = random.longs(random.nextInt(model.size() + 2), -9, 9).toArray();
        yield with(
            longs.zip(others, (x, y) -> x * 11 - y),
            zipped(others.length, (x, y) -> (long) x * 11 - (long) y, i -> others[i]),
            "zip " + others.length);
      }
      case 12 ->
          isLarge()
              ? this
              : with(
                  longs.flatMap(x -> Parallel.rangeLong(x & 7, 2 * (x & 7)).skip(4).reversed()),
                  flattened(x ->
                      LongStream.range((long) x & 7, 2 * ((long) x & 7))
                          .skip(4)
                          .boxed()
                          .toList()
                          .reversed()),
                  "flat");
      case 13 ->
          with(
              longs.chunks(n).mapToLong(LongIter::sum),
              each(parts(n, n, false), c -> c.stream().mapToLong(x -> (long) x).sum()),
              "sums of " + n);
      case 14 ->
          with(
              longs.chunks(n).flatMapToLong(LongIter::reversed),
              joined(turned(parts(n, n, false))),
              "turned by " + n);
      case 15 ->
          isLarge()
              ? this
              : with(
                  longs.flatMap(x -> InnerPipelines.longs(x)),
                  flattened(x -> InnerPipelines.longModel((long) x)),
                  "deeply flat");
      case 16 -> with(longs.filter(x -> x % n == 0), kept(x -> (long) x % n == 0), "every " + n);
      default ->
          with(
              longs.windows(1 + n % 5).mapToLong(w -> w.min().getAsLong()),
              each(
                  parts(1 + n % 5, 1, true),
                  w -> w.stream().mapToLong(x -> (long) x).min().getAsLong()),
              "windows");
    };
  }

  private RandomPipeline doubleStep(DoubleIter doubles, SplittableRandom random, int which) {
    int n = random.nextInt(1, 40);
    return switch (which) {
      case 0 -> with(doubles.map(x -> x * 1.5), mapped(x -> (double) x * 1.5), "map");
      case 1 -> with(doubles.map(x -> x + n), mapped(x -> (double) x + n), "plus " + n);
      case 2, 3 -> with(doubles.filter(x -> x > -n), kept(x -> (double) x > -n), "above -" + n);
      case 4 ->
          with(
              doubles.mapToInt(x -> (int) (x * 10)), mapped(x -> (int) ((double) x * 10)), "toInt");
      case 5 ->
          with(
              doubles.mapToLong(x -> (long) (x * 100)),
              mapped(x -> (long) ((double) x * 100)),
              "toLong");
      case 6 -> with(doubles.mapToObj(x -> x + 0.25), mapped(x -> (double) x + 0.25), "toObj");
      case 7 -> with(doubles.boxed(), model, "boxed");
      case 8 -> with(doubles.takeWhile(x -> x < 20 * n), taken(x -> (double) x < 20 * n), "while");
      case 9 -> with(doubles.sorted(), model.stream().sorted().toList(), "sorted");
      case 10 ->
          with(
              doubles.scan(Math::max),
              totals((x, y) -> Math.max((double) x, (double) y)),
              "running maxima");
      case 11 -> {
        double[] others = random.doubles(random.nextInt(model.size() + 2)).toArray();
        yield with(
            doubles.zip(others, (x, y) -> x * 2 - y),
            zipped(others.length, (x, y) -> (double) x * 2 - (double) y, i -> others[i]),
            "zip " + others.length);
      }
      case 12 ->
          isLarge()
              ? this
              : with(
                  doubles.flatMap(x -> Parallel.iter(new double[] {x, -x}).filter(y -> y != 1)),
                  flattened(x ->
                      DoubleStream.of((double) x, -(double) x)
                          .filter(y -> y != 1)
                          .boxed()
                          .toList()),
                  "flat");
      case 13 ->
          with(
              doubles.chunks(n).mapToLong(DoubleIter::count),
              each(parts(n, n, false), c -> (long) c.size()),
              "counts of " + n);
      case 14 ->
          with(
              doubles.chunks(n).flatMapToDouble(DoubleIter::reversed),
              joined(turned(parts(n, n, false))),
              "turned by " + n);
      case 15 ->
          isLarge()
              ? this
              : with(
                  doubles.flatMap(x -> InnerPipelines.doubles(x)),
                  flattened(x -> InnerPipelines.doubleModel((double) x)),
                  "deeply flat");
      case 16 -> with(doubles.filter(x -> x < n), kept(x -> (double) x < n), "below " + n);
      default ->
          with(
              doubles.windows(1 + n % 5).mapToDouble(w -> w.max().getAsDouble()),
              each(
                  parts(1 + n % 5, 1, true),
                  w -> w.stream().mapToDouble(x -> (double) x).max().getAsDouble()),
              "windows");
    };
  }

  private RandomPipeline objectStep(Iter<Object> objects, SplittableRandom random, int which) {
    int n = random.nextInt(1, 40);
    Comparator<Object> order = Comparator.comparingInt(x -> number(x) % 50);
    return switch (which) {
      case 0 -> with(objects.map(x -> number(x) * 3), mapped(x -> number(x) * 3), "map");
      case 1 -> with(objects.map(x -> number(x) + n), mapped(x -> number(x) + n), "plus " + n);
      case 2, 3 ->
          with(objects.filter(x -> number(x) % 5 != n), kept(x -> number(x) % 5 != n), "filter");
      case 4 -> with(objects.mapToInt(x -> number(x) + 1), mapped(x -> number(x) + 1), "toInt");
      case 5 -> with(objects.mapToLong(x -> number(x) * 9L), mapped(x -> number(x) * 9L), "toLong");
      case 6 ->
          with(objects.mapToDouble(x -> number(x) / 2.0), mapped(x -> number(x) / 2.0), "toDouble");
      case 7 ->
          with(
              objects.enumerate().map(x -> x),
              IntStream.range(0, model.size())
                  .mapToObj(i -> new Iter.Indexed<>(i, model.get(i)))
                  .toList(),
              "enumerate");
      case 8 ->
          with(
              objects.takeWhile(x -> number(x) % 97 != n),
              taken(x -> number(x) % 97 != n),
              "while " + n);
      case 9 -> with(objects.sorted(order), model.stream().sorted(order).toList(), "sorted");
      case 10 -> with(objects.distinct(), model.stream().distinct().toList(), "distinct");
      case 11 -> {
        List<Integer> others =
            random.ints(random.nextInt(model.size() + 2), -9, 9).boxed().toList();
        yield with(
            objects.<Integer, Object>zip(others, (x, y) -> number(x) - y),
            zipped(others.size(), (x, y) -> number(x) - (int) y, others::get),
            "zip " + others.size());
      }
      case 12 ->
          isLarge()
              ? this
              : with(
                  objects.<Object>flatMap(
                      x -> Parallel.iter(Collections.nCopies(number(x) & 3, x))),
                  flattened(x -> Collections.nCopies(number(x) & 3, x)),
                  "flat");
      case 13 ->
          with(
              objects.chunks(n).mapToLong(Iter::count),
              each(parts(n, n, false), c -> (long) c.size()),
              "counts of " + n);
      case 14 ->
          with(
              objects.chunks(n).flatMap(Iter::reversed),
              joined(turned(parts(n, n, false))),
              "turned by " + n);
      case 15 ->
          isLarge()
              ? this
              : with(
                  objects.flatMapToInt(x -> InnerPipelines.ints(number(x))),
                  flattened(x -> InnerPipelines.intModel(number(x))),
                  "deeply flat to ints");
      case 16 ->
          isLarge()
              ? this
              : with(
                  objects.flatMapToDouble(x -> InnerPipelines.doubles(number(x))),
                  flattened(x -> InnerPipelines.doubleModel(number(x))),
                  "deeply flat to doubles");
      default ->
          with(
              objects.windows(1 + n % 5).map(w -> w.findLast().get()),
              each(parts(1 + n % 5, 1, true), List::getLast),
              "windows");
    };
  }
}
