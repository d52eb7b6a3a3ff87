package dev.blitz.parallel.iter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.parallel.CancelToken;
import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.Pool;
import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Memory;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Pipelines against sequential streams, on the caller and on one to eight workers. */
@Strict
@LeakChecked(ignoreThreads = "blitz-parallel-\\d+")
class IterTest {
  private static final int LARGE = 60_000;

  private static void forEachSize(Consumer<long[]> check) {
    var random = new Random(3);
    for (int size = 0; size <= 2000; size += 1 + random.nextInt(160)) {
      check.accept(random.longs(size, -1000, 1000).toArray());
    }
    for (int workers = 1; workers <= 8; workers++) {
      try (var pool = Pool.of(workers)) {
        pool.run(() -> check.accept(random.longs(777, -1000, 1000).toArray()));
        pool.run(() -> check.accept(random.longs(LARGE, -1000, 1000).toArray()));
      }
    }
  }

  @Test
  void longs_asStreamsDo() {
    forEachSize(a -> {
      LongIter iter = Parallel.iter(a);
      assertThat(iter.sum()).isEqualTo(LongStream.of(a).sum());
      assertThat(iter.min()).isEqualTo(LongStream.of(a).min());
      assertThat(iter.max()).isEqualTo(LongStream.of(a).max());
      assertThat(iter.count()).isEqualTo(a.length);
      assertThat(iter.average()).isEqualTo(LongStream.of(a).average());
      assertThat(iter.map(x -> x * 3).filter(x -> x % 2 == 0).sum())
          .isEqualTo(LongStream.of(a).map(x -> x * 3).filter(x -> x % 2 == 0).sum());
      assertThat(iter.filter(x -> x > 7).toArray())
          .isEqualTo(LongStream.of(a).filter(x -> x > 7).toArray());
      assertThat(iter.map(x -> x ^ 5).toArray())
          .isEqualTo(LongStream.of(a).map(x -> x ^ 5).toArray());
      assertThat(iter.filter(x -> x > 7).count())
          .isEqualTo(LongStream.of(a).filter(x -> x > 7).count());
      assertThat(iter.reduce((x, y) -> x + y * 0)).isEqualTo(firstOf(a));
      assertThat(iter.reduce(0, Long::sum)).isEqualTo(LongStream.of(a).sum());
      assertThat(iter.anyMatch(x -> x == 999)).isEqualTo(LongStream.of(a).anyMatch(x -> x == 999));
      assertThat(iter.allMatch(x -> x < 999)).isEqualTo(LongStream.of(a).allMatch(x -> x < 999));
      assertThat(iter.noneMatch(x -> x == 5)).isEqualTo(LongStream.of(a).noneMatch(x -> x == 5));
      assertThat(iter.filter(x -> x > 900).findFirst())
          .isEqualTo(LongStream.of(a).filter(x -> x > 900).findFirst());
      assertThat(iter.filter(x -> x > 900).findLast())
          .isEqualTo(LongStream.of(a).filter(x -> x > 900).reduce((x, y) -> y));
      assertThat(iter.position(x -> x > 900))
          .isEqualTo(IntStream.range(0, a.length).filter(i -> a[i] > 900).findFirst().orElse(-1));
      assertThat(iter.filter(x -> x > 900).findAny().isPresent())
          .isEqualTo(LongStream.of(a).anyMatch(x -> x > 900));
      assertThat(iter.sorted().toArray()).isEqualTo(LongStream.of(a).sorted().toArray());
      assertThat(iter.summaryStatistics().toString())
          .isEqualTo(LongStream.of(a).summaryStatistics().toString());
      long[] totals = a.clone();
      Arrays.parallelPrefix(totals, Long::sum);
      assertThat(iter.scan(Long::sum).toArray()).isEqualTo(totals);
      var seen = new LongAdder();
      iter.forEach(seen::add);
      assertThat(seen.sum()).isEqualTo(LongStream.of(a).sum());
    });
  }

  private static OptionalLong firstOf(long[] a) {
    return LongStream.of(a).findFirst();
  }

  @Test
  void ints_asStreamsDo() {
    forEachSize(longs -> {
      int[] a = LongStream.of(longs).mapToInt(x -> (int) x).toArray();
      IntIter iter = Parallel.iter(a);
      assertThat(iter.sum()).isEqualTo(IntStream.of(a).asLongStream().sum());
      assertThat(iter.min()).isEqualTo(IntStream.of(a).min());
      assertThat(iter.max()).isEqualTo(IntStream.of(a).max());
      assertThat(iter.average()).isEqualTo(IntStream.of(a).average());
      assertThat(iter.map(x -> x * 3).filter(x -> x % 2 == 0).toArray())
          .isEqualTo(IntStream.of(a).map(x -> x * 3).filter(x -> x % 2 == 0).toArray());
      assertThat(iter.filter(x -> x > 7).count())
          .isEqualTo(IntStream.of(a).filter(x -> x > 7).count());
      assertThat(iter.reduce((x, y) -> y)).isEqualTo(IntStream.of(a).reduce((x, y) -> y));
      assertThat(iter.reduce(5, Integer::sum)).isEqualTo(IntStream.of(a).reduce(5, Integer::sum));
      assertThat(iter.anyMatch(x -> x == 999)).isEqualTo(IntStream.of(a).anyMatch(x -> x == 999));
      assertThat(iter.allMatch(x -> x < 999)).isEqualTo(IntStream.of(a).allMatch(x -> x < 999));
      assertThat(iter.noneMatch(x -> x == 5)).isEqualTo(IntStream.of(a).noneMatch(x -> x == 5));
      assertThat(iter.filter(x -> x > 900).findFirst())
          .isEqualTo(IntStream.of(a).filter(x -> x > 900).findFirst());
      assertThat(iter.filter(x -> x > 900).findLast())
          .isEqualTo(IntStream.of(a).filter(x -> x > 900).reduce((x, y) -> y));
      assertThat(iter.filter(x -> x > 900).findAny().isPresent())
          .isEqualTo(IntStream.of(a).anyMatch(x -> x > 900));
      assertThat(iter.position(x -> x > 900))
          .isEqualTo(IntStream.range(0, a.length).filter(i -> a[i] > 900).findFirst().orElse(-1));
      long any = iter.positionAny(x -> x > 900);
      assertThat(any < 0 ? iter.noneMatch(x -> x > 900) : a[(int) any] > 900).isTrue();
      assertThat(iter.sorted().toArray()).isEqualTo(IntStream.of(a).sorted().toArray());
      assertThat(iter.summaryStatistics().toString())
          .isEqualTo(IntStream.of(a).summaryStatistics().toString());
      int[] totals = a.clone();
      Arrays.parallelPrefix(totals, Integer::sum);
      assertThat(iter.scan(Integer::sum).toArray()).isEqualTo(totals);
      assertThat(iter.zip(totals, (x, y) -> x - y).limit(99).sum())
          .isEqualTo(
              IntStream.range(0, Math.min(99, a.length)).mapToLong(i -> a[i] - totals[i]).sum());
      assertThat(iter.takeWhile(x -> x < 990).toArray())
          .isEqualTo(IntStream.of(a).takeWhile(x -> x < 990).toArray());
      assertThat(iter.flatMap(x -> Parallel.range(0, x & 3)).toArray())
          .isEqualTo(IntStream.of(a).flatMap(x -> IntStream.range(0, x & 3)).toArray());
      assertThat(iter.maxBy(x -> -(long) x * x)).isEqualTo(nearestToZero(a));
      assertThat(iter.stream().toArray()).isEqualTo(a);
      int[] target = new int[a.length];
      assertThat(iter.reversed().into(target)).isEqualTo(a.length);
      assertThat(target).isEqualTo(iter.reversed().toArray());
      assertThat(iter.collect(() -> new long[1], (c, x) -> c[0] += x, (c, d) -> c[0] += d[0])[0])
          .isEqualTo(iter.sum());
      var seen = new LongAdder();
      iter.forEach(seen::add);
      assertThat(seen.sum()).isEqualTo(iter.sum());
    });
  }

