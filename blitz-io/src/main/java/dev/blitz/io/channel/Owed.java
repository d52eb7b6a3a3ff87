package dev.blitz.io.channel;

import dev.blitz.io.internal.base.Debts;
import org.jspecify.annotations.Nullable;

/**
 * One to whom something is owed: a wake, or a farewell, that could not be carried out because the
 * stack or the memory of the caller was used up. What it belongs to had taken place by then, so the
 * caller could not fail any more. It leaves the rest here, and whoever next waits or wakes at any
 * channel does it, or a worker or a thread that is about to park ({@link Debts}). Rare, because
 * where somebody waits stack room is looked for before the claim.
 */
/* Implementation notes
 *
 * Owing is written out in the handlers of WaitQueue, ChannelFuture, Channel, Broadcast, Oneshot and Watch: a full
 * stack has no room for a call. It consists of bytecodes that call nothing; hence a monitor, held for a few stores,
 * where elsewhere there is a CAS.
 *
 * Orderings
 *   field     | writer      | reader        | mode     | pairs with
 *   first     | under LOCK  | who passes by | volatile | a hint; payAll takes the list under LOCK
 *   owing     | under LOCK  | under LOCK    | plain    | true from the list until it is paid
 *   nextOwed  | under LOCK, or by payAll for those it has taken off | the same | plain |
 */
abstract class Owed {
  static final Object LOCK = new Object();

  static volatile @Nullable Owed first;

  static {
    Debts.payBy(new Payer());
  }

  /** No lambda: linking one takes more stack than whoever comes here first may have. */
  private static final class Payer implements Runnable {
    @Override
    public void run() {
      if (first != null) {
        payAll();
      }
    }
  }

  @Nullable Owed nextOwed;
  boolean owing;

  /** Does what is owed. If it throws it is owed again. */
  abstract void pay();

  /** Pays all that are owed something now; those for whom it fails, later. */
  static void payAll() {
    Owed taken;
    synchronized (LOCK) {
      taken = first;
      first = null;
    }
    Owed current = null;
    try {
      while (taken != null) {
        current = taken;
        synchronized (LOCK) {
          taken = current.nextOwed;
          current.nextOwed = null;
          current.owing = false; // from here on more may be owed to it
        }
        current.pay();
      }
    } catch (VirtualMachineError e) { // no room here either
      synchronized (LOCK) {
        if (current != null && !current.owing) {
          current.owing = true;
          current.nextOwed = first;
          first = current;
        }
        while (taken != null) {
          Owed o = taken;
          taken = o.nextOwed;
          o.nextOwed = first;
          first = o;
        }
      }
    }
  }
}
