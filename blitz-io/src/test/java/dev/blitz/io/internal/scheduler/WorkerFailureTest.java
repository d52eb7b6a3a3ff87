package dev.blitz.io.internal.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.LogCapture;
import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.internal.driver.Backend;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.Endpoints;
import dev.blitz.io.internal.task.PollContext;
import dev.blitz.io.internal.task.QueueItem;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.io.policy.FatalErrorPolicy;
import dev.blitz.io.policy.SpinMode;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A worker whose driver throws, as it does for want of a descriptor for a class, and whose handler
 * throws when it is told: the thread goes on.
 */
@Strict
@OnceIsEnough // what fails is no task
class WorkerFailureTest {
  private static final int FAILURES = 3;

  /** What the driver is asked to do when it fails. */
  enum Place {
    PARK,
    DELIVER,
    HAS_STAGED,
    /** By a worker, which has a task in hand. */
    UNPARK
  }

  private static final class Failing implements Driver {
    private final Place place;
    private final AtomicInteger failures = new AtomicInteger();

    Failing(Place place) {
      this.place = place;
    }

    private void failAt(Place now) {
      if (now == place && failures.getAndIncrement() < FAILURES) {
        throw new NoClassDefFoundError("no descriptor to read it with");
      }
    }

    boolean isOver() {
      return failures.get() > FAILURES;
    }

    @Override
    public String name() {
      return "failing";
    }

    @Override
    public BackendProbe backend() {
      return Backend.available(name(), "");
    }

    @Override
    public void attach(int worker) {}

    @Override
    public boolean park(int worker, long deadlineNanos) {
      failAt(Place.PARK);
      LockSupport.parkNanos(100_000);
      return true;
    }

    @Override
    public void unpark(int worker) {
      if (Thread.currentThread() instanceof WorkerThread) {
        failAt(Place.UNPARK);
      }
    }

    @Override
    public boolean hasStaged(int worker) {
      failAt(Place.HAS_STAGED);
      return false;
    }

    @Override
    public int deliver(int worker) {
      failAt(Place.DELIVER);
      return 0;
    }

    @Override
    public Endpoints endpoints() {
      throw new UnsupportedOperationException("none");
    }

    @Override
    public void close() {}
  }

  private record Item(Runnable body) implements QueueItem {
    @Override
    public void run(PollContext cx) {
      body.run();
    }

    @Override
    public void abandon(PollContext cx) {}

    @Override
    public void closing() {}
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNPARK")
  void whateverTheDriverThrows_theThreadOfTheWorkerGoesOn(Place place) throws Exception {
    List<Throwable> told = new CopyOnWriteArrayList<>();
    SchedulerConfig config = config(1, told);
    var driver = new Failing(place);
    try (var log = new LogCapture()) {
      var scheduler = new Scheduler(config, driver);
      try {
        Thread first = threadOf(scheduler);
        Await.until(driver::isOver, "the driver to work");
        assertThat(threadOf(scheduler)).isSameAs(first);
        assertThat(told).hasSize(FAILURES).allMatch(NoClassDefFoundError.class::isInstance);
        assertThat(log.messages()).hasSize(2 * FAILURES);
      } finally {
        scheduler.beginClosing();
        long end = System.nanoTime() + Timeouts.MEDIUM.toNanos();
        assertThat(scheduler.terminate(() -> end)).isEmpty();
      }
    }
  }

  private static SchedulerConfig config(int workers, List<Throwable> told) {
    return new SchedulerConfig(
        "failing",
        workers,
        1,
        SpinMode.OFF,
        1,
        false,
        Long.MAX_VALUE,
        TimeSource.system(),
        (task, failure) -> {
          told.add(failure);
          throw new AssertionError("nor can it be told");
        },
        FatalErrorPolicy.FAIL_TASK,
        Machine.REAL,
        thread -> {},
        thread -> {});
  }

  /** A worker that was woken for work has taken some, and wakes another one for the rest. */
  @Test
  void wakingAnotherFails_theTaskInHandIsRun() {
    var driver = new Failing(Place.UNPARK);
    try (var _ = new LogCapture()) {
      var scheduler = new Scheduler(config(2, new CopyOnWriteArrayList<>()), driver);
      try {
        var posted = new AtomicInteger();
        var ran = new AtomicInteger();
        Await.until(
            () -> {
              for (int i = 0; i < 4; i++) {
                posted.incrementAndGet();
                scheduler.schedule(new Item(ran::incrementAndGet));
              }
              return driver.isOver();
            },
            "the failures");
        Await.until(() -> ran.get() == posted.get(), "all of them to run");
      } finally {
        scheduler.beginClosing();
        long end = System.nanoTime() + Timeouts.MEDIUM.toNanos();
        assertThat(scheduler.terminate(() -> end)).isEmpty();
      }
    }
  }

  private static Thread threadOf(Scheduler scheduler) throws Exception {
    var ran = new CompletableFuture<Thread>();
    scheduler.schedule(new Item(() -> ran.complete(Thread.currentThread())));
    return ran.get(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS);
  }
}
