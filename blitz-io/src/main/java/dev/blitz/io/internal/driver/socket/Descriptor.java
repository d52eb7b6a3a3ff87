package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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
 *
 * A close that may wait, because the socket lingers, must not be made by whoever happens to be the last user: it may be a
 * worker. `waiting` is who makes it then; written with the option, while the number is in use, and read after the
 * last use: the word's read-modify-writes order the two. So it is with `reset`.
 */
public final class Descriptor {
  private static final int CLOSING = 1 << 31;
  private static final VarHandle WORD = Fields.of(MethodHandles.lookup(), "word", int.class);

  private final int number;
  private volatile int word;
  private volatile @Nullable Predicate<Runnable> waiting;
  private volatile boolean reset;

  /** Owns {@code number} from now on. */
  public Descriptor(int number) {
    this.number = number;
  }

  /** As the constructor; if there is no memory for it, closes {@code number}. */
  public static Descriptor owning(int number) {
    try {
      return new Descriptor(number);
    } catch (Throwable t) {
      SocketCalls.close(number);
      throw t;
    }
  }

  /**
   * As {@link #owning(int)}, for a connection that {@code listener} has accepted: it lingers
   * likewise.
   */
  public static Descriptor owning(int number, Descriptor listener) {
    Descriptor accepted = owning(number);
    accepted.waiting = listener.waiting;
    return accepted;
  }

  /**
   * Says who makes a close that may wait: gets the call, and answers false if it will not make it.
   * Null if closing does not wait.
   */
  void closesBy(@Nullable Predicate<Runnable> waiting) {
    this.waiting = waiting;
  }

  /**
   * Something that was written is lost: its close must be a reset, or the peer would take what it
   * has got for the whole. While in use.
   */
  public void closesByReset() {
    waiting = null;
    reset = true; // the option is set with the close: callers have locks
  }

  /** Whether its close will be a reset, or was one. */
  public boolean isReset() {
    return reset;
  }

  /** The kernel's number; only between {@link #tryUse} and {@link #release}. */
  public int number() {
    return number;
  }

  /** Begins a use; false once it is being closed. */
  public boolean tryUse() {
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
  public void release() {
    if ((int) WORD.getAndAdd(this, -1) - 1 == CLOSING) {
      closeNumber();
    }
  }

  /**
   * Closes the number as soon as nobody uses it.
   *
   * @return whether this call was the first
   */
  public boolean close() {
    int before = (int) WORD.getAndBitwiseOr(this, CLOSING);
    if (before == 0) {
      closeNumber();
    }
    return before >= 0;
  }

  /** How many uses have begun and not ended; after {@link #close} none is added. */
  public int users() {
    return word & ~CLOSING;
  }

  /** Whether {@link #close} has not been called. */
  public boolean isOpen() {
    return word >= 0;
  }

  private void closeNumber() {
    Predicate<Runnable> elsewhere = waiting;
    if (elsewhere == null) {
      closeHere(false);
      return;
    }
    boolean taken = false;
    try {
      taken = elsewhere.test(() -> closeHere(false));
    } finally {
      if (!taken) {
        closeHere(true); // nobody is left who could wait: what was written is sent all the same
      }
    }
  }

  private void closeHere(boolean atOnce) {
    if (reset || atOnce) {
      SocketCalls.setLinger(number, reset);
    }
    SocketCalls.close(number);
  }

  @Override
  public String toString() {
    int w = word;
    return "descriptor " + number + (w < 0 ? " (closing)" : "") + ", in use by " + (w & ~CLOSING);
  }
}
