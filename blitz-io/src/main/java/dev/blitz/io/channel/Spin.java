package dev.blitz.io.channel;

/** Waits for another thread that is a few instructions away from what the caller needs. */
final class Spin {
  /** Beyond this the other thread is likely not running: the processor is better given to it. */
  private static final int BUSY = 64;

  private Spin() {}

  /** One step; {@code spins} is how many there were. */
  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it but the time this takes
  static void once(int spins) {
    if (spins < BUSY) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }
}
