package dev.blitz.io.channel;

/** Waits for another thread, without a look at what it does in between. */
final class Spin {
  /** Beyond this the other thread is likely not running: the processor is better given to it. */
  private static final int BUSY = 64;

  /**
   * Some microseconds: a sender sends a hundred messages in that time. Shorter ones are worth less,
   * since the lines still come and go; longer ones are time that both could have used.
   */
  private static final int LONGEST_ASIDE = 256;

  private Spin() {}

  /**
   * Stands aside after a lost claim. Two senders at once cost each other the lines of the tail and
   * of the cells at every message; one after the other they do not. In a small ring there is no
   * room for that.
   */
  static void aside(int capacity) {
    int steps = Math.min(LONGEST_ASIDE, capacity / 4);
    for (int i = 0; i < steps; i++) {
      Thread.onSpinWait();
    }
  }

  /**
   * One step of a wait for a thread that is a few instructions away from what the caller needs;
   * {@code spins} is how many there were.
   */
  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it but the time this takes
  static void once(int spins) {
    if (spins < BUSY) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }
}
