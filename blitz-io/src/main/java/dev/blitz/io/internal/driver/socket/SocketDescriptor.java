package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.driver.LingeringSockets;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The descriptor of a socket: its close may have to wait, or be a reset. */
/* Implementation notes
 *
 * A close that may wait, because the socket lingers, must not be made by whoever happens to be the last user: it may
 * be a worker. `waiting` is who makes it then; written with the option, while the number is in use, and read after
 * the last use: the read-modify-writes of the descriptor's word order the two. So it is with `reset`.
 */
public final class SocketDescriptor extends Descriptor implements LingeringSockets.Bound {
  private volatile @Nullable Predicate<Runnable> waiting;
  private volatile boolean reset;
  private volatile boolean bound;
  private volatile boolean gone;

  private SocketDescriptor(int number) {
    super(number);
  }

  /** Owns {@code number} from now on; if there is no memory for that, closes it. */
  public static SocketDescriptor owning(int number) {
    try {
      return new SocketDescriptor(number);
    } catch (Throwable t) {
      PosixCalls.close(number);
      throw t;
    }
  }

  /**
   * As {@link #owning(int)}, for a connection that {@code listener} has accepted: it lingers
   * likewise.
   */
  public static SocketDescriptor owning(int number, SocketDescriptor listener) {
    SocketDescriptor accepted = owning(number);
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

  /** It has been given an address; while in use. */
  void markBound() {
    bound = true;
  }

  @Override
  public boolean isBound() {
    return bound;
  }

  @Override
  public boolean isGone() {
    return gone;
  }

  @Override
  protected void closeUnused() {
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
    int number = number();
    try {
      if (reset || atOnce) {
        SocketCalls.setLinger(number, reset);
      }
    } finally { // also without memory
      PosixCalls.close(number);
      gone = true;
    }
  }
}
