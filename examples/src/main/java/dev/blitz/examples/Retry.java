package dev.blitz.examples;

import dev.blitz.io.Blitz;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.task.Task;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tries an unreliable call up to five times, with a pause that doubles, and gives up after a
 * second.
 *
 * <p>Shows: futures that make futures, sleep, time-out, recover. Run: {@code ./blitz example
 * Retry}.
 */
public final class Retry {
  private Retry() {}

  /** Prints each attempt and the answer. */
  public static void main(String[] args) throws Exception {
    var attempts = new AtomicInteger();
    Future<String> answer =
        retry(5, Duration.ofMillis(10), () -> call(attempts.incrementAndGet()))
            .timeout(Duration.ofSeconds(1));
    IO.println("answer: " + Blitz.run(answer));
  }

  private static String call(int attempt) throws IOException {
    IO.println("attempt " + attempt);
    if (attempt < 4) {
      throw new IOException("busy");
    }
    return "hello on attempt " + attempt;
  }

  /** Runs {@code call}, and again after a pause when it throws, {@code tries} times at most. */
  static <T> Future<T> retry(int tries, Duration pause, ThrowingSupplier<T> call) {
    Future<Future<T>> once = Futures.lazy(() -> Futures.ready(call.get()));
    return once.recover(e ->
            tries == 1
                ? Futures.failed(e)
                : Task.sleep(pause).andThen(d -> retry(tries - 1, pause.plus(pause), call)))
        .andThen(result -> result);
  }
}
