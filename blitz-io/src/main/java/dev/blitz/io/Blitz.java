package dev.blitz.io;

import dev.blitz.io.future.Future;

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
   * @throws IllegalStateException if called inside a task
   */
  public static <T> T run(Future<? extends T> future) throws Exception {
    try (BlitzRuntime runtime = BlitzRuntime.create()) {
      return runtime.run(future);
    }
  }
}
