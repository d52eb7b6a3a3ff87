package dev.blitz.io.internal.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.FatalErrorPolicy;
import dev.blitz.io.SpinMode;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.driver.ParkDriver;
import dev.blitz.io.internal.task.TaskCell;
import dev.blitz.io.time.TimeSource;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TimeLimit;
import dev.blitz.testkit.Timeouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The scheduler sees to timed events whatever its workers are doing. */
@Strict
@TimeLimit(20)
class SchedulerTimersTest {
  private static final long SOON = Duration.ofMillis(20).toNanos();
  private static final long FAR = Duration.ofHours(1).toNanos();

  /** Only there because a scheduler belongs to one; it starts no thread. */
  private final BlitzRuntime runtime = BlitzRuntime.create();

  private final FakeTimers timers = new FakeTimers();
  private final List<Scheduler> schedulers = new ArrayList<>();

  private Scheduler scheduler(int workers) {
    var config =
        new SchedulerConfig(
            "timers",
            workers,
            SpinMode.OFF,
            1,
            Long.MAX_VALUE,
            TimeSource.system(),
            (what, t) -> {
              throw new AssertionError(what, t);
            },
            FatalErrorPolicy.FAIL_TASK,
            Thread::start,
            t -> {},
            t -> {});
    var scheduler =
        new Scheduler(runtime, config, new ParkDriver(workers, TimeSource.system()), timers);
    timers.serve(scheduler);
    schedulers.add(scheduler);
    return scheduler;
  }

  @AfterEach
  void terminate() {
    for (Scheduler s : schedulers) {
      long deadline = System.nanoTime() + Timeouts.MEDIUM.toNanos();
      s.beginClosing();
      assertThat(s.awaitTasks(deadline)).isTrue();
      assertThat(s.terminate(deadline)).isEmpty();
    }
    runtime.close();
  }

  private final class Sleep implements Future<Done> {
    private final long nanos;
    private long deadline;
    private boolean registered;

    Sleep(long nanos) {
      this.nanos = nanos;
    }

    @Override
    public @Nullable Done poll(Context cx) {
      if (!registered) {
        registered = true;
        deadline = System.nanoTime() + nanos;
        timers.add(deadline, cx.waker());
      }
      return System.nanoTime() - deadline >= 0 ? Done.DONE : null;
    }
  }

  /** Pending until {@code open} is set; the waker is left where a timer can have it. */
  private static final class Gate implements Future<Done> {
    final AtomicBoolean open = new AtomicBoolean();
    volatile dev.blitz.io.future.@Nullable Waker waker;

    @Override
    public @Nullable Done poll(Context cx) {
      waker = cx.waker();
      return open.get() ? Done.DONE : null;
    }
  }

  private static void awaitAllParked(Scheduler s, int workers) {
    Await.until(() -> s.idle().parkedCount() == workers, "all workers parked");
  }

  private static void awaitOverseerAsleep(Scheduler s) {
    Await.until(
        () -> {
          Thread t = s.overseer().thread();
          return t != null && t.getState() == Thread.State.WAITING;
        },
        "the overseer asleep");
  }

  @Test
  void aParkedWorker_wakesForTheDeadline_neverEarly() throws Exception {
    var s = scheduler(1);
    long start = System.nanoTime();
    assertThat(s.spawn(new Sleep(SOON), null).await()).isEqualTo(Done.DONE);
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SOON);
    assertThat(timers.fired()).isEqualTo(1);
  }

  @Test
  void manySleeps_onSeveralWorkers_allEnd() throws Exception {
    var s = scheduler(4);
    List<TaskCell<Done>> tasks = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      tasks.add(s.spawn(new Sleep(i % 50 * 1_000_000L), null));
    }
    for (TaskCell<Done> t : tasks) {
      assertThat(t.await()).isEqualTo(Done.DONE);
    }
    awaitAllParked(s, 4);
    assertThat(s.idle().searching()).isZero();
  }

  @Test
  void anEarlierDeadline_wakesTheSitter() throws Exception {
    var s = scheduler(2);
    s.spawn(new Sleep(FAR), null).detach();
    var gate = new Gate();
    TaskCell<Done> task = s.spawn(gate, null);
    for (int round = 0; round < 20; round++) {
      Await.until(() -> gate.waker != null, "the task to wait");
      awaitAllParked(s, 2);
      int before = timers.fired();
      timers.add(System.nanoTime() + 1_000_000, task);
      Await.until(() -> timers.fired() > before, "the earlier timer");
    }
    gate.open.set(true);
    task.wake();
    assertThat(task.await()).isEqualTo(Done.DONE);
  }

  @Test
  void theFirstDeadline_wakesAWorkerThatSleepsWithoutOne() throws Exception {
    var s = scheduler(1);
    assertThat(s.spawn(Futures.done(), null).await()).isEqualTo(Done.DONE);
    awaitAllParked(s, 1);
    awaitOverseerAsleep(s);
    var fired = new CountDownLatch(1);
    timers.add(System.nanoTime() + SOON, fired::countDown);
    fired.await();
  }

  /** The stuck poll ends only when a timer that is due meanwhile has fired: on another worker. */
  @Test
  void aWorkerStuckInAPoll_leavesTheDeadlineToAnother() throws Exception {
    var s = scheduler(2);
    for (int round = 0; round < 5; round++) {
      assertThat(s.spawn(stuckUntilATimerFires(), null).await()).isEqualTo(Done.DONE);
    }
  }

  /** The same, when the worker was woken by a timer and nobody else was awake. */
  @Test
  void theSitterStuckInWhatItsTimerWoke_leavesTheNextDeadlineToAnother() throws Exception {
    var s = scheduler(2);
    for (int round = 0; round < 3; round++) {
      var gate = new Gate();
      TaskCell<Done> task = s.spawn(gate.andThen(d -> stuckUntilATimerFires()), null);
      Await.until(() -> gate.waker != null, "the task to wait");
      awaitAllParked(s, 2);
      awaitOverseerAsleep(s);
      gate.open.set(true);
      timers.add(System.nanoTime() + SOON, task);
      assertThat(task.await()).isEqualTo(Done.DONE);
    }
  }

  private Future<Done> stuckUntilATimerFires() {
    return Futures.lazy(() -> {
      var fired = new CountDownLatch(1);
      timers.add(System.nanoTime() + SOON, fired::countDown);
      fired.await();
      return Done.DONE;
    });
  }

  @Test
  void oneWorkerUnderLoad_stillFiresTimers() throws Exception {
    var s = scheduler(1);
    var stop = new AtomicBoolean();
    TaskCell<Done> busy =
        s.spawn(
            Futures.loop(() ->
                Futures.yieldNow().map(d -> stop.get() ? Futures.Step.STOP : Futures.Step.MORE)),
            null);
    assertThat(s.spawn(new Sleep(SOON), null).await()).isEqualTo(Done.DONE);
    stop.set(true);
    assertThat(busy.await()).isEqualTo(Done.DONE);
  }
}