  private static OptionalInt nearestToZero(int[] a) {
    return IntStream.of(a).reduce((x, y) -> Math.abs(y) < Math.abs(x) ? y : x);
  }

  @Test
  void doubles_asStreamsDo() {
    forEachSize(longs -> {
      double[] a = LongStream.of(longs).mapToDouble(x -> x / 4.0).toArray();
      DoubleIter iter = Parallel.iter(a);
      // Quarters below 2^50: their sums are exact in any order.
      assertThat(iter.sum()).isEqualTo(DoubleStream.of(a).sum());
      assertThat(iter.sumCompensated()).isEqualTo(DoubleStream.of(a).sum());
      assertThat(iter.min()).isEqualTo(DoubleStream.of(a).min());
      assertThat(iter.max()).isEqualTo(DoubleStream.of(a).max());
      assertThat(iter.average()).isEqualTo(DoubleStream.of(a).average());
      assertThat(iter.map(x -> x * 3).filter(x -> x > 2).toArray())
          .isEqualTo(DoubleStream.of(a).map(x -> x * 3).filter(x -> x > 2).toArray());
      assertThat(iter.filter(x -> x > 7).count())
          .isEqualTo(DoubleStream.of(a).filter(x -> x > 7).count());
      assertThat(iter.reduce((x, y) -> y)).isEqualTo(DoubleStream.of(a).reduce((x, y) -> y));
      assertThat(iter.reduce(5, Double::sum)).isEqualTo(DoubleStream.of(a).reduce(5, Double::sum));
      assertThat(iter.anyMatch(x -> x == 249))
          .isEqualTo(DoubleStream.of(a).anyMatch(x -> x == 249));
      assertThat(iter.allMatch(x -> x < 249)).isEqualTo(DoubleStream.of(a).allMatch(x -> x < 249));
      assertThat(iter.noneMatch(x -> x == 5)).isEqualTo(DoubleStream.of(a).noneMatch(x -> x == 5));
      assertThat(iter.filter(x -> x > 225).findFirst())
          .isEqualTo(DoubleStream.of(a).filter(x -> x > 225).findFirst());
      assertThat(iter.filter(x -> x > 225).findLast())
          .isEqualTo(DoubleStream.of(a).filter(x -> x > 225).reduce((x, y) -> y));
      assertThat(iter.filter(x -> x > 225).findAny().isPresent())
          .isEqualTo(DoubleStream.of(a).anyMatch(x -> x > 225));
      assertThat(iter.position(x -> x > 225))
          .isEqualTo(IntStream.range(0, a.length).filter(i -> a[i] > 225).findFirst().orElse(-1));
      long any = iter.positionAny(x -> x > 225);
      assertThat(any < 0 ? iter.noneMatch(x -> x > 225) : a[(int) any] > 225).isTrue();
      assertThat(iter.sorted().toArray()).isEqualTo(DoubleStream.of(a).sorted().toArray());
      assertThat(iter.summaryStatistics().toString())
          .isEqualTo(DoubleStream.of(a).summaryStatistics().toString());
      double[] totals = a.clone();
      Arrays.parallelPrefix(totals, Double::sum);
      assertThat(iter.scan(Double::sum).toArray()).isEqualTo(totals);
      assertThat(iter.takeWhile(x -> x < 247).toArray())
          .isEqualTo(DoubleStream.of(a).takeWhile(x -> x < 247).toArray());
      assertThat(iter.flatMap(x -> Parallel.iter(new double[] {x, -x})).toArray())
          .isEqualTo(DoubleStream.of(a).flatMap(x -> DoubleStream.of(x, -x)).toArray());
      assertThat(iter.mapToInt(x -> (int) x).sum())
          .isEqualTo(DoubleStream.of(a).mapToLong(x -> (int) x).sum());
      assertThat(iter.mapToLong(x -> (long) x).sum())
          .isEqualTo(DoubleStream.of(a).mapToLong(x -> (long) x).sum());
      assertThat(iter.boxed().toList()).isEqualTo(DoubleStream.of(a).boxed().toList());
      assertThat(iter.stream().toArray()).isEqualTo(a);
      double[] target = new double[a.length];
      assertThat(iter.reversed().into(target)).isEqualTo(a.length);
      assertThat(target).isEqualTo(iter.reversed().toArray());
      var seen = new LongAdder();
      iter.forEach(x -> seen.add((long) (x * 4)));
      assertThat(seen.sum()).isEqualTo(LongStream.of(longs).sum());
    });
  }

  @Test
  void indices_limitSkipReversedStep() {
    forEachSize(a -> {
      int n = a.length;
      LongIter iter = Parallel.iter(a);
      assertThat(iter.skip(10).limit(500).toArray())
          .isEqualTo(LongStream.of(a).skip(10).limit(500).toArray());
      assertThat(iter.map(x -> x + 1).reversed().skip(3).toArray())
          .isEqualTo(IntStream.range(0, n).mapToLong(i -> a[n - 1 - i] + 1).skip(3).toArray());
      assertThat(iter.stepBy(7).toArray())
          .isEqualTo(IntStream.range(0, n).filter(i -> i % 7 == 0).mapToLong(i -> a[i]).toArray());
      assertThat(iter.filter(x -> x > 0).limit(33).toArray())
          .isEqualTo(LongStream.of(a).filter(x -> x > 0).limit(33).toArray());
      assertThat(iter.filter(x -> x > 0).skip(33).map(x -> -x).sum())
          .isEqualTo(LongStream.of(a).filter(x -> x > 0).skip(33).map(x -> -x).sum());
      assertThat(iter.filter(x -> x > 0).reversed().stepBy(2).limit(5).count())
          .isEqualTo(Math.min(5, (LongStream.of(a).filter(x -> x > 0).count() + 1) / 2));
      assertThat(iter.map(x -> x * 2).takeWhile(x -> x < 1990).toArray())
          .isEqualTo(LongStream.of(a).map(x -> x * 2).takeWhile(x -> x < 1990).toArray());
      assertThat(iter.filter(x -> x > 0).takeWhile(x -> x != 77).count())
          .isEqualTo(LongStream.of(a).filter(x -> x > 0).takeWhile(x -> x != 77).count());
      assertThat(iter.zip(a, (x, y) -> x * y).reversed().limit(100).toArray())
          .isEqualTo(
              IntStream.range(0, Math.min(n, 100))
                  .mapToLong(i -> a[n - 1 - i] * a[n - 1 - i])
                  .toArray());
      assertThat(iter.chain(iter.map(x -> -x)).toArray())
          .isEqualTo(LongStream.concat(LongStream.of(a), LongStream.of(a).map(x -> -x)).toArray());
      assertThat(iter.chain(iter).skip(n).sum()).isEqualTo(LongStream.of(a).sum());
      assertThat(iter.chunks(100).mapToLong(LongIter::sum).sum()).isEqualTo(LongStream.of(a).sum());
      assertThat(iter.windows(3).count()).isEqualTo(Math.max(0, n - 2));
      assertThat(iter.windows(2).mapToLong(w -> w.reduce(0, (x, y) -> y - x)).sum())
          .isEqualTo(n < 2 ? 0 : IntStream.range(1, n).mapToLong(i -> a[i] - a[i - 1]).sum());
    });
  }

