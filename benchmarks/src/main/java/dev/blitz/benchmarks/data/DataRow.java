package dev.blitz.benchmarks.data;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.Pool;
import dev.blitz.parallel.iter.LongIter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The rows: each as a pipeline, by hand, and as a parallel stream. Rayon's are in its peer. */
enum DataRow {
  MAP_FILTER_SUM("range, map, filter, sum", "map-filter-sum") {
    @Override
    ToLongFunction<Pool> blitz() {
      return pool ->
          Parallel.range(0, SIZE).on(pool).map(i -> i * 3).filter(i -> (i & 1) == 0).sum();
    }

    @Override
    LongSupplier hand() {
      return () -> {
        long sum = 0;
        for (int i = 0; i < SIZE; i++) {
          int x = i * 3;
          if ((x & 1) == 0) {
            sum += x;
          }
        }
        return sum;
      };
    }

    @Override
    LongSupplier stream() {
      return () ->
          IntStream.range(0, SIZE)
              .parallel()
              .map(i -> i * 3)
              .filter(i -> (i & 1) == 0)
              .asLongStream()
              .sum();
    }
  },
  SUM("sum of longs", "sum") {
    @Override
    ToLongFunction<Pool> blitz() {
      return pool -> Parallel.iter(Data.LONGS).on(pool).sum();
    }

    @Override
    LongSupplier hand() {
      return () -> {
        long sum = 0;
        for (long x : Data.LONGS) {
          sum += x;
        }
        return sum;
      };
    }

    @Override
    LongSupplier stream() {
      return () -> Arrays.stream(Data.LONGS).parallel().sum();
    }
  },
  MAX("max of longs", "max") {
    @Override
    ToLongFunction<Pool> blitz() {
      return pool -> Parallel.iter(Data.LONGS).on(pool).max().orElse(0);
    }

    @Override
    LongSupplier hand() {
      return () -> {
        long max = Long.MIN_VALUE;
        for (long x : Data.LONGS) {
          max = Math.max(max, x);
        }
        return max;
      };
    }

    @Override
    LongSupplier stream() {
      return () -> Arrays.stream(Data.LONGS).parallel().max().orElse(0);
    }
  },
  DOUBLE_SUM("sum of doubles", "double-sum") {
    @Override
    ToLongFunction<Pool> blitz() {
      return pool -> (long) Parallel.iter(Data.DOUBLES).on(pool).sum();
    }

    @Override
    LongSupplier hand() {
      return () -> {
        double sum = 0;
        for (double x : Data.DOUBLES) {
          sum += x;
        }
        return (long) sum;
      };
    }

    @Override
    LongSupplier stream() {
      return () -> (long) Arrays.stream(Data.DOUBLES).parallel().sum();
    }
  },
  DOT("zip, dot product of doubles", "dot") {
    @Override
    ToLongFunction<Pool> blitz() {
      return pool ->
          (long) Parallel.iter(Data.DOUBLES).on(pool).zip(Data.DOUBLES, (x, y) -> x * y).sum();
    }

    @Override
    LongSupplier hand() {
      return () -> {
        double sum = 0;
        for (int i = 0; i < SIZE; i++) {
          sum += Data.DOUBLES[i] * Data.DOUBLES[i];
        }
        return (long) sum;
      };
    }

    @Override
    LongSupplier stream() {
      return () ->
          (long)
              IntStream.range(0, SIZE)
                  .parallel()
                  .mapToDouble(i -> Data.DOUBLES[i] * Data.DOUBLES[i])
                  .sum();
    }
  },
  ANY("any, full scan", "any") {
    @Override
    ToLongFunction<Pool> blitz() {
      return pool -> Parallel.iter(Data.LONGS).on(pool).anyMatch(x -> x < 0) ? 1 : 0;
    }

    @Override
    LongSupplier hand() {
      return () -> {
        for (long x : Data.LONGS) {
          if (x < 0) {
            return 1;
          }
        }
        return 0;
      };
    }

    @Override
    LongSupplier stream() {
      return () -> Arrays.stream(Data.LONGS).parallel().anyMatch(x -> x < 0) ? 1 : 0;
    }
  },
  MIN_BY_KEY("min by key", "min-by-key") {
    @Override
    ToLongFunction<Pool> blitz() {
      return pool -> Parallel.iter(Data.LONGS).on(pool).minBy(x -> (x * 7919) & 0xFFFFF).orElse(0);
    }

    @Override
    LongSupplier hand() {
      return () -> {
        long best = 0;
        long least = Long.MAX_VALUE;
        for (long x : Data.LONGS) {
          long key = (x * 7919) & 0xFFFFF;
          if (key < least) {
            least = key;
            best = x;
          }
        }
        return best;
      };
    }

    @Override
    LongSupplier stream() {
      return () ->
          Arrays.stream(Data.LONGS)
              .parallel()
              .reduce((x, y) -> ((y * 7919) & 0xFFFFF) < ((x * 7919) & 0xFFFFF) ? y : x)
              .orElse(0);
    }
  },
  ALL("all, full scan", "all") {
    @Override
    ToLongFunction<Pool> blitz() {
      return pool -> Parallel.iter(Data.LONGS).on(pool).allMatch(x -> x >= 0) ? 1 : 0;
    }

    @Override
    LongSupplier hand() {
      return () -> {
        for (long x : Data.LONGS) {
          if (!(x >= 0)) {
            return 0;
          }
        }
        return 1;
      };
    }

    @Override
    LongSupplier stream() {
      return () -> Arrays.stream(Data.LONGS).parallel().allMatch(x -> x >= 0) ? 1 : 0;
    }
  },
  FIND_FIRST("find first, two thirds in", "find-first") {
    @Override
    ToLongFunction<Pool> blitz() {
      return pool ->
          Parallel.range(0, SIZE)
              .on(pool)
              .filter(i -> Data.LONGS[i] + i > FAR)
              .findFirst()
              .orElse(0);
    }

    @Override
    LongSupplier hand() {
      return () -> {
        for (int i = 0; i < SIZE; i++) {
          if (Data.LONGS[i] + i > FAR) {
            return i;
          }
        }
        return 0;
      };
    }

    @Override
    LongSupplier stream() {
      return () ->
          IntStream.range(0, SIZE)
              .parallel()
              .filter(i -> Data.LONGS[i] + i > FAR)
              .findFirst()
              .orElse(0);
    }
  },
  CHAIN("chain of two halves, sum", "chain") {
    @Override
    ToLongFunction<Pool> blitz() {
      return pool -> Parallel.iter(Data.LEFT).on(pool).chain(Parallel.iter(Data.RIGHT)).sum();
    }

    @Override
    LongSupplier hand() {
      return () -> {
        long sum = 0;
        for (long x : Data.LEFT) {
          sum += x;
        }
        for (long x : Data.RIGHT) {
          sum += x;
        }
        return sum;
      };
    }

    @Override
    LongSupplier stream() {
      return () ->
          LongStream.concat(Arrays.stream(Data.LEFT), Arrays.stream(Data.RIGHT)).parallel().sum();
    }
  },
  SCAN("scan, running sums", "") {
    @Override
    ToLongFunction<Pool> blitz() {
      return pool -> Parallel.iter(Data.LONGS).on(pool).scan(Long::sum).toArray()[SIZE - 1];
    }

    @Override
    LongSupplier hand() {
      return () -> {
        long[] sums = new long[SIZE];
        long sum = 0;
        for (int i = 0; i < SIZE; i++) {
          sum += Data.LONGS[i];
          sums[i] = sum;
        }
        return sums[SIZE - 1];
      };
    }

    @Override
    LongSupplier stream() {
      return () -> prefix(Data.LONGS.clone());
    }
  },
  COMPUTE("a computation of 16 rounds per element, sum", "compute") {
    @Override
    ToLongFunction<Pool> blitz() {
      return pool -> Parallel.iter(Data.LONGS).on(pool).map(DataRow::rounds).sum();
    }

    @Override
    LongSupplier hand() {
      return () -> {
        long sum = 0;
        for (long x : Data.LONGS) {
          sum += rounds(x);
        }
        return sum;
      };
    }

    @Override
    LongSupplier stream() {
      return () -> Arrays.stream(Data.LONGS).parallel().map(DataRow::rounds).sum();
    }
  },
  CHUNKS("sums of chunks of 1,000", "chunks") {
    @Override
    ToLongFunction<Pool> blitz() {
      return pool ->
          Parallel.iter(Data.LONGS).on(pool).chunks(1_000).mapToLong(LongIter::sum).max().orElse(0);
    }

    @Override
    LongSupplier hand() {
      return () -> {
        long max = Long.MIN_VALUE;
        for (int from = 0; from < SIZE; from += 1_000) {
          long sum = 0;
          for (int i = from; i < from + 1_000; i++) {
            sum += Data.LONGS[i];
          }
          max = Math.max(max, sum);
        }
        return max;
      };
    }

    @Override
    LongSupplier stream() {
      return () ->
          IntStream.range(0, SIZE / 1_000)
              .parallel()
              .mapToLong(c -> Arrays.stream(Data.LONGS, c * 1_000, (c + 1) * 1_000).sum())
              .max()
              .orElse(0);
    }
  },
  FLATTEN("flatten 1,000 arrays, sum", "flatten") {
    @Override
    ToLongFunction<Pool> blitz() {
      return pool -> Parallel.iter(Data.ROWS).on(pool).flatMapToLong(Parallel::iter).sum();
    }

    @Override
    LongSupplier hand() {
      return () -> {
        long sum = 0;
        for (long[] row : Data.ROWS) {
          for (long x : row) {
            sum += x;
          }
        }
        return sum;
      };
    }

    @Override
    LongSupplier stream() {
      return () -> Arrays.stream(Data.ROWS).parallel().flatMapToLong(LongStream::of).sum();
    }
  },
  FILTER_COLLECT("filter half into an array", "filter-collect") {
    @Override
    ToLongFunction<Pool> blitz() {
      return pool -> Parallel.iter(Data.LONGS).on(pool).filter(x -> (x & 1) == 0).toArray().length;
    }

    @Override
    LongSupplier hand() {
      return () -> {
        long[] kept = new long[SIZE];
        int count = 0;
        for (long x : Data.LONGS) {
          if ((x & 1) == 0) {
            kept[count++] = x;
          }
        }
        return Arrays.copyOf(kept, count).length;
      };
    }

    @Override
    LongSupplier stream() {
      return () -> Arrays.stream(Data.LONGS).parallel().filter(x -> (x & 1) == 0).toArray().length;
    }
  },
  GROUP_BY("group by one of 100 keys, count", "group-by") {
    @Override
    ToLongFunction<Pool> blitz() {
      return pool ->
          Parallel.iter(Data.LONGS)
              .on(pool)
              .mapToObj(x -> x % 100)
              .collect(groupingBy(x -> x, counting()))
              .size();
    }

    @Override
    LongSupplier hand() {
      return () -> {
        Map<Long, Long> counts = new HashMap<>();
        for (long x : Data.LONGS) {
          counts.merge(x % 100, 1L, Long::sum);
        }
        return counts.size();
      };
    }

    @Override
    LongSupplier stream() {
      return () ->
          Arrays.stream(Data.LONGS)
              .parallel()
              .mapToObj(x -> x % 100)
              .collect(groupingBy(x -> x, counting()))
              .size();
    }
  };

