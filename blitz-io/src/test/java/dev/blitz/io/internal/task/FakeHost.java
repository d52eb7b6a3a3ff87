package dev.blitz.io.internal.task;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.internal.timer.RuntimeTimers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A host whose only worker is the test: tasks that are scheduled wait in a list. Thread safe. */
public final class FakeHost implements TaskHost {
  private final Queue<TaskCell<?>> queue = new ArrayDeque<>();
  private final List<Throwable> told = new ArrayList<>();
  private final Set<TaskFailure> unjoined = new HashSet<>();
  private final Set<TaskCell<?>> owned = new HashSet<>();
  private int ended;

  @Override
  public synchronized void schedule(TaskCell<?> task) {
    queue.add(task);
  }

  @Override
  public synchronized void reschedule(TaskCell<?> task) {
    queue.add(task);
  }

  @Override
  public void carry(Runnable continuation) {
    throw new AssertionError("no thread has this host's scheduler");
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
  public synchronized void keepUnjoined(JoinCell<?> task, TaskFailure failure) {
    unjoined.add(failure);
  }

  @Override
  public synchronized void forgetUnjoined(TaskFailure failure) {
    unjoined.remove(failure);
  }

  @Override
  public synchronized void uncaught(String what, Throwable failure) {
    told.add(failure);
  }

  @Override
  public void quiet() {}

  @Override
  public RuntimeTimers timers() {
    throw new AssertionError("this host has no timers");
  }

  @Override
  public BlitzRuntime runtime() {
    throw new UnsupportedOperationException("there is no runtime around this host");
  }

  /** Takes the task that was scheduled first. */
  public synchronized @Nullable TaskCell<?> next() {
    return queue.poll();
  }

  /** Polls until nothing is scheduled. */
  public void runAll(PollContext cx) {
    for (TaskCell<?> task = next(); task != null; task = next()) {
      task.run(cx);
    }
  }

  /** What the uncaught handler would have heard. */
  public synchronized List<Throwable> told() {
    return List.copyOf(told);
  }

  public synchronized int unjoined() {
    return unjoined.size();
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
