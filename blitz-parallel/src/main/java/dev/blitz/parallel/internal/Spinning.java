package dev.blitz.parallel.internal;

/** Short waits of a searching thread: it has nothing better to do and will sleep soon. */
final class Spinning {
  private static final int LOOKS_PER_CLOCK = 16;

  /** Whoever is waited for could not run meanwhile. */
  private static final boolean ONE_PROCESSOR = Runtime.getRuntime().availableProcessors() == 1;

  private Spinning() {}

  /**
   * Lets whoever else can run use this processor: with more workers than processors that may be the
   * one we wait for.
   */
  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it but speed
  static void yieldProcessor() {
    Thread.yield();
  }

  /** Until the latch is set, but not for long: a wake-up costs more than a short job. */
  static void spinUntil(Latch latch, long nanos) {
    if (ONE_PROCESSOR || latch.isSet()) {
      return;
    }
    long start = System.nanoTime();
    do {
      for (int i = 0; i < LOOKS_PER_CLOCK; i++) {
        if (latch.isSet()) {
          return;
        }
        Thread.onSpinWait();
      }
    } while (System.nanoTime() - start < nanos);
  }

  static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }
}
