package dev.blitz.io.internal.driver;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sockets that were closed while somebody used them: a call in progress on another thread, or an
 * operation that the kernel has yet to complete. Their address is taken until that ends. Who wants
 * to bind to one waits for them. Thread safe.
 */
/* Implementation notes
 *
 * A queue in the order of the closes. Those at its head that are gone leave it with each look. One at the head that stays, because its
 * peer does not read, would keep all that were closed after it: so each is looked at when as many were added as had stayed before.
 */
public final class LingeringSockets {

  /** A socket. */
  public interface Bound {
    /** Whether it was given an address that somebody may want again. */
    boolean isBound();

    /** Whether the system has let go of it, as far as we hold it. */
    boolean isGone();
  }

  /**
   * How long a bind waits for closed sockets to give up their address. Ending what holds them takes
   * a tenth of a millisecond; beside a worker that is stuck, more. Longer would hold up a task
   * whose address another program has.
   */
  public static final long FREED_NANOS = 100_000_000L;

  /** Few enough to cost little memory, enough that looking at all of them is rare. */
  private static final int FIRST_LOOK = 256;

  private final ConcurrentLinkedQueue<Bound> closed = new ConcurrentLinkedQueue<>();

  /** How many may be added before all are looked at; any thread may be the one that does it. */
  private final AtomicInteger untilLook = new AtomicInteger(FIRST_LOOK);

  /** It is about to be closed, and in use. */
  public void add(Bound socket) {
    if (socket.isBound()) {
      isEmpty();
      closed.add(socket);
      if (untilLook.decrementAndGet() <= 0) {
        closed.removeIf(Bound::isGone);
        untilLook.set(Math.max(FIRST_LOOK, closed.size()));
      }
    }
  }

  /** How many it holds, gone or not. */
  int size() {
    return closed.size();
  }

  /** Whether all are gone, as far as the order of their closes tells. */
  public boolean isEmpty() {
    Bound first = closed.peek();
    while (first != null && first.isGone()) {
      closed.remove(first); // another may have done it
      first = closed.peek();
    }
    return first == null;
  }
}
