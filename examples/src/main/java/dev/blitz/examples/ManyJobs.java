package dev.blitz.examples;

import static dev.blitz.io.task.ScopePolicy.failAfter;
import static dev.blitz.io.task.ScopePolicy.limit;

import dev.blitz.io.Blitz;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskFailedException;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ten thousand jobs, 64 at a time, until the third one fails; then the real reason.
 *
 * <p>Shows: a scope with a limit and a number of failures. Run: {@code ./blitz example ManyJobs}.
 */
public final class ManyJobs {
  private static final AtomicInteger RUNNING = new AtomicInteger();

  private ManyJobs() {}

  /** Prints how far it came, and why no further. */
  public static void main(String[] args) throws Exception {
    Blitz.run(() -> {
      int begun = 0;
      try (var jobs = TaskScope.open(limit(64).and(failAfter(3)))) {
        try {
          for (; begun < 10_000; begun++) {
            int number = begun;
            jobs.spawn(() -> run(number));
          }
        } catch (CancelledException enough) {
          IO.println("stopped after some " + begun / 1000 + ",000 jobs");
        }
        jobs.join();
      } catch (TaskFailedException e) {
        IO.println("because of: " + e.getCause());
        IO.println("and " + e.getSuppressed().length + " more");
      }
    });
  }

  private static void run(int number) throws IOException {
    if (RUNNING.incrementAndGet() > 64) {
      throw new AssertionError("more than 64 at once");
    }
    try {
      Task.yieldNow().await(); // stands for the work
      if (number % 2_500 == 2_000) {
        throw new IOException("job " + number + " met a full disk");
      }
    } finally {
      RUNNING.decrementAndGet();
    }
  }
}
