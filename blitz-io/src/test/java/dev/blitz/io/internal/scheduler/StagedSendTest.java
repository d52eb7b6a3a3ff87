package dev.blitz.io.internal.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What tasks have left with the driver to be sent goes out soon, and before their worker waits. */
@Strict
@OnceIsEnough
class StagedSendTest {
  private final AtomicBoolean staged = new AtomicBoolean();
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicInteger sentSinceLook = new AtomicInteger();
  private final AtomicInteger spins = new AtomicInteger();
  private final AtomicInteger spinsBeforeItWent = new AtomicInteger(-1);

  /** A worker's time stands still, so that it spins until it finds something. */
  private long time() {
    if (!Thread.currentThread().getName().contains("worker")) {
      return System.nanoTime();
    }
    spins.incrementAndGet();
    return 0;
  }

  private final class Staging implements Driver {
    @Override
    public String name() {
      return "staging";
    }

    @Override
    public BackendProbe backend() {
      return Backend.available(name(), "");
    }

    @Override
    public void attach(int worker) {}

    @Override
    public boolean park(int worker, long deadlineNanos) {
      LockSupport.parkNanos(100_000);
      return false;
    }

    @Override
    public void unpark(int worker) {}

    @Override
    public boolean hasStaged(int worker) {
      return staged.get();
    }

    @Override
    public int deliver(int worker) {
      looks.incrementAndGet();
      sentSinceLook.set(0);
      if (staged.compareAndSet(true, false)) {
        spinsBeforeItWent.set(spins.get());
      }
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

  private Scheduler scheduler() {
    var config =
        new SchedulerConfig(
            "staging",
            1,
            1,
            SpinMode.MAX,
            1,
            false,
            Long.MAX_VALUE,
            TimeSource.system(),
            (task, failure) -> {},
            FatalErrorPolicy.FAIL_TASK,
            new Machine(this::time, Thread::start),
            thread -> {},
            thread -> {});
    return new Scheduler(config, new Staging());
  }

  private static void end(Scheduler scheduler) {
    scheduler.beginClosing();
    long end = System.nanoTime() + Timeouts.MEDIUM.toNanos();
    assertThat(scheduler.terminate(() -> end)).isEmpty();
  }

  @Test
  void whatTasksHaveSent_goesOutAfterAFewPolls_whileManyOthersWait() {
    int crowd = SchedulerTuning.POLLS_PER_ROUND + SchedulerTuning.POLLS_PER_CLOCK;
    int tasks = 3 * crowd;
    var polls = new AtomicInteger();
    var most = new AtomicInteger();
    Scheduler scheduler = scheduler();
    try {
      scheduler.schedule(
          new Item(() -> {
            for (int i = 0; i < tasks; i++) {
              scheduler.schedule(
                  new Item(() -> {
                    staged.set(true);
                    int sent = sentSinceLook.incrementAndGet();
                    if (tasks - polls.getAndIncrement() > crowd) {
                      most.accumulateAndGet(sent, Math::max);
                    }
                  }));
            }
          }));
      Await.until(() -> polls.get() == tasks, "all tasks to be polled");
      assertThat(most.get()).isLessThanOrEqualTo(SchedulerTuning.POLLS_PER_CLOCK);
    } finally {
      end(scheduler);
    }
  }

  @Test
  void whatATaskHasSentThatWasFoundBySpinning_goesOutBeforeTheNextSpin() {
    Scheduler scheduler = scheduler();
    try {
      scheduler.schedule(new Item(() -> {}));
      Await.until(() -> looks.get() > 2, "a worker that spins");
      scheduler.schedule(
          new Item(() -> {
            spins.set(0);
            staged.set(true);
          }));
      Await.until(() -> spinsBeforeItWent.get() >= 0, "what was sent to go out");
      assertThat(spinsBeforeItWent).hasValue(0);
    } finally {
      end(scheduler);
    }
  }
}
