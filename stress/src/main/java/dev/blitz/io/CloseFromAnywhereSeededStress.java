package dev.blitz.io;

import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A runtime is closed by threads of every kind at once, with deadlines of their own: each returns,
 * every handle resolves, what was given up runs its finally blocks, and no thread is left.
 */
public final class CloseFromAnywhereSeededStress implements SeededStress {
  private static final int MAX_TASKS = 60;
  private static final int MAX_CLOSERS = 6;
  private static final Duration HOUR = Duration.ofHours(1);

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, CloseFromAnywhereSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    var handler = new Expected.Handler();
    BlitzRuntime rt = RuntimeProbe.builder(random, 3).uncaughtHandler(handler).build();
    try (BlitzRuntime other = RuntimeProbe.builder(random, 1).build()) {
      var closers = new Closers(rt, other);
      var mix = new TaskMix(rt);
      for (int i = random.nextInt(MAX_TASKS); i > 0; i--) {
        mix.spawn(random);
      }
      var shielded = new Shielded();
      for (int i = random.nextInt(4); i > 0; i--) {
        shielded.spawn(rt, mix);
      }
      int n = random.nextInt(1, MAX_CLOSERS + 1);
      for (int i = 0; i < n; i++) {
        Patience.delay(random);
        closers.start(random);
      }
      Patience.delay(random);
      mix.early.wakeAll();
      mix.late.open();
      mix.early.open();
      closers.awaitAll();
      rt.close(Duration.ofMillis(random.nextInt(30))); // whoever was patient has given up nothing
      shielded.awaitAll();
      RuntimeProbe.awaitAll(rt, mix.all());
      Patience.until(() -> RuntimeProbe.threads(rt).isEmpty(), () -> "the end of the threads");
    }
  }

  /** Direct tasks that no cancellation reaches: only the end of the timers does. */
  private static final class Shielded {
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    void spawn(BlitzRuntime rt, TaskMix mix) {
      JoinHandle<?> task =
          RuntimeProbe.trySpawn(() ->
              rt.spawn(() ->
                  Task.shielded(() -> {
                    begun.incrementAndGet();
                    try {
                      Task.sleep(HOUR).await();
                    } catch (IllegalStateException closed) {
                      // what it waits for
                    } finally {
                      ended.incrementAndGet();
                    }
                  })));
      if (task != null) {
        mix.handles.add(task);
      }
    }

    void awaitAll() {
      Patience.until(() -> ended.get() == begun.get(), () -> ended + " of " + begun + " finallys");
    }
  }

  /** Those who close, and what came of it. */
  private static final class Closers {
    private final BlitzRuntime rt;
    private final BlitzRuntime other;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final ConcurrentLinkedQueue<Throwable> problems = new ConcurrentLinkedQueue<>();

    Closers(BlitzRuntime rt, BlitzRuntime other) {
      this.rt = rt;
      this.other = other;
    }

    void start(SplittableRandom random) {
      boolean patient = random.nextInt(4) == 0;
      Duration deadline =
          patient ? Duration.ofMillis(random.nextInt(400)) : Duration.ofMillis(random.nextInt(60));
      boolean interrupted = random.nextInt(6) == 0;
      Runnable close = () -> close(deadline, interrupted);
      int kind = random.nextInt(8);
      if (kind == 2 || kind == 3) {
        startInside(close);
        return;
      }
      begun.incrementAndGet();
      switch (kind) {
        case 0 -> Thread.ofPlatform().daemon().start(close);
        case 1 -> Thread.ofVirtual().start(close);
        case 4 -> other.spawn(() -> close.run()).detach();
        case 5 ->
            other
                .spawn(
                    Futures.lazy(() -> {
                      close.run();
                      return 1;
                    }))
                .detach();
        case 6 ->
            other
                .spawnBlocking(() -> {
                  close.run();
                  return 1;
                })
                .detach();
        default -> ForkJoinPool.commonPool().execute(close);
      }
    }

    /** A virtual thread that a task of the runtime starts, so that its workers carry it. */
    private void startInside(Runnable close) {
      var handle =
          RuntimeProbe.trySpawn(() ->
              rt.spawn(() -> {
                begun.incrementAndGet(); // unless it is cancelled before
                Thread.startVirtualThread(close);
              }));
      if (handle != null) {
        handle.detach();
      }
    }

    private void close(Duration deadline, boolean interrupted) {
      try {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
        rt.close(deadline);
        if (interrupted && !Thread.interrupted()) {
          problems.add(new AssertionError("the interrupt was lost"));
        }
      } catch (Throwable t) {
        problems.add(t);
      } finally {
        ended.incrementAndGet();
      }
    }

    void awaitAll() {
      Patience.until(
          () -> ended.get() >= begun.get(), () -> "the closers: " + ended + " of " + begun);
      @Nullable Throwable first = problems.peek();
      if (first != null) {
        throw new AssertionError("a close threw", first);
      }
    }
  }
}
