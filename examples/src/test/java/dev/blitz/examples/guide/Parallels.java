package dev.blitz.examples.guide;

import dev.blitz.io.task.CancelToken;
import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.Pool;
import dev.blitz.parallel.RecursiveIntJob;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** docs/guide/parallel.md. */
@SuppressWarnings({
  "CheckReturnValue",
  "try",
  "UnusedVariable",
  "ClassCanBeStatic"
}) // only to be compiled
abstract class Parallels {
  class Fib {
    static int fib(int n) {
      return n < 2 ? n : Parallel.joinInt(() -> fib(n - 1), () -> fib(n - 2), Integer::sum);
    }
  }

  class FibJob extends RecursiveIntJob {
    @Override
    protected int compute(int n) {
      return n < 2 ? n : join(n - 1, n - 2);
    }

    @Override
    protected int combine(int left, int right) {
      return left + right;
    }
  }

  static void scope() {
    var sum = new LongAdder();
    Parallel.scope(scope -> {
      for (int i = 0; i < 100; i++) {
        int number = i;
        scope.spawn(() -> sum.add(number));
      }
    });
  }

  static void loops() {
    double[] data = new double[1_000_000];
    Parallel.parallelFor(0, data.length, i -> data[i] = Math.sqrt(i));

    double total =
        Parallel.parallelReduce(
            0,
            data.length,
            0.0,
            (from, to) -> {
              double part = 0;
              for (int i = from; i < to; i++) {
                part += data[i];
              }
              return part;
            },
            Double::sum);
  }

  static void pools() {
    try (Pool pool = Pool.builder().name("images").workers(2).build()) {
      int n = pool.call(() -> Parallel.join(() -> 20, () -> 22, Integer::sum));
      List<Integer> indices = pool.broadcast(index -> index);
      pool.spawn(() -> IO.println("some time"), Throwable::printStackTrace);
    }
  }

  abstract long count(int from, int to);

  long cancelled(CancelToken request, dev.blitz.parallel.CancelToken computation, int rows) {
    try (var _ = request.onCancel(computation::cancel)) {
      return Parallel.parallelReduce(
          0, rows, LoopOptions.DEFAULT.withToken(computation), 0L, this::count, Long::sum);
    }
  }
}
