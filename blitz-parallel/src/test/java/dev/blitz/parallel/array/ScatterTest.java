package dev.blitz.parallel.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.parallel.Pool;
import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Strict;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Moves by index against plain loops, on one to eight workers. */
@Strict
@LeakChecked(ignoreThreads = "blitz-parallel-\\d+")
class ScatterTest {
  private static void onAnyWorkers(Runnable check) {
    check.run();
    for (int workers = 1; workers <= 8; workers++) {
      try (var pool = Pool.of(workers)) {
        pool.run(check::run);
      }
    }
  }

  private static long[][] rows(int count, int mostColumns, long seed) {
    var random = new Random(seed);
    long[][] rows = new long[count][];
    Arrays.setAll(rows, i -> random.longs(random.nextInt(mostColumns + 1)).toArray());
    return rows;
  }

  @Test
  void flatten_allKinds() {
    onAnyWorkers(() -> {
      for (int[] shape : new int[][] {{0, 0}, {1, 5}, {300, 7}, {3, 90_000}, {2000, 100}}) {
        long[][] rows = rows(shape[0], shape[1], shape[0]);
        long[] expected = Arrays.stream(rows).flatMapToLong(Arrays::stream).toArray();
        assertThat(Scatter.flatten(rows)).isEqualTo(expected);
        int[][] ints =
            Arrays.stream(rows)
                .map(r -> Arrays.stream(r).mapToInt(x -> (int) x).toArray())
                .toArray(int[][]::new);
        assertThat(Scatter.flatten(ints))
            .isEqualTo(Arrays.stream(expected).mapToInt(x -> (int) x).toArray());
        double[][] doubles =
            Arrays.stream(rows)
                .map(r -> Arrays.stream(r).asDoubleStream().toArray())
                .toArray(double[][]::new);
        assertThat(Scatter.flatten(doubles))
            .isEqualTo(Arrays.stream(expected).asDoubleStream().toArray());
        Long[][] objects =
            Arrays.stream(rows)
                .map(r -> Arrays.stream(r).boxed().toArray(Long[]::new))
                .toArray(Long[][]::new);
        Long[] flat = Scatter.flatten(objects);
        assertThat(flat).isEqualTo(Arrays.stream(expected).boxed().toArray());
      }
    });
  }

  @Test
  void flatten_toGivenPlaces_leavesWhatIsBetween() {
    long[][] rows = {{1, 2}, {}, {3}};
    long[] target = {9, 9, 9, 9, 9, 9};
    Scatter.flatten(rows, new int[] {4, 0, 1}, target);
    assertThat(target).containsExactly(9, 3, 9, 9, 1, 2);
    assertThatThrownBy(() -> Scatter.flatten(rows, new int[] {4, 0, 6}, target))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> Scatter.flatten(rows, new int[] {0, 0}, target))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(target).containsExactly(9, 3, 9, 9, 1, 2);
  }

  @Test
  void offsets_areRunningSums() {
    assertThat(Scatter.offsets(new int[] {2, 0, 5})).containsExactly(0, 2, 2, 7);
    assertThat(Scatter.offsets(new int[0])).containsExactly(0);
    assertThatThrownBy(() -> Scatter.offsets(new int[] {1, -1}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Scatter.offsets(new int[] {Integer.MAX_VALUE, 1}))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void scatterAndGather_areEachOthersInverse() {
    int size = 50_000;
    int[] places = SeededRandom.of(5).permutation(size);
    onAnyWorkers(() -> {
      long[] values = IntStream.range(0, size).asLongStream().toArray();
      long[] there = new long[size];
      Scatter.scatter(values, places, there);
      for (int i = 0; i < size; i++) {
        assertThat(there[places[i]]).isEqualTo(i);
      }
      long[] back = new long[size];
      Scatter.gather(there, places, back);
      assertThat(back).isEqualTo(values);
      int[] ints = new int[size];
      Scatter.scatter(places, places, ints);
      assertThat(ints).isEqualTo(IntStream.range(0, size).toArray());
      double[] doubles = new double[size];
      Scatter.scatter(IntStream.range(0, size).asDoubleStream().toArray(), places, doubles);
      double[] doublesBack = new double[size];
      Scatter.gather(doubles, places, doublesBack);
      assertThat(doublesBack[size - 1]).isEqualTo(size - 1);
      Integer[] objects = new Integer[size];
      Scatter.scatter(IntStream.range(0, size).boxed().toArray(Integer[]::new), places, objects);
      Integer[] objectsBack = new Integer[size];
      Scatter.gather(objects, places, objectsBack);
      assertThat(objectsBack).isEqualTo(IntStream.range(0, size).boxed().toArray());
    });
  }

  @Test
  void placeOutside_writesNothing() {
    int[] places = IntStream.range(0, 20_000).toArray();
    places[19_999] = 20_000;
    long[] target = new long[20_000];
    long[] values = new long[20_000];
    Arrays.fill(values, 1);
    assertThatThrownBy(() -> Scatter.scatter(values, places, target))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> Scatter.gather(values, places, target))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(target).containsOnly(0);
    assertThatThrownBy(() -> Scatter.scatter(values, new int[3], target))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
