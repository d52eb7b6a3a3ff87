package dev.blitz.parallel.internal;

/** Short waits of a searching thread: it has nothing better to do and will sleep soon. */
final class Spinning {
  private Spinning() {}

  /**
   * Lets whoever else can run use this processor: with more workers than processors that may be the
   * one we wait for.
   */
  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it but speed
  static void yieldProcessor() {
    Thread.yield();
  }

  static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }
}
