package dev.blitz.io.internal.driver.nio;

import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.SelectionKey;

/**
 * What a channel's endpoint wants to be told of, and whether its selector has to be told that. The
 * operations are those of {@link SelectionKey}.
 */
/* Implementation notes
 *
 * One word: the operations that somebody waits for, and
 *   QUEUED   it is in the selector's queue, or about to be put there by whoever set the bit
 *   ARMED    it was waited for once, so the selector may know the channel
 *   LEAVING  it has had its last use; nobody arms any more
 *
 *   FROM                    -> TO                          | trigger | by
 *   without some of ops     -> with ops, ARMED, QUEUED     | arm     | a user of the channel
 *   with all of ops         -> the same                    | arm     | a user
 *   any                     -> LEAVING, QUEUED             | leave   | the last user, once
 *   QUEUED                  -> without QUEUED              | dequeue | who has the selector's turn
 *   with some of ops        -> without ops, QUEUED         | told    | who has the turn
 *
 * All are read-modify-writes. Whoever sets QUEUED puts it into the queue: so it is there once.
 */
final class InterestState {
  static final int OPERATIONS =
      SelectionKey.OP_READ
          | SelectionKey.OP_WRITE
          | SelectionKey.OP_CONNECT
          | SelectionKey.OP_ACCEPT;

  private static final int QUEUED = 1 << 8;
  private static final int ARMED = 1 << 9;
  private static final int LEAVING = 1 << 10;

  private static final VarHandle WORD = Fields.of(MethodHandles.lookup(), "word", int.class);

  /** What is to be done after a change. */
  enum Next {
    /** Nothing: the selector knows, or will be told. */
    NONE,
    /** The one who waits in the selector may not know of it. */
    TELL,
    /** As {@link #TELL}, but first it goes into the queue. */
    QUEUE
  }

  private volatile int word;

  /** Somebody waits for {@code operations}. */
  Next arm(int operations) {
    for (; ; ) {
      int w = word;
      if ((w & operations) == operations) {
        return Next.NONE;
      }
      if (WORD.compareAndSet(this, w, w | operations | ARMED | QUEUED)) {
        return (w & QUEUED) == 0 ? Next.QUEUE : Next.TELL;
      }
    }
  }

  /** The last use has ended. */
  Next leave() {
    int before = (int) WORD.getAndBitwiseOr(this, LEAVING | QUEUED);
    return (before & QUEUED) == 0 ? Next.QUEUE : Next.TELL;
  }

  /**
   * It has been taken from the queue.
   *
   * @return whether it was leaving by then; else it will be in the queue once more when it leaves
   */
  boolean dequeue() {
    return ((int) WORD.getAndBitwiseAnd(this, ~QUEUED) & LEAVING) != 0;
  }

  /** Those who wait for {@code operations} will be told; nobody waits for them any more. */
  Next told(int operations) {
    for (; ; ) {
      int w = word;
      if (WORD.compareAndSet(this, w, (w & ~operations) | QUEUED)) {
        return (w & QUEUED) == 0 ? Next.QUEUE : Next.NONE;
      }
    }
  }

  /** What is waited for. */
  int operations() {
    return word & OPERATIONS;
  }

  /** Whether the selector may know the channel. */
  boolean wasArmed() {
    return (word & ARMED) != 0;
  }

  @Override
  public String toString() {
    int w = word;
    return "operations "
        + (w & OPERATIONS)
        + ((w & QUEUED) != 0 ? " queued" : "")
        + ((w & ARMED) != 0 ? " armed" : "")
        + ((w & LEAVING) != 0 ? " leaving" : "");
  }
}
