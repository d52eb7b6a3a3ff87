package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The sending side of a stream: whether a staged write is on its way, whether the output is to end,
 * and what has become of it.
 *
 * <pre>
 *   FROM      TO        transition  trigger, actor
 *   OPEN      SENDING   begin       a write is staged, by the writing side
 *   SENDING   OPEN      sent        its last completion, by whoever reaps; or it could not be armed, by the writing side
 *   OPEN      ENDED     end         shutdownOutput, by anyone: who gets SHUT_DOWN tells the kernel
 *   SENDING   ENDING    end         the same: what was taken goes first
 *   ENDING    ENDED     sent        as above, and whoever is told SHUT_DOWN tells the kernel
 *   any       the same  broke       a call or a send has found the connection broken: its errno stays
 *   SENDING,  the same  failed      a send has failed: its errno stays, and each later write fails with it
 *   ENDING
 *   SENDING,  the same  lost        the peer does not get all that was taken, so the output must not seem to end well
 *   ENDING
 * </pre>
 */
/* Implementation notes
 *
 * One word, changed by compareAndSet, read with volatile mode by both sides, whoever closes and whoever reaps.
 *
 *   bits     31..16            15..4    3      2        1..0
 *            errno, of either  unused   LOST   FAILED   phase
 *
 * An errno without FAILED is one that only broke: the kernel tells a later write itself, but not the reader. The
 * first errno stays. `sent` comes before the operation counts as idle, so a writing side that finds it idle finds
 * OPEN, or that the output ends.
 */
final class OutputState {
  private static final VarHandle WORD =
      Fields.of(MethodHandles.lookup(), "word", int.class).withInvokeExactBehavior();

  private static final int OPEN = 0;
  private static final int SENDING = 1;
  private static final int ENDING = 2;
  private static final int ENDED = 3;
  private static final int PHASE = 3;
  private static final int FAILED = 4;
  private static final int LOST = 8;
  private static final int ERRNO_SHIFT = 16;

  /** What whoever made a transition has to do next. */
  enum Next {
    /** Nothing: somebody else does what is left, or nothing is. */
    NOTHING,
    /** Tell the kernel that the output ends. */
    SHUT_DOWN
  }

  @SuppressWarnings("UnusedVariable") // through WORD
  private volatile int word;

  private boolean cas(int before, int after) {
    return WORD.compareAndSet(this, before, after);
  }

  /** Writing side, while nothing is on its way; false if the output is to end, or something is. */
  boolean begin() {
    for (; ; ) {
      int before = word;
      if ((before & PHASE) != OPEN) {
        return false;
      }
      if (cas(before, before | SENDING)) {
        return true;
      }
    }
  }

  /** What {@link #begin} began is over; said twice, the second time does nothing. */
  Next sent() {
    for (; ; ) {
      int before = word;
      int phase = before & PHASE;
      if (phase != SENDING && phase != ENDING) {
        return Next.NOTHING;
      }
      if (cas(before, (before & ~PHASE) | (phase == SENDING ? OPEN : ENDED))) {
        return phase == ENDING && (before & LOST) == 0 ? Next.SHUT_DOWN : Next.NOTHING;
      }
    }
  }

  /** The output ends; once more, it is told once more. */
  Next end() {
    for (; ; ) {
      int before = word;
      boolean sends = (before & PHASE) == SENDING || (before & PHASE) == ENDING;
      if (cas(before, (before & ~PHASE) | (sends ? ENDING : ENDED))) {
        return sends ? Next.NOTHING : Next.SHUT_DOWN;
      }
    }
  }

  /** A send has failed: each later write does. */
  void failed(int errno) {
    note(errno, FAILED);
  }

  /** The kernel has told a write that the connection is broken, and tells nobody else. */
  void broke(int errno) {
    note(errno, 0);
  }

  /** The peer does not get all that was taken. */
  void lost() {
    note(0, LOST);
  }

  private void note(int errno, int flag) {
    for (; ; ) {
      int before = word;
      int kept = before >>> ERRNO_SHIFT != 0 ? 0 : errno << ERRNO_SHIFT;
      if (cas(before, before | kept | flag)) {
        return;
      }
    }
  }

  /** Whether later writes are refused. */
  boolean isToEnd() {
    return (word & PHASE) >= ENDING;
  }

  /** The errno that every later write fails with; 0 if it may succeed. */
  int failure() {
    int now = word;
    return (now & FAILED) == 0 ? 0 : now >>> ERRNO_SHIFT;
  }

  /** The first errno that a write was told; 0 if none. */
  int errno() {
    return word >>> ERRNO_SHIFT;
  }

  @Override
  public String toString() {
    int now = word;
    String phase =
        switch (now & PHASE) {
          case OPEN -> "OPEN";
          case SENDING -> "SENDING";
          case ENDING -> "ENDING";
          default -> "ENDED";
        };
    return phase
        + ((now & FAILED) != 0 ? ", FAILED" : "")
        + ((now & LOST) != 0 ? ", LOST" : "")
        + (now >>> ERRNO_SHIFT != 0 ? ", errno " + (now >>> ERRNO_SHIFT) : "");
  }
}
