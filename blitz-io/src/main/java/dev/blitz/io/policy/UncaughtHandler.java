package dev.blitz.io.policy;

import dev.blitz.io.internal.base.FailureLog;

/**
 * Told of every failure that nobody else will see: a detached task that failed, a failed task whose
 * handle was thrown away, a {@code drop()} that threw. Each failure is told once.
 */
@FunctionalInterface
public interface UncaughtHandler {

  /**
   * Takes note of a failure. Called on a runtime thread, or on the one that detaches a task which
   * has failed; must not block. What it throws is logged.
   *
   * @param what the task or action that failed
   * @param failure what was thrown
   */
  void uncaught(String what, Throwable failure);

  /** Logs to the {@link System.Logger} named {@code dev.blitz.io}; this is the default. */
  static UncaughtHandler logging() {
    return FailureLog::log;
  }
}
