package dev.blitz.examples;

import dev.blitz.io.Blitz;
import dev.blitz.io.task.Task;
import java.time.Duration;

/**
 * Two tasks at a time, in plain Java.
 *
 * <p>Shows: direct style, spawn and await. Run: {@code ./blitz example Hello}.
 */
public final class Hello {
  private Hello() {}

  /** Prints the sum of two squares. */
  public static void main(String[] args) throws Exception {
    Blitz.run(
        () -> {
          var a = Task.spawn(() -> slowSquare(6));
          var b = Task.spawn(() -> slowSquare(7));
          IO.println(a.await() + b.await());
        });
  }

  private static int slowSquare(int n) {
    Task.sleep(Duration.ofMillis(20)).await();
    return n * n;
  }
}
