package dev.blitz.io.internal.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Something that many threads use and one closes: it goes away after its last use, so that nobody
 * ever uses what has been given to somebody else meanwhile. Thread safe.
 */
/* Implementation notes
 *
 * One word: CLOSING, and the number of users below it. All changes are read-modify-writes.
 *   n           -> n + 1         tryUse
 *   n           -> n - 1         release
 *   n           -> CLOSING | n   close, once; with n = 0 the closer lets it go
 *   CLOSING | n -> CLOSING | n-1 release; the one that reaches 0 lets it go
 * CLOSING | n never gets a new user, so 0 is reached once.
 */
public abstract class UseCounted {
  private static final int CLOSING = 1 << 31;
  private static final VarHandle WORD = Fields.of(MethodHandles.lookup(), "word", int.class);

  private volatile int word;

  /** In use by nobody. */
  protected UseCounted() {}

  /** Begins a use; false once it is being closed. */
  public final boolean tryUse() {
    for (; ; ) {
      int w = word;
      if (w < 0) {
        return false;
      }
      if (WORD.compareAndSet(this, w, w + 1)) {
        return true;
      }
    }
  }

  /** Ends a use. */
  public final void release() {
    if ((int) WORD.getAndAdd(this, -1) - 1 == CLOSING) {
      closeUnused();
    }
  }

  /**
   * Lets it go as soon as nobody uses it.
   *
   * @return whether this call was the first
   */
  public final boolean close() {
    int before = (int) WORD.getAndBitwiseOr(this, CLOSING);
    if (before == 0) {
      closeUnused();
    }
    return before >= 0;
  }

  /** How many uses have begun and not ended; after {@link #close} none is added. */
  public final int users() {
    return word & ~CLOSING;
  }

  /** Whether {@link #close} has not been called. */
  public final boolean isOpen() {
    return word >= 0;
  }

  /** After the last use, once: whichever thread that is on, perhaps a worker; must not wait. */
  protected abstract void closeUnused();

  /** For people: whether it is being closed, and its users. */
  protected final String usage() {
    int w = word;
    return (w < 0 ? " (closing)" : "") + ", in use by " + (w & ~CLOSING);
  }
}
