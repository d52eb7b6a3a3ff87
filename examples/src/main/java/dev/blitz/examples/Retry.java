package dev.blitz.examples;

import dev.blitz.io.Blitz;
import dev.blitz.io.policy.Backoff;
import dev.blitz.io.task.Task;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tries an unreliable call again, up to five times, with a pause that doubles, and gives up after a
 * second.
 *
 * <p>Shows: Backoff, a time-out around a block of code. Run: {@code ./blitz example Retry}.
 */
public final class Retry {
  private static final Backoff PATIENCE = Backoff.exponential(Duration.ofMillis(10)).limit(5);

  private Retry() {}

  /** Prints each attempt and the answer. */
  public static void main(String[] args) throws Exception {
    var attempts = new AtomicInteger();
    Blitz.run(() -> {
      String answer =
          Task.timeout(
              Duration.ofSeconds(1),
              () -> Task.retry(PATIENCE, () -> call(attempts.incrementAndGet())));
      IO.println("answer: " + answer);
    });
  }

  private static String call(int attempt) throws IOException {
    IO.println("attempt " + attempt);
    if (attempt < 4) {
      throw new IOException("busy");
    }
    return "hello on attempt " + attempt;
  }
}