  static final int SIZE = 10_000_000;

  /** Above every element of the first two thirds with its index, and below one soon after. */
  static final int FAR = SIZE / 3 * 2 + 1_000_003;

  /** The same in the Rust peer: whoever changes one changes both. */
  private static long rounds(long x) {
    long z = x;
    for (int i = 0; i < 16; i++) {
      z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    }
    return z;
  }

  private static long prefix(long[] a) {
    Arrays.parallelPrefix(a, Long::sum);
    return a[SIZE - 1];
  }

  /** Made when the first row runs: 300 MB that other groups need not have. */
  private static final class Data {
    static final long[] LONGS = new long[SIZE];
    static final double[] DOUBLES = new double[SIZE];
    static final long[][] ROWS = new long[1_000][];
    static final long[] LEFT;
    static final long[] RIGHT;

    static {
      // The same in the Rust peer: whoever changes one changes both.
      for (int i = 0; i < SIZE; i++) {
        LONGS[i] = ((i * 2654435761L) >>> 7) % 1_000_003;
        DOUBLES[i] = LONGS[i] / 1_000.0;
      }
      LEFT = Arrays.copyOf(LONGS, SIZE / 2);
      RIGHT = Arrays.copyOfRange(LONGS, SIZE / 2, SIZE);
      for (int i = 0; i < ROWS.length; i++) {
        ROWS[i] = Arrays.copyOfRange(LONGS, i * (SIZE / 1_000), (i + 1) * (SIZE / 1_000));
      }
    }
  }

  private final String text;
  private final String rayon;

  DataRow(String text, String rayon) {
    this.text = text;
    this.rayon = rayon;
  }

  String text() {
    return text;
  }

  String rayon() {
    return rayon;
  }

  abstract ToLongFunction<Pool> blitz();

  abstract LongSupplier hand();

  abstract LongSupplier stream();
}
