package dev.blitz.io;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.stress.Crew;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A runtime is closed while tasks are queued, running, idle, shielded, failing, blocking, and while
 * others still spawn, wake and cancel: every handle resolves and no thread is left.
 */
public final class ShutdownSeededStress implements SeededStress {
  private static final int MAX_TASKS = 200;
  private static final int MAX_LATE_TASKS = 2_000;

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, ShutdownSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    var handler = new Expected.Handler();
    BlitzRuntime rt =
        RuntimeProbe.builder(random, 8)
            .uncaughtHandler(handler)
            .blockingThreads(random.nextInt(1, 5))
            .build();
    var mix = new TaskMix(rt);
    var mandatory = new AtomicInteger();
    var mandatoryRan = new AtomicInteger();
    int before = random.nextInt(MAX_TASKS);
    for (int i = 0; i < before; i++) {
      if (random.nextInt(8) == 0) {
        block(rt, mix, random, mandatory, mandatoryRan);
      } else {
        mix.spawn(random);
      }
    }
    // A shield that never comes down: only the deadline can end its task.
    boolean stubborn = random.nextInt(8) == 0;
    if (stubborn) {
      mix.handles.add(rt.spawn(Task.shielded(Futures.pending())));
    }
    var crew = new Crew(random);
    crew.start(own -> {
      int left = own.nextInt(MAX_LATE_TASKS);
      while (left > 0 && mix.spawn(own)) {
        left--;
      }
    });
    crew.start(own -> {
      for (JoinHandle<?> h : mix.handles) {
        if (own.nextInt(8) == 0) {
          h.cancel();
          Patience.delay(own);
        }
      }
      // Shielded tasks wait for these, closing or not.
      mix.early.wakeAll();
      Patience.delay(own);
      mix.late.open();
      Patience.delay(own);
      mix.early.open();
    });
    Patience.delay(random);
    if (stubborn) {
      rt.close(Duration.ofMillis(random.nextInt(20)));
      crew.join();
      RuntimeProbe.awaitAll(rt, mix.all());
      Patience.until(() -> RuntimeProbe.threads(rt).isEmpty(), () -> "the end of the threads");
      return;
    }
    RuntimeProbe.closeClean(rt);
    crew.join();
    for (JoinHandle<?> h : mix.handles) {
      if (!h.isDone()) {
        throw new AssertionError("closed, but there is no " + h);
      }
    }
    mix.checkEndedOnce();
    mix.failures.forEach(Expected::checkReportedOnce);
    mix.blockingFailures.forEach(Expected::checkReportedOnceAtMost);
    handler.checkNothingElse();
    if (mandatory.get() != mandatoryRan.get()) {
      throw new AssertionError(mandatoryRan + " of " + mandatory + " mandatory calls ran");
    }
    RuntimeProbe.checkNoThreads(rt);
  }

  private static void block(
      BlitzRuntime rt,
      TaskMix mix,
      SplittableRandom random,
      AtomicInteger mandatory,
      AtomicInteger mandatoryRan) {
    switch (random.nextInt(4)) {
      case 0 -> mix.handles.add(rt.spawnBlocking(() -> Done.DONE));
      case 1 -> {
        var never = new CountDownLatch(1);
        mix.handles.add(
            rt.spawnBlocking(() -> {
              never.await(); // ends by the interrupt
              return Done.DONE;
            }));
      }
      case 2 -> {
        mandatory.incrementAndGet();
        rt.spawnMandatoryBlocking(mandatoryRan::incrementAndGet).detach();
      }
      default -> {
        var failure = new Expected();
        mix.blockingFailures.add(failure);
        mix.handles.add(
            rt.spawnBlocking(() -> {
              throw failure.now();
            }));
      }
    }
  }
}
