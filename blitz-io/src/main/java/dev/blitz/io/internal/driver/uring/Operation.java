package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.socket.Descriptor;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Something the kernel may be doing for an endpoint. It is armed on one ring at a time, in which it
 * has a number, and uses its descriptor until its last completion. It can be armed again then.
 */
/* Implementation notes
 *
 *   IDLE       -> ARMED       arm, by the owner of the endpoint's side, under the ring's lock
 *   ARMED      -> CANCELLING  cancel, by anyone, under the ring's lock
 *   ARMED      -> IDLE        last completion, by whoever reaps, under the ring's lock
 *   CANCELLING -> IDLE        likewise
 *
 *   field | writer                                | reader           | mode
 *   home  | arm, last completion, under its lock  | cancel, isArmed  | volatile; null is IDLE
 *   key   | arm                                   | cancel, reaper   | under home's lock
 *
 * Closing: the closer marks the descriptor, then reads `home` in cancel; arm writes `home`, then looks at the
 * descriptor. Both words are volatile, so either the closer cancels or the arming thread does.
 */
abstract class Operation {
  private final Descriptor descriptor;
  private volatile @Nullable WorkerRing home;
  private long key;
  private boolean cancelling;

  Operation(Descriptor descriptor) {
    this.descriptor = descriptor;
  }

  final Descriptor descriptor() {
    return descriptor;
  }

  /** Whether the kernel will complete it some time. */
  final boolean isArmed() {
    return home != null;
  }

  /**
   * Hands it to a ring; only while it is not armed.
   *
   * @return false if the descriptor or the driver is closed
   */
  final boolean arm(UringDriver driver) {
    return arm(driver.ringForCaller());
  }

  /** As {@link #arm(UringDriver)}, on a ring that the caller has chosen. */
  final boolean arm(WorkerRing ring) {
    if (!descriptor.tryUse()) {
      return false;
    }
    ring.lock();
    try {
      if (ring.isClosed()) {
        descriptor.release();
        return false;
      }
      key = ring.enlist(this);
      cancelling = false;
      home = ring;
      ring.add(this);
    } finally {
      ring.unlock();
    }
    ring.added();
    if (!descriptor.isOpen() && endsWithDescriptor()) {
      cancel();
    }
    return true;
  }

  /** Lets it end soon; its last completion tells. */
  final void cancel() {
    WorkerRing ring = home;
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
    if (home == ring && !cancelling && !ring.isClosed()) {
      cancelling = true;
      ring.addCancel(key);
    }
  }

  /** A completion; under the ring's lock. */
  final void complete(WorkerRing ring, int result, int flags, WokenSlots woken) {
    completed(ring, result, flags, woken);
    if (!CompletionAbi.isLast(flags)) {
      return;
    }
    if (goesOn(ring)) {
      ring.add(this);
      return;
    }
    ring.strike(key);
    home = null; // after the result is visible: who finds it idle looks for a result, then arms
    idle();
    woken.release(descriptor);
  }

  /** Whether closing the descriptor cancels it, or lets it do its work first. */
  boolean endsWithDescriptor() {
    return true;
  }

  /** After its last completion: whether it is to be submitted once more; under the ring's lock. */
  boolean goesOn(WorkerRing ring) {
    return false;
  }

  /** It is not armed any more, and still uses its descriptor; under the ring's lock. */
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
