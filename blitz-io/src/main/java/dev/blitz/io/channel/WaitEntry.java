package dev.blitz.io.channel;

import dev.blitz.io.future.Waker;
import org.jspecify.annotations.Nullable;

/**
 * A future that may wait in a {@link WaitQueue}; it is its own entry there.
 *
 * <pre>
 * FROM    TO      trigger                          actor, under the queue's lock
 * NOT     QUEUED  enlist                           owner
 * QUEUED  WOKEN   a wake picks it                  whoever wakes
 * WOKEN   QUEUED  there was nothing for it         owner
 * QUEUED  NOT     drop                             owner
 * WOKEN   NOT     success, failure, drop           owner (no lock needed: it is in no list)
 * </pre>
 */
abstract class WaitEntry extends Owed {
  static final byte NOT_WAITING = 0;
  static final byte QUEUED = 1;
  static final byte WOKEN = 2;

  /**
   * Where it is. Written under the lock while queued, by the owner otherwise; all accesses are
   * plain. The owner reads it without the lock: if it still reads QUEUED after it has been woken,
   * the call of its waker is yet to come, and after that it cannot.
   */
  byte stage;

  /** How often it was woken and found nothing; the owner's. */
  byte vain;

  /** Its place in the order of arrival; only differences count. Guarded by the lock. */
  int ticket;

  /** Guarded by the lock while queued. */
  @Nullable Waker waker;

  /** Neighbours in the queue, guarded by the lock. */
  @Nullable WaitEntry prev;

  @Nullable WaitEntry next;

  /** Where it waits. */
  abstract WaitQueue queue();

  /**
   * Whether there is still nothing for it. Called under the lock of the queue, after the queue has
   * announced that somebody waits.
   */
  abstract boolean mustWait();

  /** Whether close is still to come, and with it a wake for all that wait. */
  abstract boolean isOpen();

  /** For how many waiters there is something now. */
  abstract int available();
}
