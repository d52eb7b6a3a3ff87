package dev.blitz.parallel.iter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.parallel.CancelToken;
import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.Pool;
import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
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
      for (int count : new int[] {0, 1, 5, 100, 3000, 70_000}) {
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

  private record Indexed(long key, int index) {}

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
  void badInput_isRefused() {
    assertThatThrownBy(() -> Parallel.iter((long[]) null)).isInstanceOf(NullPointerException.class);
    var iter = Parallel.range(0, 10);
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
    assertThatThrownBy(() -> Parallel.range(0, 10).flatMap(i -> null).sum())
        .isInstanceOf(NullPointerException.class);
  }
}
