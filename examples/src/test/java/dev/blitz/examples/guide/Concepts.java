package dev.blitz.examples.guide;

import dev.blitz.io.future.Future;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import java.time.Duration;

/** docs/guide/concepts.md. */
abstract class Concepts {
  static int slowLength(String text) {
    Task.sleep(Duration.ofMillis(5)).await();
    return text.length();
  }

  static int ten() {
    Future<Integer> length =
        Task.sleep(Duration.ofMillis(5)).map(done -> "blitz").map(String::length);
    JoinHandle<Integer> direct = Task.spawn(() -> slowLength("blitz"));
    JoinHandle<Integer> stackless = Task.spawn(length);
    int ten = direct.await() + stackless.await();
    return ten;
  }

  abstract void compute(int row);

  void rows(int rows) {
    for (int i = 0; i < rows; i++) {
      compute(i);
      if (i % 1_000 == 0) {
        Task.yieldNow().await();
      }
    }
  }
}
