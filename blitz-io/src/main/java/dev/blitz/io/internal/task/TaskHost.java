package dev.blitz.io.internal.task;

import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Spawner;
import org.jspecify.annotations.Nullable;

/** What a task needs of the runtime it lives in. */
public interface TaskHost extends Home {

  /** Puts a task that was woken into a run queue; called on any thread. */
  void schedule(TaskCell<?> task);

  /**
   * Puts a task that goes on at once behind the others; called by the worker that just polled it.
   */
  void reschedule(TaskCell<?> task);

  /**
   * Runs the continuation of a virtual thread that is no task but has our scheduler; called on any
   * thread, never throws.
   */
  void carry(Runnable continuation);

  /** Remembers a task that is about to be idle for the first time, so that closing finds it. */
  void own(TaskCell<?> task);

  /** Forgets it. */
  void disown(TaskCell<?> task);

  /** Counts the end of a task. */
  void ended();

  /** Keeps the failure of a task that nobody has asked for yet. */
  void keepUnjoined(JoinCell<?> task, TaskFailure failure);

  /** Forgets such a failure: somebody has seen it. */
  void forgetUnjoined(TaskFailure failure);

  /** What the threads of direct tasks are called that have no name of their own. */
  default String taskThreadName() {
    return "blitz-task";
  }

  /** Where thread dumps find the threads of its direct tasks; null for where the JDK puts them. */
  default @Nullable Object threadListing() {
    return null;
  }

  /** A close has given up a direct task whose thread lives on. */
  default void orphaned(Thread thread) {}

  /** What the runtime does its I/O with. */
  default Driver driver() {
    throw new UnsupportedOperationException("this host has no driver");
  }

  /**
   * Makes a call that looks a host name up, on a thread that no user's call can keep from it.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the runtime is closed
   */
  default <T> JoinHandle<T> lookUp(ThrowingSupplier<? extends T> call) {
    throw new UnsupportedOperationException("this host has no blocking threads");
  }

  /** The runtime itself. */
  Spawner runtime();
}
