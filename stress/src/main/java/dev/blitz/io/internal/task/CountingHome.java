package dev.blitz.io.internal.task;

import dev.blitz.io.internal.current.BusyThreads;
import dev.blitz.io.internal.current.Failures;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.current.Places;
import dev.blitz.io.internal.current.TaskThreads;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.policy.FatalErrorPolicy;
import dev.blitz.io.policy.TimeSource;
import java.util.concurrent.atomic.AtomicInteger;

/** For cells without a runtime: counts the failures that the uncaught handler is told of. */
final class CountingHome {
  private static final RuntimeTimers TIMERS = new RuntimeTimers(TimeSource.system(), 1, () -> {});
  private static final TaskThreads THREADS = new TaskThreads("none", "none", action -> {});

  final AtomicInteger told = new AtomicInteger();
  final Home home =
      new Home(
          new Failures(
              (what, failure) -> told.incrementAndGet(),
              FatalErrorPolicy.FAIL_TASK,
              () -> {},
              () -> {}),
          TIMERS,
          new BusyThreads(false, () -> {}),
          new Places(1),
          THREADS,
          1);
}
