package dev.blitz.io.internal.driver.uring;

import org.jspecify.annotations.Nullable;

/**
 * Sends that the kernel carries out within the call that submits them, and tells of only if it
 * could not: in the order of their entries. Under the ring's lock.
 */
/* Implementation notes
 *
 * An entry that the kernel has taken has been issued, and the completion of one that failed is in the queue, or
 * marked as overflown, before the kernel says so. So: read which entries are taken, then serve all completions that
 * are there; of what was taken and is still silent, everything has been sent, and its memory may be used again.
 */
final class SilentSends {
  private static final int MASK = UringTuning.MOST_SENDS - 1;

  private final @Nullable SendOperation[] sends = new SendOperation[UringTuning.MOST_SENDS];
  private final int[] entries = new int[UringTuning.MOST_SENDS];
  private int first;
  private int end;

  boolean isEmpty() {
    return first == end;
  }

  /** {@code send} is in the entry of number {@code entry}; false if there is no room. */
  boolean tryAdd(SendOperation send, int entry) {
    if (end - first > MASK) {
      return false;
    }
    sends[end & MASK] = send;
    entries[end & MASK] = entry;
    end++;
    return true;
  }

  /**
   * Takes the first out, if its entry is before {@code firstNotTaken} and it has not completed.
   *
   * @return null if there is none
   */
  @Nullable SendOperation takeSent(int firstNotTaken) {
    while (first != end && entries[first & MASK] - firstNotTaken < 0) {
      int at = first++ & MASK;
      SendOperation send = sends[at];
      sends[at] = null;
      if (send != null && send.isSilent(entries[at])) {
        return send;
      }
    }
    return null;
  }

  void clear() {
    while (first != end) {
      sends[first++ & MASK] = null;
    }
  }
}
