package dev.blitz.io.internal.task;

import dev.blitz.io.internal.current.BusyThreads;
import dev.blitz.io.internal.current.Failures;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.current.Places;
import dev.blitz.io.internal.current.TaskThreads;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.policy.FatalErrorPolicy;
import dev.blitz.io.policy.TimeSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A schedule whose only worker is the test: what is scheduled waits in a list. Thread safe. */
public final class FakeSchedule implements Schedule {
  private final Queue<QueueItem> queue = new ArrayDeque<>();
  private final List<Throwable> told = new ArrayList<>();
  private final Set<TaskCell<?>> owned = new HashSet<>();
  private int ended;

  private final Home home;

  public FakeSchedule() {
    this(FatalErrorPolicy.FAIL_TASK, () -> {}, new BusyThreads(false, () -> {}));
  }

  private FakeSchedule(FatalErrorPolicy policy, Runnable close, BusyThreads busy) {
    home =
        new Home(
            new Failures((what, t) -> tell(t), policy, close, () -> {}),
            new RuntimeTimers(TimeSource.system(), 1, () -> {}),
            busy,
            new Places(1),
            new TaskThreads("fake", "fake-task", action -> {}),
            1);
  }

  /**
   * Of a runtime that has no memory left: telling it of an Error of the virtual machine throws one,
   * and so does its clock when it hears that a thread is idle.
   */
  public static FakeSchedule withoutMemory() {
    Runnable failing =
        () -> {
          throw new InternalError("a test"); // JUnit ends at an OutOfMemoryError
        };
    return new FakeSchedule(
        FatalErrorPolicy.CLOSE_RUNTIME, failing, new BusyThreads(true, failing));
  }

  /** Of a runtime whose clock hears of each thread that has nothing to do. */
  public static FakeSchedule whoseClock(Runnable hears) {
    return new FakeSchedule(FatalErrorPolicy.FAIL_TASK, () -> {}, new BusyThreads(true, hears));
  }

  private synchronized void tell(Throwable failure) {
    told.add(failure);
  }

  @Override
  public synchronized void schedule(QueueItem item) {
    queue.add(item);
  }

  @Override
  public void reschedule(TaskCell<?> task) {
    schedule(task);
  }

  @Override
  public synchronized void own(TaskCell<?> task) {
    owned.add(task);
  }

  @Override
  public synchronized void disown(TaskCell<?> task) {
    owned.remove(task);
  }

  @Override
  public synchronized void ended() {
    ended++;
  }

  @Override
  public Home home() {
    return home;
  }

  /** Takes what was scheduled first. */
  public synchronized @Nullable QueueItem next() {
    return queue.poll();
  }

  /** Polls until nothing is scheduled. */
  public void runAll(PollContext cx) {
    for (QueueItem task = next(); task != null; task = next()) {
      task.run(cx);
    }
  }

  /** What the uncaught handler would have heard. */
  public synchronized List<Throwable> told() {
    return List.copyOf(told);
  }

  /** Whether there are failures that nobody has asked for. */
  public boolean hasUnjoined() {
    return !home.failures().unjoined().isEmpty();
  }

  public synchronized int owned() {
    return owned.size();
  }

  public synchronized int endedCount() {
    return ended;
  }

  public synchronized int scheduled() {
    return queue.size();
  }
}
