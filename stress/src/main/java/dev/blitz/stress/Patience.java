package dev.blitz.stress;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Bounded waits: what does not come in time fails, with the stacks of all threads. */
public final class Patience {
  /** Far beyond any delay of a loaded machine, far below the runner's own limit. */
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private static final int SPINS = 200;
  private static final long PAUSE_NANOS = 20_000;
  private static final int MAX_DELAY_NANOS = 60_000;

  private Patience() {}

  /** Waits for a condition. */
  public static void until(BooleanSupplier condition, Supplier<String> what) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    for (int i = 0; !condition.getAsBoolean(); i++) {
      if (i < SPINS) {
        Thread.onSpinWait();
        continue;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError(
            "waited " + LIMIT.toSeconds() + " s for " + what.get() + allStacks());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /**
   * Nothing, a few instructions, or up to some microseconds: moves two threads against each other.
   */
  public static void delay(SplittableRandom random) {
    switch (random.nextInt(5)) {
      case 0 -> {}
      case 1 -> LockSupport.parkNanos(1);
      case 2 -> LockSupport.parkNanos(random.nextInt(1, MAX_DELAY_NANOS));
      default -> {
        for (int i = random.nextInt(300); i > 0; i--) {
          Thread.onSpinWait();
        }
      }
    }
  }

  private static String allStacks() {
    var text = new StringBuilder();
    Thread.getAllStackTraces()
        .forEach((thread, frames) -> {
          text.append("\n\n").append(thread.getName()).append(' ').append(thread.getState());
          for (StackTraceElement frame : frames) {
            text.append("\n    at ").append(frame);
          }
        });
    return text.toString();
  }
}
