package dev.blitz.io.internal.base;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Waits for the end of a thread whatever interrupts the wait; the interrupt is kept for later. */
public final class ThreadJoin {
  private ThreadJoin() {}

  /**
   * Waits until {@code thread} has ended or the deadline passes, which may become later meanwhile.
   *
   * @return whether it has ended, or has never been started
   */
  public static boolean until(Thread thread, LongSupplier deadlineNanos, Machine machine) {
    if (!thread.isAlive()) {
      return true;
    }
    boolean interrupted = false;
    try {
      for (; ; ) {
        long left = deadlineNanos.getAsLong() - machine.nanoTime();
        try {
          if (thread.join(Duration.ofMillis(Math.max(1, left / 1_000_000)))) {
            return true;
          }
        } catch (InterruptedException e) {
          interrupted = true;
        }
        if (deadlineNanos.getAsLong() - machine.nanoTime() <= 0) {
          return !thread.isAlive();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
