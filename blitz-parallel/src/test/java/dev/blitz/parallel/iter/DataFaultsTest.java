package dev.blitz.parallel.iter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.parallel.CancelToken;
import dev.blitz.parallel.EndOfStack;
import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.Pool;
import dev.blitz.parallel.array.SortedArrays;
import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pipelines and sorts under what nobody should do to them. */
@Strict
@LeakChecked(ignoreThreads = "blitz-parallel-\\d+")
class DataFaultsTest {
  private static final long HUGE = 1L << 50;

  /** Each element yields years of work: a look between elements comes too late. */
  @Test
  void token_stopsWithinTheElementsOfOne() {
    var token = CancelToken.create();
    var calls = new AtomicLong();
    assertThatThrownBy(() ->
            Parallel.rangeLong(0, 3)
                .with(LoopOptions.DEFAULT.withToken(token))
                .flatMap(i -> Parallel.rangeLong(0, 4).flatMap(j -> Parallel.rangeLong(0, HUGE)))
                .forEach(x -> {
                  if (calls.incrementAndGet() == 50_000) {
                    token.cancel();
                  }
                }))
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void hit_endsWhatOthersFlatten() {
    try (var pool = Pool.of(2)) {
      assertThat(
              Parallel.rangeLong(0, 64)
                  .on(pool)
                  .flatMap(i -> Parallel.rangeLong(0, i == 63 ? 1 : HUGE).map(x -> x + i))
                  .anyMatch(x -> x == 63))
          .isTrue();
    }
  }

  @Test
  void failure_endsWhatOthersFlatten() {
    try (var pool = Pool.of(2)) {
      var calls = new AtomicLong();
      assertThatThrownBy(() ->
              Parallel.rangeLong(0, 64)
                  .on(pool)
                  .flatMap(i -> Parallel.rangeLong(0, HUGE))
                  .forEach(x -> {
                    if (calls.incrementAndGet() == 100_000) {
                      throw new IllegalStateException("in the middle");
                    }
                  }))
          .hasMessage("in the middle");
      assertThat(pool.call(() -> 1)).isEqualTo(1);
    }
  }

  @Test
  void chunksAndWindows_ofTheLongestRange_areCounted() {
    var all = Parallel.rangeLong(0, Long.MAX_VALUE);
    assertThat(all.chunks(2).count()).isEqualTo(1L << 62);
    assertThat(all.windows(2).count()).isEqualTo(Long.MAX_VALUE - 1);
    assertThat(all.chunks(1000).reversed().limit(1).mapToLong(LongIter::count).sum())
        .isEqualTo(Long.MAX_VALUE % 1000);
  }

  @Test
  void nullContainersAndCombinations_areRefused() {
    var list = new ArrayList<>(Parallel.range(0, 50_000).boxed().toList());
    assertThatThrownBy(() ->
            Parallel.<Integer>iter(list)
                .collect(() -> (List<Integer>) null, (l, x) -> {}, (l, m) -> {}))
        .isInstanceOf(NullPointerException.class);
    try (var pool = Pool.of(2)) {
      Collector<Integer, List<Integer>, List<Integer>> forgetful =
          Collector.of(ArrayList::new, List::add, (l, m) -> null);
      for (int i = 0; i < 20; i++) {
        // Unless it went through in one piece, the combiner's null is told.
        try {
          assertThat(
                  Parallel.<Integer>iter(list)
                      .on(pool)
                      .with(LoopOptions.DEFAULT.withGrain(1))
                      .collect(forgetful))
              .hasSize(50_000);
        } catch (NullPointerException told) {
          assertThat(told).hasMessageContaining("combiner");
        }
      }
    }
  }

  private static <A> void assertKept(
      Pool pool, A array, Consumer<A> sort, Consumer<A> assertSameElements) {
    EndOfStack.near(pool, () -> sort.accept(array), () -> assertSameElements.accept(array));
    assertThat(pool.call(() -> Parallel.range(0, 1000).sum())).isEqualTo(499_500);
  }

  /** Whatever part of a sort the stack ends in, no element is lost or there twice. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void sorts_nearTheEndOfTheStack_keepTheElements(int workers) {
    var random = new Random(workers);
    long[] longs = random.longs(10_000).toArray();
    int[] ints = random.ints(10_000).toArray();
    double[] doubles = random.doubles(10_000).toArray();
    Long[] objects = random.longs(10_000).boxed().toArray(Long[]::new);
    long[] sortedLongs = Arrays.stream(longs).sorted().toArray();
    int[] sortedInts = Arrays.stream(ints).sorted().toArray();
    double[] sortedDoubles = Arrays.stream(doubles).sorted().toArray();
    Long[] sortedObjects = Arrays.stream(objects).sorted().toArray(Long[]::new);
    try (var pool = Pool.builder().workers(workers).stackBytes(256 << 10).build()) {
      assertKept(
          pool,
          longs.clone(),
          a -> {
            System.arraycopy(longs, 0, a, 0, a.length);
            Parallel.sort(a);
          },
          a ->
              assertThat(Arrays.equals(Arrays.stream(a).sorted().toArray(), sortedLongs)).isTrue());
      assertKept(
          pool,
          ints.clone(),
          a -> {
            System.arraycopy(ints, 0, a, 0, a.length);
            Parallel.sort(a);
          },
          a -> assertThat(Arrays.equals(Arrays.stream(a).sorted().toArray(), sortedInts)).isTrue());
      assertKept(
          pool,
          doubles.clone(),
          a -> {
            System.arraycopy(doubles, 0, a, 0, a.length);
            Parallel.sort(a);
          },
          a ->
              assertThat(Arrays.equals(Arrays.stream(a).sorted().toArray(), sortedDoubles))
                  .isTrue());
      assertKept(
          pool,
          objects.clone(),
          a -> {
            System.arraycopy(objects, 0, a, 0, a.length);
            Parallel.sort(a, Comparator.naturalOrder());
          },
          a ->
              assertThat(Arrays.equals(Arrays.stream(a).sorted().toArray(), sortedObjects))
                  .isTrue());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void pipelines_nearTheEndOfTheStack_leaveNothingRunning(int workers) {
    long[] data = Parallel.rangeLong(0, 10_000).toArray();
    try (var pool = Pool.builder().workers(workers).stackBytes(256 << 10).build()) {
      EndOfStack.near(
          pool,
          () -> {
            if (Parallel.iter(data).map(x -> x + 1).filter(x -> x % 2 == 0).count() != 5_000
                || Parallel.iter(data).filter(x -> x % 2 == 0).toArray().length != 5_000
                || SortedArrays.merge(data, data).length != 20_000) {
              throw new AssertionError("wrong");
            }
          },
          () ->
              assertThat(pool.call(() -> Parallel.iter(data).map(x -> x).sum()))
                  .isEqualTo(49_995_000));
    }
  }

  /** An Error is thrown as it is, and the array still holds what it held. */
  @Test
  void comparatorOutOfMemory_keepsTheElements() {
    Long[] objects = new Random(4).longs(60_000).boxed().toArray(Long[]::new);
    Long[] sorted = Arrays.stream(objects).sorted().toArray(Long[]::new);
    try (var pool = Pool.of(2)) {
      for (int at : new int[] {1, 100, 50_000, 300_000, 600_000}) {
        Long[] a = objects.clone();
        var calls = new AtomicLong();
        Comparator<Long> order =
            (x, y) -> {
              if (calls.incrementAndGet() == at) {
                throw new OutOfMemoryError("on purpose");
              }
              return Long.compare(x, y);
            };
        assertThatThrownBy(() -> pool.run(() -> Parallel.sort(a, order)))
            .isInstanceOf(OutOfMemoryError.class)
            .hasMessage("on purpose");
        Arrays.sort(a);
        assertThat(a).isEqualTo(sorted);
      }
    }
  }
}