  @Test
  void conversions_betweenKinds() {
    forEachSize(a -> {
      int n = a.length;
      assertThat(Parallel.range(0, n).mapToLong(i -> a[i]).sum()).isEqualTo(LongStream.of(a).sum());
      assertThat(Parallel.range(0, n).map(i -> i * 2).toArray())
          .isEqualTo(IntStream.range(0, n).map(i -> i * 2).toArray());
      assertThat(Parallel.rangeLong(-5, n - 5L).mapToInt(i -> (int) i).sum())
          .isEqualTo(LongStream.range(-5, n - 5L).sum());
      assertThat(Parallel.iter(a).mapToObj(Long::toString).toList())
          .isEqualTo(LongStream.of(a).mapToObj(Long::toString).toList());
      assertThat(Parallel.iter(a).boxed().mapToInt(Long::intValue).max())
          .isEqualTo(LongStream.of(a).mapToInt(x -> (int) x).max());
      assertThat(Parallel.iter(a).mapToDouble(x -> x).max())
          .isEqualTo(LongStream.of(a).mapToDouble(x -> x).max());
      assertThat(Parallel.iter(a).flatMap(x -> Parallel.rangeLong(0, x & 3)).toArray())
          .isEqualTo(LongStream.of(a).flatMap(x -> LongStream.range(0, x & 3)).toArray());
      assertThat(
              Parallel.iter(a)
                  .flatMap(x -> Parallel.rangeLong(0, x & 3).map(y -> y + x))
                  .filter(y -> y % 5 == 0)
                  .flatMap(x -> Parallel.rangeLong(x, x + 2))
                  .sum())
          .isEqualTo(
              LongStream.of(a)
                  .flatMap(x -> LongStream.range(0, x & 3).map(y -> y + x))
                  .filter(y -> y % 5 == 0)
                  .flatMap(x -> LongStream.range(x, x + 2))
                  .sum());
      assertThat(Parallel.iter(a).flatMap(x -> Parallel.rangeLong(0, x & 3)).findFirst())
          .isEqualTo(LongStream.of(a).flatMap(x -> LongStream.range(0, x & 3)).findFirst());
    });
  }

  @Test
  @SuppressWarnings("JdkObsolete") // a list without random access
  void objects_asStreamsDo() {
    forEachSize(a -> {
      List<Long> list = LongStream.of(a).boxed().toList();
      for (Iter<Long> iter :
          List.of(
              Parallel.<Long>iter(list),
              Parallel.<Long>iter(new LinkedList<>(list)),
              Parallel.iter(list.toArray(Long[]::new)),
              Iter.<Long>from(list.spliterator()),
              Iter.<Long>from(list.stream()))) {
        assertThat(iter.map(x -> x + 1).filter(x -> x % 3 == 0).toList())
            .isEqualTo(list.stream().map(x -> x + 1).filter(x -> x % 3 == 0).toList());
        assertThat(iter.mapToLong(x -> x).sum()).isEqualTo(LongStream.of(a).sum());
        assertThat(iter.reduce(Long::sum)).isEqualTo(list.stream().reduce(Long::sum));
      }
      Iter<Long> iter = Parallel.iter(list);
      assertThat(iter.min(Comparator.naturalOrder()))
          .isEqualTo(list.stream().min(Comparator.naturalOrder()));
      assertThat(iter.maxBy(x -> x % 100).map(x -> x % 100))
          .isEqualTo(list.stream().map(x -> x % 100).max(Comparator.naturalOrder()));
      assertThat(iter.minBy(x -> x % 100)).isEqualTo(leastByKey(list));
      assertThat(iter.collect(Collectors.groupingBy(x -> x % 7)))
          .isEqualTo(list.stream().collect(Collectors.groupingBy(x -> x % 7)));
      assertThat(iter.map(String::valueOf).collect(Collectors.joining(",")))
          .isEqualTo(list.stream().map(String::valueOf).collect(Collectors.joining(",")));
      List<Long> collected = iter.collect(ArrayList::new, List::add, List::addAll);
      assertThat(collected).isEqualTo(list);
      assertThat(iter.distinct().toList()).isEqualTo(list.stream().distinct().toList());
      assertThat(iter.sorted(Comparator.reverseOrder()).toList())
          .isEqualTo(list.stream().sorted(Comparator.reverseOrder()).toList());
      var parts = iter.partition(x -> x > 0);
      assertThat(parts.passing()).isEqualTo(list.stream().filter(x -> x > 0).toList());
      assertThat(parts.failing()).isEqualTo(list.stream().filter(x -> x <= 0).toList());
      assertThat(iter.flatMap(x -> Iter.from(Stream.of(x, -x))).toList())
          .isEqualTo(list.stream().flatMap(x -> Stream.of(x, -x)).toList());
      assertThat(iter.zip(list.reversed(), (x, y) -> x - y).toList())
          .isEqualTo(
              IntStream.range(0, a.length).mapToObj(i -> a[i] - a[a.length - 1 - i]).toList());
      assertThat(iter.enumerate().filter(e -> e.value() > 0).mapToLong(Iter.Indexed::index).sum())
          .isEqualTo(IntStream.range(0, a.length).filter(i -> a[i] > 0).sum());
      assertThat(iter.anyMatch(x -> x > 998)).isEqualTo(list.stream().anyMatch(x -> x > 998));
      assertThat(iter.allMatch(x -> x > -998)).isEqualTo(list.stream().allMatch(x -> x > -998));
      assertThat(iter.stream().toList()).isEqualTo(list);
      Long[] target = new Long[a.length + 1];
      assertThat(iter.into(target)).isEqualTo(a.length);
      assertThat(target[a.length]).isNull();
    });
  }

  private static Optional<Long> leastByKey(List<Long> list) {
    Long best = null;
    for (Long x : list) {
      best = best == null || x % 100 < best % 100 ? x : best;
    }
    return Optional.ofNullable(best);
  }

  @Test
  void byKey_firstOfSeveral_eachKeyOnce() {
    forEachSize(a -> {
      LongIter iter = Parallel.iter(a);
      List<Long> list = LongStream.of(a).boxed().toList();
      Optional<Long> least = leastByKey(list);
      Optional<Long> greatest = leastByKey(list.stream().map(x -> -x).toList()).map(x -> -x);
      assertThat(iter.minBy(x -> x % 100).stream().boxed().findFirst()).isEqualTo(least);
      assertThat(iter.maxBy(x -> x % 100).stream().boxed().findFirst()).isEqualTo(greatest);
      assertThat(
              iter.mapToInt(x -> (int) x).minBy(x -> x % 100).stream()
                  .asLongStream()
                  .boxed()
                  .findFirst())
          .isEqualTo(least);
      assertThat(
              iter.mapToDouble(x -> x).maxBy(x -> x % 100).stream()
                  .mapToObj(x -> (long) x)
                  .findFirst())
          .isEqualTo(greatest);
      assertThat(Parallel.<Long>iter(list).maxBy(x -> x % 100)).isEqualTo(greatest);
      var calls = new LongAdder();
      iter.minBy(x -> {
        calls.increment();
        return x;
      });
      assertThat(calls.sum()).isEqualTo(a.length);
    });
  }

  @Test
  void places_firstAnyLast() {
    forEachSize(a -> {
      int n = a.length;
      LongIter iter = Parallel.iter(a);
      long last =
          IntStream.range(0, n).map(i -> n - 1 - i).filter(i -> a[i] > 900).findFirst().orElse(-1);
      assertThat(iter.rposition(x -> x > 900)).isEqualTo(last);
      assertThat(iter.mapToInt(x -> (int) x).rposition(x -> x > 900)).isEqualTo(last);
      assertThat(iter.mapToDouble(x -> x).rposition(x -> x > 900)).isEqualTo(last);
      assertThat(iter.boxed().rposition(x -> x > 900)).isEqualTo(last);
      assertThat(iter.stepBy(3).rposition(x -> true)).isEqualTo((n + 2) / 3 - 1);
      long any = iter.positionAny(x -> x > 900);
      assertThat(any == -1 ? last == -1 : a[(int) any] > 900).isTrue();
      assertThat(iter.filter(x -> x > 0).rposition(x -> x > 900))
          .isEqualTo(last < 0 ? -1 : LongStream.of(a).limit(last).filter(x -> x > 0).count());
    });
  }

