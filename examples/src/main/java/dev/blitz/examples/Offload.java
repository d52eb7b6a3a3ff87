package dev.blitz.examples;

import dev.blitz.io.Blitz;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.Parallel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A service that waits with blitz-io and computes with blitz-parallel: while all cores count
 * primes, a clock goes on ticking; and a computation that nobody waits for any more stops.
 *
 * <p>Shows: Parallel in a task, in spawnBlocking, and cancelled. Run: {@code ./blitz example
 * Offload}.
 */
public final class Offload {
  private Offload() {}

  /** Counts primes for three clients, and gives up on a fourth. */
  public static void main(String[] args) throws Exception {
    Blitz.run(() -> {
      var ticks = new AtomicInteger();
      try (var scope = TaskScope.open()) {
        scope.spawn(() -> Task.every(Duration.ofMillis(1), ticks::incrementAndGet));
        // A direct task just calls: it is suspended while the pool computes.
        var counts = TaskScope.map(List.of(100, 10_000, 1_000_000), 3, Offload::primesBelow);
        IO.println("primes: " + counts);
        // A stackless one must not wait in a poll: another thread waits for it.
        long more = Task.spawnBlocking(() -> primesBelow(1_000)).map(n -> n + 1L).await();
        IO.println("and one more: " + more);
        IO.println("the clock went on: " + (ticks.get() > 0));
        scope.cancel();
      }

      var endless = Task.spawn(Offload::search);
      endless.cancel(); // interrupts the task, and so ends the loop that it sits in
      IO.println("given up: " + (Futures.outcome(endless).await() instanceof Outcome.Cancelled));
    });
  }

  private static long primesBelow(int limit) {
    return Parallel.range(2, limit).filter(Offload::isPrime).count();
  }

  private static boolean isPrime(int n) {
    for (int d = 2; (long) d * d <= n; d++) {
      if (n % d == 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean search() {
    Parallel.parallelForLong(0, Long.MAX_VALUE, LoopOptions.DEFAULT, i -> Thread.onSpinWait());
    return true;
  }
}
