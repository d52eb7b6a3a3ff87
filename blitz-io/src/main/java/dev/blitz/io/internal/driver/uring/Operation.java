package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.posix.Errno;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Something the kernel may be doing for us. It is armed on one ring at a time, in which it has a
 * number, until its last completion. It can be armed again then.
 */
/* Implementation notes
 *
 *   IDLE       -> ARMED       arm, by the owner of the endpoint's side, under the ring's lock
 *   ARMED      -> CANCELLING  cancel, by anyone, under the ring's lock
 *   ARMED      -> IDLE        last completion, by whoever reaps, under the ring's lock
 *   CANCELLING -> IDLE        likewise
 *
 *   field                     | writer                                   | reader          | mode
 *   armedOn                   | arm, last completion, under its lock     | cancel, isArmed | volatile; null is IDLE
 *   key                       | arm                                      | cancel, reaper  | under the ring's lock
 *   next, cancelWaits         | the ring, while it, or its cancel, waits | the same        | under the ring's lock
 *                             | for room                                 |                 |
 *   cancelling, cancelsInVain | cancel, answers of cancels, arm          | the same        | under the ring's lock
 *   drivenBy                  | arm                                      | reaper          | under the ring's lock
 *
 * A cancel is an entry of its own, with an answer of its own. "Not found" while the operation has not completed means that
 * the kernel looked for it at a moment when it was in none of the places where it looks: then it is cancelled again. Without
 * that it would stay armed, and its descriptor open, for as long as nothing happens to it.
 *
 * What it needs while it is armed (a descriptor, memory) is taken by tryBegin and given back by ended, or by aborted if it
 * could not be armed.
 */
abstract class Operation {
  private volatile @Nullable WorkerRing armedOn;
  private long key;
  private boolean cancelling;
  private int cancelsInVain;

  /** Which thread drove the worker of its ring when it was armed. */
  private int drivenBy;

  /** Who waits for room in the submission queue behind this one. */
  @Nullable Operation next;

  /** Whether its cancel waits for room in the submission queue. */
  boolean cancelWaits;

  /** Where it is armed, if it is. */
  final @Nullable WorkerRing armedOn() {
    return armedOn;
  }

  /** Whether the kernel will complete it some time. */
  final boolean isArmed() {
    return armedOn != null;
  }

  /** Whether it has ever been armed, for whoever has called {@link #arm}. */
  final boolean hasBeenArmed() {
    return key != 0;
  }

  /** Whether it is armed on {@code ring}; for certain under that ring's lock. */
  final boolean isArmedOn(WorkerRing ring) {
    return armedOn == ring;
  }

  /**
   * Hands it to a ring; only while it is not armed.
   *
   * @return false if what it needs, or the driver, is closed
   */
  final boolean arm(UringDriver driver) {
    return arm(driver.ringForCaller());
  }

  /** As {@link #arm(UringDriver)}, on a ring that the caller has chosen. */
  final boolean arm(WorkerRing ring) {
    StackRoom.forWake();
    if (!tryBegin()) {
      return false;
    }
    boolean armed = false;
    ring.lock();
    try {
      if (!ring.isClosed()) {
        enlist(ring);
        armed = true;
      }
    } finally {
      armed |= armedOn == ring;
      ring.unlock();
      if (!armed) {
        aborted(); // not under the lock
      }
    }
    if (!armed) {
      return false;
    }
    ring.added();
    if (isUnwanted()) {
      cancel();
    }
    return true;
  }

  private void enlist(WorkerRing ring) {
    key = ring.enlist(this); // if there is no memory, nothing has changed
    cancelling = false;
    cancelsInVain = 0;
    drivenBy = ring.drivers();
    armedOn = ring;
    ring.add(this);
  }

  /** Lets it end soon; its last completion tells. */
  final void cancel() {
    WorkerRing ring = armedOn;
    if (ring == null) {
      return;
    }
    ring.lock();
    try {
      cancelUnderLock(ring);
    } finally {
      ring.unlock();
    }
    ring.added();
  }

  /** As {@link #cancel}, for whoever reaps {@code ring}, and has its lock. */
  final void cancelUnderLock(WorkerRing ring) {
    if (armedOn == ring && !cancelling && !ring.isClosed()) {
      ring.addCancel(this);
      cancelling = true;
    }
  }

  /** As {@link #cancelUnderLock}, also if that was called before. */
  final void cancelAgainUnderLock(WorkerRing ring) {
    cancelling = false;
    cancelUnderLock(ring);
  }

  /** The kernel has said what has come of a cancel of this; under the ring's lock. */
  final void cancelAnswered(WorkerRing ring, int result) {
    // Not found, and not ended either, or it would not be here any more: the kernel was just about
    // it. What it has found ends, if not at once.
    if (result == -Errno.ENOENT && cancelling && cancelsInVain < UringTuning.CANCELS_IN_VAIN) {
      cancelsInVain++;
      ring.addCancel(this);
    }
  }

  /** A completion; under the ring's lock. */
  final void complete(WorkerRing ring, int result, int flags, WokenSlots woken) {
    try {
      completed(ring, result, flags, woken);
    } finally {
      if (CompletionAbi.isLast(flags)) {
        last(ring, woken);
      } else if (drivenBy != ring.drivers()) {
        cancelUnderLock(ring); // the kernel works on the thread before: who waits arms it anew
      }
    }
  }

  private void last(WorkerRing ring, WokenSlots woken) {
    if (goesOn(ring)) {
      ring.add(this);
      return;
    }
    ring.strike(this);
    ended(woken);
    try {
      idle();
    } finally {
      // After the result is visible: who finds it idle looks for a result, then arms.
      armedOn = null;
    }
  }

  /** Before it is armed: takes what it needs; false if that is gone. */
  boolean tryBegin() {
    return true;
  }

  /** After {@link #tryBegin}, instead of being armed; without a lock. */
  void aborted() {}

  /** Having been armed: whether nobody wants it any more, who may have found it not armed yet. */
  boolean isUnwanted() {
    return false;
  }

  /** After its last completion, under the ring's lock: gives back, later, what it needed. */
  void ended(WokenSlots woken) {}

  /** After its last completion: whether it is to be submitted once more; under the ring's lock. */
  boolean goesOn(WorkerRing ring) {
    return false;
  }

  /** It is about to be armed no more, and has not given anything back; under the ring's lock. */
  void idle() {}

  /** Whether {@link #cancel} has been called since it was armed; under the ring's lock. */
  final boolean isCancelling() {
    return cancelling;
  }

  /** Writes the entry that submits it. */
  abstract void write(MemorySegment entries, long at, long userData, WorkerRing ring);

  /**
   * A completion, with flags that tell whether it is the last. Runs under the ring's lock: makes
   * the result visible and names whom to wake, but wakes nobody.
   */
  abstract void completed(WorkerRing ring, int result, int flags, WokenSlots woken);

  final long key() {
    return key;
  }
}