  @Test
  void leastAndGreatest_asSorted() {
    forEachSize(a -> {
      int[] counts = a.length > 2000 ? new int[] {5, 3000, 70_000} : new int[] {0, 1, 100, 3000};
      for (int count : counts) {
        long[] least = LongStream.of(a).sorted().limit(count).toArray();
        long[] greatest =
            LongStream.of(a)
                .boxed()
                .sorted(Comparator.reverseOrder())
                .limit(count)
                .mapToLong(x -> x)
                .toArray();
        LongIter iter = Parallel.iter(a);
        assertThat(iter.least(count)).isEqualTo(least);
        assertThat(iter.greatest(count)).isEqualTo(greatest);
        assertThat(iter.mapToInt(x -> (int) x).least(count))
            .isEqualTo(LongStream.of(least).mapToInt(x -> (int) x).toArray());
        assertThat(iter.mapToDouble(x -> x / 4.0).greatest(count))
            .isEqualTo(LongStream.of(greatest).mapToDouble(x -> x / 4.0).toArray());
        List<Indexed> items =
            IntStream.range(0, a.length).mapToObj(i -> new Indexed(a[i] % 50, i)).toList();
        Comparator<Indexed> order = (x, y) -> Long.compare(x.key, y.key);
        assertThat(Parallel.<Indexed>iter(items).least(count, order))
            .isEqualTo(items.stream().sorted(order).limit(count).toList());
        assertThat(Parallel.<Indexed>iter(items).greatest(count, order))
            .isEqualTo(items.stream().sorted(order.reversed()).limit(count).toList());
      }
    });
    double[] odd = {0.0, -0.0, Double.NaN, 1};
    assertThat(Parallel.iter(odd).least(4)).containsExactly(-0.0, 0.0, 1, Double.NaN);
    assertThatThrownBy(() -> Parallel.iter(odd).least(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private record Indexed(long key, int index) implements Comparable<Indexed> {
    @Override
    public int compareTo(Indexed other) {
      return Long.compare(key, other.key);
    }
  }

  @Test
  void rangesOfArrays_areTheirElements() {
    forEachSize(a -> {
      int n = a.length;
      int[] ints = LongStream.of(a).mapToInt(x -> (int) x).toArray();
      double[] doubles = LongStream.of(a).asDoubleStream().toArray();
      Long[] objects = LongStream.of(a).boxed().toArray(Long[]::new);
      for (int[] range : new int[][] {{0, n}, {n / 3, n - n / 5}, {n, n}, {n / 2, n / 2 + n % 2}}) {
        int from = range[0];
        int to = range[1];
        LongIter iter = Parallel.iter(a, from, to);
        assertThat(iter.toArray()).isEqualTo(Arrays.copyOfRange(a, from, to));
        assertThat(iter.sum()).isEqualTo(Arrays.stream(a, from, to).sum());
        assertThat(iter.min()).isEqualTo(Arrays.stream(a, from, to).min());
        assertThat(iter.reversed().filter(x -> x > 7).findLast())
            .isEqualTo(Arrays.stream(a, from, to).filter(x -> x > 7).findFirst());
        assertThat(Parallel.iter(ints, from, to).map(x -> x + 1).sum())
            .isEqualTo(Arrays.stream(ints, from, to).mapToLong(x -> x + 1).sum());
        assertThat(Parallel.iter(ints, from, to).sum())
            .isEqualTo(Arrays.stream(ints, from, to).asLongStream().sum());
        assertThat(Parallel.iter(doubles, from, to).sum())
            .isEqualTo(Arrays.stream(doubles, from, to).sum());
        assertThat(Parallel.iter(doubles, from, to).sorted().toArray())
            .isEqualTo(Arrays.stream(doubles, from, to).sorted().toArray());
        assertThat(Parallel.iter(objects, from, to).map(x -> -x).toList())
            .isEqualTo(Arrays.stream(objects, from, to).map(x -> -x).toList());
      }
      long[] moved = a.clone();
      assertThat(Parallel.iter(moved, n / 3, n).into(moved)).isEqualTo(n - n / 3);
      assertThat(Arrays.copyOf(moved, n - n / 3)).isEqualTo(Arrays.copyOfRange(a, n / 3, n));
    });
    for (int[] range : new int[][] {{-1, 2}, {0, 4}, {2, 1}, {4, 4}}) {
      for (ThrowingCallable iter :
          List.<ThrowingCallable>of(
              () -> Parallel.iter(new int[3], range[0], range[1]),
              () -> Parallel.iter(new long[3], range[0], range[1]),
              () -> Parallel.iter(new double[3], range[0], range[1]),
              () -> Parallel.iter(new String[3], range[0], range[1]))) {
        assertThatThrownBy(iter).isInstanceOf(IndexOutOfBoundsException.class);
      }
    }
  }

  @Test
  void closedRanges_includeTheirLast() {
    int max = Integer.MAX_VALUE;
    assertThat(Parallel.rangeClosed(1, 3).toArray()).containsExactly(1, 2, 3);
    assertThat(Parallel.rangeClosed(3, 3).toArray()).containsExactly(3);
    assertThat(Parallel.rangeClosed(3, 2).toArray()).isEmpty();
    assertThat(Parallel.rangeClosed(max, Integer.MIN_VALUE).count()).isZero();
    assertThat(Parallel.rangeClosed(max - 1, max).toArray()).containsExactly(max - 1, max);
    assertThat(Parallel.rangeClosed(Integer.MIN_VALUE, max).count()).isEqualTo(1L << 32);
    assertThat(Parallel.rangeClosed(Integer.MIN_VALUE, max).reversed().findFirst()).hasValue(max);
    // Interpreted, then by a loop of its own.
    for (int size : new int[] {5_000, 500_000, 500_000}) {
      assertThat(Parallel.rangeClosed(max - size, max).map(x -> x ^ 1).toArray())
          .isEqualTo(IntStream.rangeClosed(max - size, max).map(x -> x ^ 1).toArray());
      assertThat(
              Parallel.rangeLongClosed(Long.MAX_VALUE - size, Long.MAX_VALUE)
                  .map(x -> x ^ 1)
                  .toArray())
          .isEqualTo(
              LongStream.rangeClosed(Long.MAX_VALUE - size, Long.MAX_VALUE)
                  .map(x -> x ^ 1)
                  .toArray());
    }
    assertThat(Parallel.rangeLongClosed(-1, 1).toArray()).containsExactly(-1, 0, 1);
    assertThat(Parallel.rangeLongClosed(1, 0).count()).isZero();
    assertThat(Parallel.rangeLongClosed(Long.MAX_VALUE, Long.MIN_VALUE).count()).isZero();
    assertThat(Parallel.rangeLongClosed(1, Long.MAX_VALUE).count()).isEqualTo(Long.MAX_VALUE);
    for (long from : new long[] {0, -1, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> Parallel.rangeLongClosed(from, Long.MAX_VALUE))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void naturalOrder_isThatOfTheElements() {
    forEachSize(a -> {
      List<Indexed> items =
          IntStream.range(0, a.length).mapToObj(i -> new Indexed(a[i] % 50, i)).toList();
      Iter<Indexed> iter = Parallel.iter(items);
      Comparator<Indexed> order = Comparator.naturalOrder();
      // Equal ones are told apart by index.
      assertThat(iter.sorted().toArray()).isEqualTo(items.stream().sorted().toArray());
      assertThat(iter.toArray()).isEqualTo(items.toArray());
      assertThat(iter.min()).isEqualTo(items.stream().sorted().findFirst());
      assertThat(iter.max()).isEqualTo(items.stream().sorted(order.reversed()).findFirst());
      for (int count : new int[] {0, 1, 100, 3000}) {
        assertThat(iter.least(count)).isEqualTo(items.stream().sorted().limit(count).toList());
        assertThat(iter.greatest(count))
            .isEqualTo(items.stream().sorted(order.reversed()).limit(count).toList());
      }
    });
    Iter<Object> without = Parallel.iter(new Object[] {new Object(), new Object()});
    for (ThrowingCallable end :
        List.<ThrowingCallable>of(
            without::min, without::max, () -> without.least(1), () -> without.sorted().toList())) {
      assertThatThrownBy(end).isInstanceOf(ClassCastException.class);
    }
    Iter<String> withNull = Parallel.iter(Arrays.asList("a", null));
    for (ThrowingCallable end :
        List.<ThrowingCallable>of(
            withNull::min, withNull::max, withNull.sorted()::toList, withNull::findLast)) {
      assertThatThrownBy(end).isInstanceOf(NullPointerException.class);
    }
  }

  /** The array of an end is nobody else's. */
  @Test
  void toArray_isNew() {
    String[] source = {"b", "a"};
    Iter<String> iter = Parallel.iter(source);
    Object[] all = iter.toArray();
    assertThat(all).containsExactly("b", "a").isNotSameAs(source);
    assertThat(all.getClass()).isEqualTo(Object[].class);
    for (Iter<String> deferred :
        List.of(iter.dropWhile(x -> false), iter.takeWhile(x -> true), iter.sorted())) {
      Arrays.fill(deferred.toArray(), null);
      assertThat(deferred.toList()).containsExactlyInAnyOrder("b", "a");
    }
    long[] longs = {1, 2};
    assertThat(Parallel.iter(longs).dropWhile(x -> false).toArray()).isNotSameAs(longs);
    assertThat(source).containsExactly("b", "a");
  }

  @Test
  void dropWhile_asStreamsDo() {
    forEachSize(a -> {
      for (long end : new long[] {-2000, 0, 990, 2000}) {
        LongIter iter = Parallel.iter(a);
        assertThat(iter.dropWhile(x -> x < end).toArray())
            .isEqualTo(LongStream.of(a).dropWhile(x -> x < end).toArray());
        assertThat(iter.filter(x -> x % 2 == 0).dropWhile(x -> x < end).limit(9).toArray())
            .isEqualTo(
                LongStream.of(a)
                    .filter(x -> x % 2 == 0)
                    .dropWhile(x -> x < end)
                    .limit(9)
                    .toArray());
        assertThat(iter.mapToInt(x -> (int) x).dropWhile(x -> x < end).count())
            .isEqualTo(LongStream.of(a).dropWhile(x -> x < end).count());
        assertThat(
                iter.mapToDouble(x -> x)
                    .chain(iter.mapToDouble(x -> x))
                    .dropWhile(x -> x < end)
                    .sum())
            .isEqualTo(
                DoubleStream.concat(
                        LongStream.of(a).asDoubleStream(), LongStream.of(a).asDoubleStream())
                    .dropWhile(x -> x < end)
                    .sum());
        assertThat(iter.boxed().dropWhile(x -> x < end).toList())
            .isEqualTo(LongStream.of(a).boxed().dropWhile(x -> x < end).toList());
      }
    });
    assertThat(Parallel.rangeLong(0, 1L << 50).dropWhile(x -> x < 100_000).findFirst())
        .hasValue(100_000);
  }

  @Test
  void streamsOfNumbers_areSources() {
    assertThat(IntIter.from(IntStream.range(0, 5)).map(x -> x * x).sum()).isEqualTo(30);
    assertThat(LongIter.from(LongStream.of(3, 4)).toArray()).containsExactly(3, 4);
    assertThat(DoubleIter.from(DoubleStream.of(0.5, 1)).sum()).isEqualTo(1.5);
    assertThat(IntIter.from(IntStream.empty()).max()).isEmpty();
  }

  @Test
  void histogram_counts() {
    forEachSize(a -> {
      long[] counts = new long[2000];
      for (long x : a) {
        counts[(int) x + 1000]++;
      }
      assertThat(Parallel.iter(a).mapToInt(x -> (int) x + 1000).histogram(2000)).isEqualTo(counts);
    });
    assertThatThrownBy(() -> Parallel.range(0, 5).histogram(4))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> Parallel.range(0, 5).histogram(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void sorted_runsOnThePoolThatIsGiven() {
    try (var pool = Pool.of(2)) {
      var strangers = new LongAdder();
      Parallel.range(0, 20_000)
          .mapToObj(i -> i ^ 0x1234)
          .on(pool)
          .sorted((x, y) -> {
            if (pool.currentIndex() < 0) {
              strangers.increment();
            }
            return Integer.compare(x, y);
          })
          .count();
      assertThat(strangers.sum()).isZero();
    }
  }

  /** What of the user's is called between loops, too. */
  @Test
  void functionsBetweenLoops_runOnThePoolThatIsGiven() {
    try (var pool = Pool.of(2)) {
      Set<String> strangers = ConcurrentHashMap.newKeySet();
      IntIter iter = Parallel.range(0, 20_000).on(pool);
      LongIter longs = iter.mapToLong(x -> x);
      DoubleIter doubles = iter.mapToDouble(x -> x);
      Consumer<String> here =
          what -> {
            if (pool.currentIndex() < 0) {
              strangers.add(what);
            }
          };
      iter.takeWhile(x -> seen(here, "takeWhile", true)).count();
      iter.scan((x, y) -> seen(here, "scan of ints", x + y)).count();
      longs.scan((x, y) -> seen(here, "scan of longs", x + y)).count();
      doubles.scan((x, y) -> seen(here, "scan of doubles", x + y)).count();
      iter.reduce(0, (x, y) -> seen(here, "reduce of ints", x + y));
      longs.reduce(0, (x, y) -> seen(here, "reduce of longs", x + y));
      doubles.reduce(0, (x, y) -> seen(here, "reduce of doubles", x + y));
      iter.boxed().reduce(0, (x, y) -> seen(here, "reduce", x + y));
      iter.chain(iter).reduce((x, y) -> seen(here, "reduce of a chain", x + y));
      doubles.collect(ArrayList::new, ArrayList::add, (x, y) -> seen(here, "collect", x.addAll(y)));
      for (int size : new int[] {0, 20_000}) {
        iter.limit(size)
            .boxed()
            .collect(
                Collector.of(
                    () -> seen(here, "supplier", new ArrayList<>()),
                    (x, y) -> seen(here, "accumulator", x.add(y)),
                    (x, y) -> seen(here, "combiner", x),
                    x -> seen(here, "finisher", x)));
      }
      assertThat(strangers).isEmpty();
    }
  }

  private static <T> T seen(Consumer<String> here, String what, T result) {
    here.accept(what);
    return result;
  }

  @Test
  void collect_makesFewContainers() {
    var containers = new LongAdder();
    try (var pool = Pool.of(1)) {
      List<Integer> all =
          Parallel.range(0, 1_000_000)
              .on(pool)
              .boxed()
              .collect(
                  () -> {
                    containers.increment();
                    return new ArrayList<>();
                  },
                  List::add,
                  List::addAll);
      assertThat(all).hasSize(1_000_000);
      assertThat(all.get(777_777)).isEqualTo(777_777);
    }
    assertThat(containers.sum()).isLessThan(10);
  }

  /** As streams do. */
  @Test
  void nulls_areElements() {
    List<String> list = Arrays.asList("a", null, "b", null);
    Iter<String> iter = Parallel.iter(list);
    assertThat(iter.toList()).isEqualTo(list);
    assertThat(iter.toArray(String[]::new)).containsExactly("a", null, "b", null);
    assertThat(iter.partition(x -> x == null).passing()).hasSize(2).containsOnlyNulls();
    assertThat(iter.distinct().toList()).containsExactly("a", null, "b");
    assertThatThrownBy(() -> iter.toList().set(0, "c"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void collectors_ofTheJdk_areAccepted() {
    List<Integer> list = IntStream.range(0, 30_000).boxed().toList();
    for (int workers : new int[] {1, 3}) {
      try (var pool = Pool.of(workers)) {
        Iter<Integer> iter = Parallel.<Integer>iter(list).on(pool);
        assertThat(iter.collect(Collectors.toUnmodifiableList())).isEqualTo(list);
        // Concurrent and unordered ones combine as any other does.
        assertThat(iter.collect(Collectors.groupingByConcurrent(x -> x % 5, Collectors.counting())))
            .containsEntry(3, 6_000L)
            .hasSize(5);
        assertThat(iter.collect(Collectors.toConcurrentMap(x -> x, x -> -x))).hasSize(30_000);
        assertThat(iter.collect(Collectors.toSet())).hasSize(30_000);
        long mean =
            iter.collect(
                Collectors.teeing(
                    Collectors.summingLong(x -> x), Collectors.counting(), (sum, n) -> sum / n));
        assertThat(mean).isEqualTo(14_999);
        // Where keys meet, the source's order decides.
        assertThat(iter.collect(Collectors.toMap(x -> x % 2, x -> x, (first, second) -> first)))
            .containsEntry(0, 0)
            .containsEntry(1, 1);
      }
    }
  }

  @Test
  void interrupt_endsAlsoTheShortest() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Parallel.iter(new long[] {1, 2}).sum())
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void into_itsOwnSource_isAMapInPlace() {
    long[] a = LongStream.range(0, 5000).toArray();
    Parallel.iter(a).map(x -> x * 2).into(a);
    assertThat(a).isEqualTo(LongStream.range(0, 5000).map(x -> x * 2).toArray());
    assertThatThrownBy(() -> Parallel.iter(a).into(new long[10]))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  /** Written to one place, read at another: all of it is read first. */
  @Test
  void into_itsOwnSource_movedAbout_yieldsWhatToArrayDoes() {
    int n = 100_000;
    try (var pool = Pool.of(3)) {
      List<UnaryOperator<LongIter>> moves =
          List.of(
              LongIter::reversed, i -> i.skip(1), i -> i.stepBy(2), i -> i.skip(3).map(x -> -x));
      for (UnaryOperator<LongIter> move : moves) {
        long[] a = LongStream.range(0, n).toArray();
        LongIter moved = move.apply(Parallel.iter(a).on(pool));
        long[] expected = moved.toArray();
        assertThat(moved.into(a)).isEqualTo(expected.length);
        assertThat(Arrays.copyOf(a, expected.length)).isEqualTo(expected);
      }
      int[] totals = IntStream.range(0, n).toArray();
      Parallel.iter(totals.clone()).on(pool).reversed().zip(totals, (x, y) -> x - y).into(totals);
      assertThat(totals).isEqualTo(IntStream.range(0, n).map(i -> n - 1 - 2 * i).toArray());
      int[] ends = IntStream.range(0, n).toArray();
      Parallel.iter(ends).on(pool).zip(ends, (x, y) -> x).reversed().into(ends);
      assertThat(ends).isEqualTo(IntStream.range(0, n).map(i -> n - 1 - i).toArray());
    }
  }

  /** The same where an array is read by parts, or through a view. */
  @Test
  void into_whatItReadsByPartsOrThroughAView_yieldsWhatToArrayDoes() {
    int n = 50_000;
    try (var pool = Pool.of(3)) {
      List<Function<LongIter, LongIter>> parts =
          List.of(
              i -> i.windows(2).mapToLong(LongIter::sum),
              i -> i.reversed().windows(2).mapToLong(LongIter::sum),
              i -> i.chunks(3).mapToLong(LongIter::sum).reversed(),
              i -> i.chunks(2).windows(2).mapToLong(w -> w.mapToLong(LongIter::sum).sum()));
      for (Function<LongIter, LongIter> part : parts) {
        long[] a = LongStream.range(0, n).toArray();
        LongIter sums = part.apply(Parallel.iter(a).on(pool)).on(pool);
        long[] expected = sums.toArray();
        assertThat(sums.into(a)).isEqualTo(expected.length);
        assertThat(Arrays.copyOf(a, expected.length)).isEqualTo(expected);
      }
      Integer[] a = IntStream.range(0, n).boxed().toArray(Integer[]::new);
      Parallel.iter(Arrays.asList(a)).on(pool).reversed().into(a);
      assertThat(a).isEqualTo(IntStream.range(0, n).mapToObj(i -> n - 1 - i).toArray());
      Integer[] b = IntStream.range(0, n).boxed().toArray(Integer[]::new);
      Parallel.iter(Arrays.asList(b).subList(1, n)).on(pool).into(b);
      assertThat(b).startsWith(1, 2, 3).endsWith(n - 2, n - 1, n - 1).isSorted();
      Integer[] c = IntStream.range(0, n).boxed().toArray(Integer[]::new);
      Parallel.iter(c.clone()).on(pool).zip(Arrays.asList(c).reversed(), (x, y) -> y).into(c);
      assertThat(c).isEqualTo(IntStream.range(0, n).mapToObj(i -> n - 1 - i).toArray());
    }
  }

  /** Nothing came although an element did: what is flattened has a cell in common with the rest. */
  @Test
  void flatMap_thatYieldsNothingAtFirst_isNoElement() {
    for (long size : new long[] {1, 10, 5_000}) {
      LongIter none = Parallel.rangeLong(0, size).flatMap(x -> Parallel.rangeLong(0, 0));
      assertThat(none.min()).isEmpty();
      assertThat(none.max()).isEmpty();
      assertThat(none.reduce(Long::sum)).isEmpty();
      assertThat(none.minBy(x -> x)).isEmpty();
      assertThat(none.findFirst()).isEmpty();
      assertThat(none.findAny()).isEmpty();
      assertThat(none.anyMatch(x -> true)).isFalse();
      assertThat(none.allMatch(x -> false)).isTrue();
      LongIter some =
          Parallel.rangeLong(0, size).flatMap(x -> Parallel.rangeLong(5, x == 0 ? 5 : 6));
      assertThat(some.findFirst().orElse(5)).isEqualTo(5);
      assertThat(some.min().orElse(5)).isEqualTo(5);
      assertThat(some.map(x -> -x).max().orElse(-5)).isEqualTo(-5);
      assertThat(some.boxed().reduce((x, y) -> x).orElse(5L)).isEqualTo(5);
      assertThat(some.boxed().findFirst().orElse(5L)).isEqualTo(5);
    }
  }

  @Test
  void chain_ofVeryMany_needsNoMoreStack() {
    LongIter first = Parallel.rangeLong(0, 0);
    LongIter last = first;
    for (int i = 0; i < 20_000; i++) {
      LongIter one = Parallel.rangeLong(i, i + 1);
      first = first.chain(one);
      last = one.chain(last);
    }
    assertThat(first.sum()).isEqualTo(199_990_000);
    assertThat(last.limit(2).toArray()).containsExactly(19_999, 19_998);
    assertThat(first.flatMap(x -> Parallel.rangeLong(0, 2)).count()).isEqualTo(40_000);
  }

  @Test
  void limit_thatIsReached_makesNothingOfTheNextPart() {
    var asked = new LongAdder();
    var next =
        Parallel.iter(List.of(3, 1, 2))
            .filter(x -> true)
            .sorted((x, y) -> {
              asked.increment();
              return x.compareTo(y);
            });
    var chained = Parallel.iter(List.of(9, 8, 7)).filter(x -> true).chain(next);
    assertThat(chained.limit(2).toList()).containsExactly(9, 8);
    assertThat(chained.takeWhile(x -> x > 8).toList()).containsExactly(9);
    assertThat(asked.sum()).as("comparisons").isZero();
    assertThat(chained.limit(4).toList()).containsExactly(9, 8, 7, 1);
  }

  @Test
  void pipeline_canBeUsedAgain_andRunsNothingBeforeItsEnd() {
    var calls = new LongAdder();
    var pipeline =
        Parallel.range(0, 100)
            .map(i -> {
              calls.increment();
              return i;
            });
    assertThat(calls.sum()).isZero();
    assertThat(pipeline.count()).isEqualTo(100);
    assertThat(calls.sum()).isZero();
    assertThat(pipeline.sum()).isEqualTo(4950);
    assertThat(pipeline.sum()).isEqualTo(4950);
    assertThat(calls.sum()).isEqualTo(200);
  }

  @Test
  void earlyExit_leavesTheRest() {
    var calls = new AtomicLong();
    long n = 100_000_000_000L;
    assertThat(
            Parallel.rangeLong(0, n)
                .anyMatch(i -> {
                  calls.incrementAndGet();
                  return i >= 10;
                }))
        .isTrue();
    assertThat(Parallel.rangeLong(0, n).filter(i -> i % 1000 == 999).limit(3).toArray())
        .containsExactly(999, 1999, 2999);
    assertThat(Parallel.rangeLong(5, n).takeWhile(i -> i < 100).count()).isEqualTo(95);
    assertThat(Parallel.rangeLong(0, n).position(i -> i == 70_000)).isEqualTo(70_000);
    assertThat(calls.get()).isLessThan(10_000_000);
  }

  @Test
  void failure_stopsTheOthers_andIsThrown() {
    for (int workers : new int[] {1, 2, 5}) {
      try (var pool = Pool.of(workers)) {
        var calls = new AtomicLong();
        assertThatThrownBy(() ->
                Parallel.rangeLong(0, 1L << 50)
                    .on(pool)
                    .map(i -> {
                      if (calls.incrementAndGet() == 100_000) {
                        throw new IllegalStateException("in the middle");
                      }
                      return i;
                    })
                    .sum())
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("in the middle");
        assertThat(pool.call(() -> 1)).isEqualTo(1);
      }
    }
  }

  @Test
  void tryForEach_andTryReduce_throwWhatTheyDeclare() {
    var list = IntStream.range(0, 10_000).boxed().toList();
    assertThatThrownBy(() ->
            Parallel.<Integer>iter(list)
                .tryForEach(x -> {
                  if (x == 5000) {
                    throw new IOException("no");
                  }
                }))
        .isInstanceOf(IOException.class)
        .hasMessage("no");
    assertThatThrownBy(() ->
            Parallel.<Integer>iter(list)
                .<IOException>tryReduce((x, y) -> {
                  throw new IOException("never");
                }))
        .isInstanceOf(IOException.class);
  }

  @Test
  void token_stopsAPipeline() {
    var token = CancelToken.create();
    var calls = new AtomicLong();
    assertThatThrownBy(() ->
            Parallel.rangeLong(0, 1L << 50)
                .with(LoopOptions.DEFAULT.withToken(token))
                .forEach(i -> {
                  if (calls.incrementAndGet() == 50_000) {
                    token.cancel();
                  }
                }))
        .isInstanceOf(CancellationException.class);
  }

  /** What stops a pipeline stops its parts, within one of them. */
  @Test
  void token_stopsWithinAPart() {
    int half = 1 << 26;
    LongIter all = Parallel.rangeLong(0, 2L * half);
    for (Function<LongIter, Iter<LongIter>> parts :
        List.<Function<LongIter, Iter<LongIter>>>of(
            i -> i.chunks(half),
            i -> i.windows(half).limit(2),
            i -> i.chunks(half).limit(1).flatMap(c -> c.chunks(half / 2)))) {
      for (boolean before : new boolean[] {true, false}) {
        var token = CancelToken.create();
        var options = LoopOptions.DEFAULT.withToken(token);
        var calls = new AtomicLong();
        Iter<LongIter> cut =
            before ? parts.apply(all.with(options)) : parts.apply(all).with(options);
        assertThatThrownBy(() ->
                cut.forEach(part ->
                    part.forEach(x -> {
                      if (calls.incrementAndGet() == 50_000) {
                        token.cancel();
                      }
                    })))
            .isInstanceOf(CancellationException.class);
        assertThat(calls.get()).isLessThan(half / 4);
      }
    }
  }

  @Test
  void parts_runOnThePoolThatIsGiven_alsoElsewhere() {
    try (var pool = Pool.of(2)) {
      IntIter part = Parallel.range(0, 10_000).on(pool).chunks(5_000).findLast().orElseThrow();
      assertThat(part.map(i -> pool.currentIndex()).min().orElse(-1)).isNotNegative();
      int[] few = IntStream.range(0, 500).toArray();
      IntIter ofFew = Parallel.iter(few).on(pool).windows(300).findFirst().orElseThrow();
      assertThat(ofFew.sum()).isEqualTo(44_850);
      assertThat(ofFew.map(i -> pool.currentIndex()).min().orElse(-1)).isNotNegative();
    }
  }

  /** An array of few, but what stops it has stopped it. */
  @Test
  void token_stopsAlsoWhatIsShort() {
    var token = CancelToken.create();
    var options = LoopOptions.DEFAULT.withToken(token);
    long[] few = {1, 2, 3};
    assertThat(Parallel.iter(few).with(options).sum()).isEqualTo(6);
    assertThat(Parallel.iter(few).mapToDouble(x -> x).with(options).sum()).isEqualTo(6);
    token.cancel();
    assertThatThrownBy(() -> Parallel.iter(few).with(options).sum())
        .isInstanceOf(CancellationException.class);
    assertThatThrownBy(() -> Parallel.iter(new int[3]).with(options).sum())
        .isInstanceOf(CancellationException.class);
    assertThatThrownBy(() -> Parallel.iter(new double[3]).with(options).sum())
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void interrupt_stopsAPipeline() {
    Thread caller = Thread.currentThread();
    var calls = new AtomicLong();
    assertThatThrownBy(() ->
            Parallel.rangeLong(0, 1L << 50)
                .forEach(i -> {
                  if (calls.incrementAndGet() == 50_000) {
                    caller.interrupt();
                  }
                }))
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void pool_thatIsGiven_isUsed() {
    try (var pool = Pool.of(2)) {
      assertThat(Parallel.range(0, 10_000).on(pool).map(i -> pool.currentIndex()).min().orElse(-1))
          .isNotNegative();
    }
  }

  /** Elements that cost a lot, so that others would take some if they might. */
  private static Set<Thread> threadsOf(IntIter iter) {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    iter.forEach(i -> {
      threads.add(Thread.currentThread());
      LockSupport.parkNanos(100_000);
    });
    return threads;
  }

  @Test
  void grain_ofTheWholeSource_keepsItOnOneThread() {
    try (var pool = Pool.of(4)) {
      IntIter iter = Parallel.range(0, 60).on(pool);
      assertThat(threadsOf(iter.with(LoopOptions.DEFAULT.withGrain(60)))).hasSize(1);
    }
  }

  private static Set<String> classesBelow() {
    return StackWalker.getInstance(
            Set.of(
                StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_HIDDEN_FRAMES))
        .walk(frames ->
            frames
                .map(StackWalker.StackFrame::getDeclaringClass)
                .filter(type -> type.getPackageName().equals("dev.blitz.parallel.internal.spin"))
                .limit(1)
                .map(type -> type.isHidden() ? "spun" : type.getSimpleName())
                .collect(Collectors.toSet()));
  }

  @Test
  void pipeline_afterManyElements_hasALoopOfItsOwn() {
    Set<String> callers = ConcurrentHashMap.newKeySet();
    LongUnaryOperator function =
        x -> {
          if (x < 0) {
            callers.addAll(classesBelow());
          }
          return x + 1;
        };
    long[] few = {-1, -2, -3};
    assertThat(Parallel.iter(few).map(function).sum()).isEqualTo(-3);
    assertThat(callers).containsExactly("Interpreter");
    assertThat(Parallel.iter(new long[300_000]).map(function).sum()).isEqualTo(300_000);
    callers.clear();
    assertThat(Parallel.iter(few).map(function).sum()).isEqualTo(-3);
    assertThat(callers).containsExactly("spun");
  }

  /** What each of them allocates per element, whatever runs it: nothing. */
  private static void assertNothingIsBoxed(int size) {
    int[] ints = IntStream.range(1_000, 1_000 + size).toArray();
    long[] longs = IntStream.of(ints).asLongStream().toArray();
    double[] doubles = IntStream.of(ints).asDoubleStream().toArray();
    List<Runnable> pipelines =
        List.of(
            () -> Parallel.iter(ints).map(x -> x + 1).filter(x -> x > 3).sum(),
            () -> Parallel.iter(ints).minBy(x -> x ^ 77L),
            () -> Parallel.iter(ints).reduce((x, y) -> x ^ y),
            () -> Parallel.iter(ints).mapToLong(x -> x * 5L).max(),
            () -> Parallel.range(0, size).anyMatch(x -> x < 0),
            () -> Parallel.iter(longs).map(x -> x + 1).filter(x -> x > 3).sum(),
            () -> Parallel.iter(longs).zip(longs, (x, y) -> x * y).min(),
            () -> Parallel.iter(longs).filter(x -> x < 0).findFirst(),
            () -> Parallel.iter(longs).forEach(x -> longs[0] = x),
            () -> Parallel.iter(longs).collect(() -> longs, (c, x) -> c[0] = x, (c, d) -> {}),
            () -> Parallel.iter(doubles).map(x -> x + 1).filter(x -> x > 3).sum(),
            () -> Parallel.iter(doubles).mapToInt(x -> (int) x).count(),
            () -> Parallel.iter(doubles).maxBy(x -> -x),
            () -> Parallel.iter(doubles).position(x -> x < 0),
            () -> Parallel.rangeLong(0, size).mapToDouble(x -> x / 2.0).max());
    for (int i = 0; i < pipelines.size(); i++) {
      assertThat(Memory.allocatedByEach(pipelines.get(i)))
          .as("bytes of pipeline %d over %d elements", i, size)
          .isLessThan(12L * size); // chunks of doubles are interpreted by way of an array
    }
  }

  @Test
  void primitives_areNotBoxed() {
    try (var pool = Pool.of(1)) {
      pool.run(() -> {
        // Interpreted all the time, then spun.
        assertNothingIsBoxed(5_000);
        assertNothingIsBoxed(300_000);
      });
    }
  }

  @Test
  void nestedUse_insideALeaf_works() {
    assertThat(Parallel.range(0, 300).mapToLong(i -> Parallel.range(0, i * 10).sum()).sum())
        .isEqualTo(
            IntStream.range(0, 300).mapToLong(i -> LongStream.range(0, i * 10L).sum()).sum());
  }

  @Test
  void sourceThatShrinks_failsClearly() {
    var list = new ArrayList<>(IntStream.range(0, 5000).boxed().toList());
    Iter<Integer> iter = Parallel.iter(list);
    list.subList(10, 5000).clear();
    assertThatThrownBy(() -> iter.mapToLong(x -> x).sum())
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void sourceThatIsClearedMeanwhile_failsClearly_andThePoolGoesOn() {
    try (var pool = Pool.of(2)) {
      var list = new ArrayList<>(IntStream.range(0, 100_000).boxed().toList());
      var calls = new AtomicLong();
      assertThatThrownBy(() ->
              Parallel.<Integer>iter(list)
                  .on(pool)
                  .forEach(x -> {
                    if (calls.incrementAndGet() == 1_000) {
                      list.clear();
                    }
                  }))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(pool.call(() -> Parallel.range(0, 1_000).sum())).isEqualTo(499_500);
    }
  }

  @Test
  void badInput_isRefused() {
    List<ThrowingCallable> nulls =
        List.of(
            () -> Parallel.iter((int[]) null),
            () -> Parallel.iter((long[]) null),
            () -> Parallel.iter((double[]) null),
            () -> Parallel.iter((String[]) null),
            () -> Parallel.iter((List<String>) null),
            () -> Iter.from((Stream<String>) null),
            () -> IntIter.from(null),
            () -> LongIter.from(null),
            () -> DoubleIter.from(null),
            () -> Parallel.iter((long[]) null, 0, 0),
            () -> Parallel.iter((String[]) null, 0, 0),
            () -> Parallel.iter(new double[1]).dropWhile(null),
            () -> Iter.from((Spliterator<String>) null),
            () -> Parallel.iter(new long[1]).minBy(null),
            () -> Parallel.iter(new long[1]).scan(null),
            () -> Parallel.iter(new long[1]).zip(null, Long::sum),
            () -> Parallel.iter(new long[1]).zip(new long[1], null),
            () -> Parallel.iter(new long[1]).into(null),
            () -> Parallel.iter(new long[1]).with(null),
            () -> Parallel.iter(new long[1]).chain(null),
            () -> Parallel.iter(new double[1]).anyMatch(null),
            () -> Parallel.iter(new double[1]).takeWhile(null),
            () -> Parallel.iter(new double[1]).position(null),
            () -> Parallel.iter(new double[1]).flatMap(null),
            () -> Parallel.iter(new String[1]).sorted(null),
            () -> Parallel.iter(new String[1]).min(null),
            () -> Parallel.iter(new String[1]).collect(null),
            () -> Parallel.iter(new String[1]).partition(null),
            () -> Parallel.iter(new String[1]).toArray(null),
            () -> Parallel.iter(new String[1]).tryForEach(null),
            () -> Parallel.iter(new String[1]).least(1, null));
    for (int i = 0; i < nulls.size(); i++) {
      assertThatThrownBy(nulls.get(i)).as("%d", i).isInstanceOf(NullPointerException.class);
    }
    var iter = Parallel.range(0, 10);
    assertThatThrownBy(() -> iter.windows(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> iter.greatest(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> iter.map(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> iter.filter(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> iter.forEach(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> iter.reduce(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> iter.on(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> iter.skip(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> iter.limit(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> iter.stepBy(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> iter.chunks(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Parallel.rangeLong(Long.MIN_VALUE, Long.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Parallel.range(5, 5).sum()).isZero();
    assertThat(Parallel.range(5, -5).count()).isZero();
    assertThat(Parallel.range(Integer.MIN_VALUE, Integer.MAX_VALUE).count())
        .isEqualTo((1L << 32) - 1);
    for (long to : new long[] {1L << 43, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> Parallel.rangeLong(0, to).mapToDouble(x -> x).sum())
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessageContaining("an array cannot hold");
    }
    assertThatThrownBy(() -> Parallel.range(0, 10).flatMap(i -> null).sum())
        .isInstanceOf(NullPointerException.class);
  }
}
