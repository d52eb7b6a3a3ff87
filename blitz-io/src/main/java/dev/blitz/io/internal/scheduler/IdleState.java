package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Who is searching for work and who is parked.
 *
 * <p>Two words: the number of searching workers, and a bitmap with the bit of each parked one. All
 * accesses are volatile; {@code docs/design/scheduler.md} proves that no task waits in a queue
 * while every worker that could run it sleeps.
 */
/* Implementation notes
 *
 * Steps, as the design note names them:
 *   ANNOUNCE  a worker sets its bit, and gives up searching if it was a searcher
 *   RECHECK   it looks at all queues once more; finding work it does as a producer does
 *   POST      a producer has made a task visible (volatile write of a ring's tail or the inject length)
 *   LOOK      it reads `searching`, then the bitmap
 *   RAISE     it moves `searching` from 0 to 1 on behalf of the worker it is going to wake
 *   CLAIM     it clears a bit; the worker whose bit was cleared by another is searching from then on
 * A worker that finds its bit still set when it wakes was not claimed: it clears the bit itself
 * (unparkSelf) and is not searching. Both clear by RMW, so exactly one of them did.
 */
final class IdleState {
  private static final VarHandle SEARCHING =
      Fields.of(MethodHandles.lookup(), "searching", int.class);
  private static final VarHandle PARKED = Fields.of(MethodHandles.lookup(), "parked", long.class);

  private final int workers;
  private volatile int searching;
  private volatile long parked;

  IdleState(int workers) {
    this.workers = workers;
  }

  /** At most half of the workers search at a time. */
  boolean tryStartSearching() {
    for (; ; ) {
      int s = searching;
      if (2 * s >= workers) {
        return false;
      }
      if (SEARCHING.compareAndSet(this, s, s + 1)) {
        return true;
      }
    }
  }

  /**
   * A searcher found work or gave up.
   *
   * @return whether it was the last one: it must look whether more work waits
   */
  boolean stopSearching() {
    return (int) SEARCHING.getAndAdd(this, -1) == 1;
  }

  /** ANNOUNCE: worker {@code index} is about to park. */
  void announceParked(int index) {
    PARKED.getAndBitwiseOr(this, 1L << index);
  }

  /**
   * The worker itself ends its park.
   *
   * @return false when it was claimed: it is searching now
   */
  boolean unparkSelf(int index) {
    long bit = 1L << index;
    return ((long) PARKED.getAndBitwiseAnd(this, ~bit) & bit) != 0;
  }

  boolean isParked(int index) {
    return (parked & 1L << index) != 0;
  }

  /** {@link #claim}: nobody needs to be woken. */
  static final int NOBODY = -1;

  /** {@link #claim}: the count was raised for nobody; the caller must look at the queues again. */
  static final int IN_VAIN = -2;

  /**
   * LOOK, RAISE and CLAIM: picks a parked worker to search for the work that was posted.
   *
   * @param last the worker to take only if no other is parked, or -1
   * @return its index, to be woken by the caller; or {@link #NOBODY} or {@link #IN_VAIN}
   */
  int claim(int last) {
    if (searching != 0 || parked == 0 || !SEARCHING.compareAndSet(this, 0, 1)) {
      return NOBODY;
    }
    return claimRaised(last);
  }

  /** CLAIM without LOOK: picks one more, whoever is searching. Answers as {@link #claim}. */
  int claimAnother(int last) {
    SEARCHING.getAndAdd(this, 1);
    return claimRaised(last);
  }

  private int claimRaised(int last) {
    int index = claimBit(last);
    if (index >= 0) {
      return index;
    }
    // All are awake. While the count was raised another producer may have relied on it, and the
    // last worker awake may have gone to sleep before that producer's post: lowering must be
    // followed by a look.
    return stopSearching() ? IN_VAIN : NOBODY;
  }

  private int claimBit(int last) {
    for (; ; ) {
      long p = parked;
      if (p == 0) {
        return -1;
      }
      long others = last < 0 ? p : p & ~(1L << last);
      long bit = Long.lowestOneBit(others == 0 ? p : others);
      if (((long) PARKED.getAndBitwiseAnd(this, ~bit) & bit) != 0) {
        return Long.numberOfTrailingZeros(bit);
      }
    }
  }

  int searching() {
    return searching;
  }

  int parkedCount() {
    return Long.bitCount(parked);
  }

  boolean allParked() {
    return parkedCount() == workers;
  }

  @Override
  public String toString() {
    return searching + " searching, parked " + Long.toBinaryString(parked);
  }
}
