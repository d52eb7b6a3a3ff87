package dev.blitz.io.internal.current;

import dev.blitz.io.internal.timer.RuntimeTimers;

/** What a thread inside a runtime can ask of it, whatever the thread does there. */
public interface Home {

  /**
   * Tells the uncaught handler, and acts on an Error of the virtual machine as the runtime's policy
   * says.
   */
  void uncaught(String what, Throwable failure);

  /**
   * Tells the uncaught handler that a thread could not start, which the runtime has coped with: no
   * case for the policy, whatever class the JVM's error has.
   */
  default void notStarted(String what, Throwable failure) {
    uncaught(what, failure);
  }

  /**
   * Threads besides the workers that run code of tasks have become more or fewer; only a manual
   * clock wants to know.
   */
  default void busyElsewhere(int delta) {}

  /**
   * Waits until one more call may block in place, and takes its place; for virtual threads that are
   * not pinned.
   */
  default void takePlace() throws InterruptedException {}

  /** Gives back a place that was not needed. */
  default void giveBackPlace() {}

  /** A thread besides the workers has nothing to do any more. */
  void quiet();

  /** The runtime's timers. */
  RuntimeTimers timers();

  /** Whether new tasks are refused and all others cancelled. */
  default boolean isClosing() {
    return false;
  }
}
