package dev.blitz.io.sync;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.current.TaskPoll;
import dev.blitz.io.internal.wait.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * A wait for permits, and then the proof that one has them: the future hands itself out as the
 * guard, so that a lock costs one object.
 *
 * <pre>
 *   FROM        TO          trigger                             actor
 *   UNSETTLED   GRANTED     permits taken or handed over        owner, or a giver under the lock
 *   UNSETTLED   REFUSED     close                               the closer, under the lock
 *   GRANTED     HELD        the poll that returns the guard     owner
 *   REFUSED     ENDED       the poll that throws                owner
 *   UNSETTLED   ENDED       drop                                owner
 *   HELD        ENDED       close of the guard, forget, merge   anyone, once: by CAS
 * </pre>
 *
 * @param <Q> whose permits
 */
abstract class PermitWait<Q extends PermitQueue> extends Waiter {
  static final byte GRANTED = 1;
  static final byte REFUSED = 2;
  static final byte HELD = 3;
  static final byte ENDED = 4;

  /** How many permits this is about; changed by split and merge, by the guard's user. */
  private int count;

  /** Whether it has let others run first. Only for the owner. */
  private boolean gaveWay;

  /** How many gives have passed by this waiter as the oldest. Under the queue's lock. */
  private byte overtaken;

  /** Whether it was woken to look at permits and has not yet. Under the queue's lock. */
  boolean called;

  /** How many of them it still waits for. Under the queue's lock. */
  private int missing;

  /** Where the permits come from. */
  final Q queue;

  PermitWait(Q queue, int count) {
    this.queue = queue;
    this.count = count;
  }

  /** A guard for permits that are held already. */
  PermitWait(Q queue, int count, byte outcome) {
    this(queue, count);
    settle(outcome);
  }

  final int count() {
    return count;
  }

  final void resize(int count) {
    this.count = count;
  }

  // --- As a future ---

  /** Polls; true exactly once, when it has its permits. */
  final boolean acquire(Context cx) {
    byte now = outcome();
    if (now == UNSETTLED) {
      now = attempt(cx);
    }
    return switch (now) {
      case UNSETTLED -> false;
      case GRANTED -> {
        disarm();
        settle(HELD);
        yield true;
      }
      case REFUSED -> {
        disarm();
        settle(ENDED);
        throw queue.refusal();
      }
      default ->
          throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
    };
  }

  private byte attempt(Context cx) {
    if (isArmed()) {
      Waker waker = cx.waker();
      // Else a wake may be on its way.
      return called || !isArmedWith(waker) ? queue.look(this, waker) : UNSETTLED;
    }
    StackRoom.forMany(); // more than the end of the guard needs, which comes at the same depth
    if (!cx.proceed()) {
      return UNSETTLED;
    }
    byte now =
        queue.takeOrWait(count) ? GRANTED : givesWay(cx) ? UNSETTLED : queue.join(this, cx.waker());
    if (now == UNSETTLED) {
      cx.refund();
    }
    return now;
  }

  /**
   * Whether this comes again after the others of its worker, before it takes a place in the queue:
   * once, where a task of this worker has just handed the permits to one that waits for the worker
   * too. If each such task took its place at once there would be a queue for ever, and a change of
   * tasks for each hand-over.
   */
  private boolean givesWay(Context cx) {
    if (gaveWay
        || !queue.isHandedOverHere()
        || !(cx instanceof TaskPoll here && here.goOnAtOnce())) {
      return false;
    }
    gaveWay = true;
    return true;
  }

  /** Gives up the place in the queue, or the permits that came meanwhile. */
  public final void drop() {
    StackRoom.forCalls();
    if (!isArmed()) {
      moveOutcome(UNSETTLED, ENDED);
    } else if (queue.leave(this)) {
      settle(ENDED);
    } else if (outcome() == GRANTED) {
      settle(ENDED);
      giveBack();
    }
  }

  // --- As an element of the queue, under its lock ---

  final void join(int gathered, Waker waker) {
    missing = count - gathered;
    enter(queue.waiting, waker);
  }

  /** What has been put aside for it. */
  final int gathered() {
    return count - missing;
  }

  /** Takes what it needs of {@code permits}; answers what is left, or -1 if it needs still more. */
  final int gather(int permits) {
    if (permits < missing) {
      missing -= permits;
      return -1;
    }
    int left = permits - missing;
    missing = 0;
    return left;
  }

  /** Whether others may have what is given now, though this is the oldest: a number of times. */
  final boolean letsPass() {
    if (overtaken == PermitQueue.OVERTAKERS) {
      return false;
    }
    overtaken++;
    return true;
  }

  /** The waker of one who is to look; null if it has been called and not looked yet. */
  final @Nullable Waker call() {
    if (called) {
      return null;
    }
    called = true;
    return waker();
  }

  // --- As a guard ---

  /** Ends the guard; true the first time, when the caller has to give the permits back. */
  final boolean end() {
    StackRoom.forCalls(); // for giving back what it has, too
    return moveOutcome(HELD, ENDED);
  }

  /** Ends the guard and keeps the permits out, for another guard or for good. */
  final void surrender(String operation) {
    if (!end()) {
      throw new IllegalStateException(
          operation + " of a guard that is closed already, of " + queue);
    }
  }

  final boolean isHeld() {
    return outcome() == HELD;
  }

  /** Returns the permits to the queue, of a future that was dropped. */
  abstract void giveBack();

  @Override
  public String toString() {
    String what = what();
    return switch (outcome()) {
      case UNSETTLED, REFUSED -> what + " of " + queue;
      case GRANTED, HELD -> what + " held, of " + queue;
      default -> what + " given back, of " + queue;
    };
  }

  /** The permits in words. */
  abstract String what();
}
