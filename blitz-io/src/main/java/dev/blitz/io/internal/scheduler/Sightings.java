package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.base.Frames;
import dev.blitz.io.internal.task.TaskCell;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the tasks and threads of a runtime are doing, for dumps and reports. Looks once, while they
 * go on: each line was true at some moment.
 */
final class Sightings {
  /** A thread inside a poll. */
  private record Run(WorkerThread thread, List<StackTraceElement> stack) {}

  private final OwnedTasks owned;

  /** In the order in which they were seen. */
  private final List<TaskCell<?>> running = new ArrayList<>();

  private final IdentityHashMap<TaskCell<?>, Run> runs = new IdentityHashMap<>();
  private final Map<Thread, String> busy = new LinkedHashMap<>();

  Sightings(Crew crew, WorkerThreads threads, OwnedTasks owned) {
    this.owned = owned;
    for (Worker w : crew.workers()) {
      WorkerThread t = threads.driving(w.index());
      if (t != null && !crew.idle().isParked(w.index())) {
        see(t, w.context().peekTask());
      }
    }
    for (WorkerThread t : threads.spares().withoutWorker()) {
      TaskCell<?> task = t.peekTask();
      if (task != null && t.isAlive()) {
        see(t, task); // it blocks in place
      }
    }
  }

  private void see(WorkerThread thread, @Nullable TaskCell<?> task) {
    StackTraceElement[] stack = stackOf(task, thread);
    if (task == null) {
      busy.put(thread, describe(thread, "", stack));
      return;
    }
    if (runs.put(task, new Run(thread, List.of(stack))) == null) {
      running.add(task);
    }
    busy.put(thread, describe(thread, " runs " + task.label(), stack));
  }

  /** The user's lines: of the virtual thread that is mounted, if there is one. */
  static StackTraceElement[] stackOf(@Nullable TaskCell<?> task, Thread thread) {
    StackTraceElement[] own = task == null ? new StackTraceElement[0] : task.threadStack();
    return own.length > 0 ? own : thread.getStackTrace();
  }

  /** Those that have waited, then those in their first poll. */
  List<String> tasks(boolean wholeStacks) {
    return List.copyOf(eachTask(wholeStacks).values());
  }

  /** The same, by task: a task's equality is its identity. */
  Map<TaskCell<?>, String> eachTask(boolean wholeStacks) {
    Map<TaskCell<?>, String> lines = new LinkedHashMap<>();
    owned.forEach(task -> lines.put(task, describe(task, wholeStacks)));
    for (TaskCell<?> first : running) {
      if (runs.containsKey(first) && !first.isDone()) {
        lines.put(first, describe(first, wholeStacks));
      }
    }
    return lines;
  }

  private String describe(TaskCell<?> task, boolean wholeStack) {
    Run run = runs.remove(task); // its stack is with its thread
    if (run != null) {
      return task.describeRun(run.thread, run.stack.toArray(new StackTraceElement[0]));
    }
    if (!wholeStack) {
      return task.describeWait();
    }
    var text = new StringBuilder(task.describeWait());
    Frames.append(text, task.threadStack());
    return text.toString();
  }

  Map<Thread, String> busyThreads() {
    return busy;
  }

  /** A thread, where the user's code is, and its whole stack. */
  static String describe(Thread thread, String what, StackTraceElement[] stack) {
    var text = new StringBuilder(thread.getName());
    text.append(" (").append(thread.getState()).append(')').append(what).append(Frames.at(stack));
    Frames.append(text, stack);
    return text.toString();
  }
}
