package dev.blitz.test;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingRunnable;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.observe.CloseReport;
import dev.blitz.io.task.JoinHandle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A runtime for tests: one worker, a {@link PausedClock}, a seed, and a close that fails when
 * something was left behind or a failure went unseen.
 *
 * {@snippet :
 * try (TestRuntime rt = TestRuntime.create()) {
 *   JoinHandle<Done> nap = rt.spawn(Task.sleep(Duration.ofMinutes(5)));
 *   rt.advance(Duration.ofMinutes(5));
 *   nap.await();
 * }
 * }
 */
public final class TestRuntime implements AutoCloseable {
  private final PausedClock clock = new PausedClock();
  private final List<Throwable> unseen = new CopyOnWriteArrayList<>();
  private final BlitzRuntime runtime;
  private final long seed;

  private TestRuntime(long seed) {
    this.seed = seed;
    runtime =
        BlitzRuntime.builder()
            .name("test")
            .workers(1)
            .clock(clock.timeSource())
            .seed(seed)
            .uncaughtHandler((what, failure) -> unseen.add(new AssertionError(what, failure)))
            .build();
  }

  /** A runtime with the seed of the system property {@code blitz.seed}, or a random one. */
  public static TestRuntime create() {
    return create(Long.getLong("blitz.seed", System.nanoTime()));
  }

  /** A runtime with this seed. */
  public static TestRuntime create(long seed) {
    return new TestRuntime(seed);
  }

  /** What decides its random choices. */
  public long seed() {
    return seed;
  }

  /** The runtime itself. */
  public BlitzRuntime runtime() {
    return runtime;
  }

  /** Its clock. */
  public PausedClock clock() {
    return clock;
  }

  /** Starts a task. */
  public <T> JoinHandle<T> spawn(Future<? extends T> future) {
    return runtime.spawn(future);
  }

  /** Starts a direct task. */
  public <T> JoinHandle<T> spawn(ThrowingSupplier<? extends T> body) {
    return runtime.spawn(body);
  }

  /** Starts a direct task without a result. */
  public JoinHandle<Done> spawn(ThrowingRunnable body) {
    return runtime.spawn(body);
  }

  /** Runs a call that blocks. */
  public <T> JoinHandle<T> spawnBlocking(ThrowingSupplier<? extends T> body) {
    return runtime.spawnBlocking(body);
  }

  /** Runs {@code future} to its end; time passes by itself whenever everything waits for it. */
  public <T> T run(Future<? extends T> future) throws Exception {
    clock.autoAdvance(true);
    try {
      return runtime.run(future);
    } finally {
      clock.autoAdvance(false);
    }
  }

  /** Runs {@code body} as a direct task to its end; otherwise as {@link #run(Future)}. */
  public <T> T run(ThrowingSupplier<? extends T> body) throws Exception {
    clock.autoAdvance(true);
    try {
      return runtime.run(body);
    } finally {
      clock.autoAdvance(false);
    }
  }

  /** As {@link #run(ThrowingSupplier)}, for a body without a result. */
  public void run(ThrowingRunnable body) throws Exception {
    this.<Done>run(ThrowingRunnable.asSupplier(body));
  }

  /** Lets time pass; returns when all tasks are idle again. */
  public void advance(Duration duration) {
    clock.advance(duration);
  }

  /**
   * Closes the runtime; its tasks are cancelled.
   *
   * @throws AssertionError if a task could not be ended, or a failure reached nobody
   */
  @Override
  public void close() {
    CloseReport report = runtime.close(Duration.ofSeconds(10));
    if (!report.clean() || !unseen.isEmpty()) {
      var failure =
          new AssertionError(
              report.clean()
                  ? "failures that nobody saw (-Dblitz.seed=" + seed + ")"
                  : report + " (-Dblitz.seed=" + seed + ")");
      unseen.forEach(failure::addSuppressed);
      throw failure;
    }
  }
}
