package dev.blitz.io.channel;

import org.jspecify.annotations.Nullable;

/**
 * One to whom something is owed: a wake, or a farewell, that could not be carried out because the
 * stack or the memory of the caller was used up. What it belongs to had taken place by then, so the
 * caller could not fail any more. It leaves the rest here, and whoever next waits or wakes at any
 * channel does it. Rare, because where somebody waits stack room is looked for before the claim.
 */
/* Implementation notes
 *
 * Owing is written out in the handlers of WaitQueue and ChannelFuture: a full stack has no room for a call. It
 * consists of bytecodes that call nothing; hence a monitor, held for a few stores, where elsewhere there is a CAS.
 *
 * Orderings
 *   field     | writer      | reader        | mode     | pairs with
 *   first     | under LOCK  | who passes by | volatile | a hint; settleAll takes the list under LOCK
 *   owing     | under LOCK  | under LOCK    | plain    | true from the list until it is settled
 *   nextOwed  | under LOCK, or by settleAll for those it has taken off | the same | plain |
 */
abstract class Owed {
  static final Object LOCK = new Object();

  static volatile @Nullable Owed first;

  @Nullable Owed nextOwed;
  boolean owing;

  /** Does what is owed. What cannot be done now either is owed again. */
  abstract void settle();

  /** Settles with all that are owed something now. */
  static void settleAll() {
    Owed taken;
    synchronized (LOCK) {
      taken = first;
      first = null;
    }
    try {
      while (taken != null) {
        Owed o = taken;
        synchronized (LOCK) {
          taken = o.nextOwed;
          o.nextOwed = null;
          o.owing = false;
        }
        o.settle();
      }
    } finally {
      synchronized (LOCK) {
        while (taken != null) { // an overflow between two: the rest is still owed
          Owed o = taken;
          taken = o.nextOwed;
          o.nextOwed = first;
          first = o;
        }
      }
    }
  }
}
