package dev.blitz.io.internal.driver.posix;

import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A descriptor that is closed after its last use: whoever is about to make a call or to submit an
 * operation with its number uses it, and releases it afterwards. So no call hits a number that has
 * been given to something else.
 */
/* Implementation notes
 *
 * One word: CLOSING, and the number of users below it. All changes are read-modify-writes.
 *   n           -> n + 1         tryUse
 *   n           -> n - 1         release
 *   n           -> CLOSING | n   close, once; with n = 0 the closer closes the number
 *   CLOSING | n -> CLOSING | n-1 release; the one that reaches 0 closes the number
 * CLOSING | n never gets a new user, so 0 is reached once.
 */
public class Descriptor {
  private static final int CLOSING = 1 << 31;
  private static final VarHandle WORD = Fields.of(MethodHandles.lookup(), "word", int.class);

  private final int number;
  private volatile int word;

  /** Owns {@code number} from now on. */
  public Descriptor(int number) {
    this.number = number;
  }

  /** As the constructor; if there is no memory for it, closes {@code number}. */
  public static Descriptor owning(int number) {
    try {
      return new Descriptor(number);
    } catch (Throwable t) {
      PosixCalls.close(number);
      throw t;
    }
  }

  /** The kernel's number; only between {@link #tryUse} and {@link #release}. */
  public final int number() {
    return number;
  }

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
      closeNumber();
    }
  }

  /**
   * Closes the number as soon as nobody uses it.
   *
   * @return whether this call was the first
   */
  public final boolean close() {
    int before = (int) WORD.getAndBitwiseOr(this, CLOSING);
    if (before == 0) {
      closeNumber();
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
  protected void closeNumber() {
    PosixCalls.close(number);
  }

  @Override
  public final String toString() {
    int w = word;
    return "descriptor " + number + (w < 0 ? " (closing)" : "") + ", in use by " + (w & ~CLOSING);
  }
}
