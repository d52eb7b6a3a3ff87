package dev.blitz.io;

import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingRunnable;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.driver.backends.Backends;
import dev.blitz.io.observe.BackendProbe;
import java.util.List;

/** The shortest way in: runs one thing on a runtime of its own. */
public final class Blitz {
  private Blitz() {}

  /**
   * Makes a runtime, runs {@code future} on it, waits for the result and closes the runtime.
   *
   * {@snippet :
   * int answer = Blitz.run(Futures.lazy(() -> 6 * 7));
   * }
   *
   * @throws Exception what the future throws
   * @throws IllegalStateException if called inside a poll, whose worker would wait
   */
  public static <T> T run(Future<? extends T> future) throws Exception {
    try (BlitzRuntime runtime = BlitzRuntime.create()) {
      return runtime.run(future);
    }
  }

  /**
   * Makes a runtime, runs {@code body} on it as a direct task, waits for the result and closes the
   * runtime.
   *
   * {@snippet :
   * int sum = Blitz.run(() -> {
   *   var a = Task.spawn(() -> slowSquare(6));
   *   var b = Task.spawn(() -> slowSquare(7));
   *   return a.await() + b.await();
   * });
   * }
   *
   * @throws Exception what the body throws
   * @throws IllegalStateException if called inside a poll, whose worker would wait
   */
  public static <T> T run(ThrowingSupplier<? extends T> body) throws Exception {
    try (BlitzRuntime runtime = BlitzRuntime.create()) {
      return runtime.run(body);
    }
  }

  /** As {@link #run(ThrowingSupplier)}, for a body without a result. */
  public static void run(ThrowingRunnable body) throws Exception {
    try (BlitzRuntime runtime = BlitzRuntime.create()) {
      runtime.run(body);
    }
  }

  /**
   * Looks for every I/O backend on this machine, best first. Takes a few milliseconds and leaves
   * nothing open.
   *
   * {@snippet :
   * Blitz.backends().forEach(System.out::println);
   * }
   */
  public static List<BackendProbe> backends() {
    return Backends.probeAll();
  }
}
