package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.socket.SocketDescriptor;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sockets that were closed while an operation was armed: until the kernel has completed that, their
 * address is taken. Who wants to bind to one waits for them.
 */
/* Implementation notes
 *
 * A queue in the order of the closes. Those at its head that are gone leave it with each look. One at the head that stays, because its
 * peer does not read, would keep all that were closed after it: so each is looked at when as many were added as had stayed before.
 */
final class LingeringSockets {
  /** Few enough to cost little memory, enough that looking at all of them is rare. */
  private static final int FIRST_LOOK = 256;

  private final ConcurrentLinkedQueue<SocketDescriptor> closed = new ConcurrentLinkedQueue<>();

  /** How many may be added before all are looked at; any thread may be the one that does it. */
  private final AtomicInteger untilLook = new AtomicInteger(FIRST_LOOK);

  /** It has been closed; an operation may be armed on it. */
  void add(SocketDescriptor socket) {
    if (!socket.isGone()) {
      isEmpty();
      closed.add(socket);
      if (untilLook.decrementAndGet() <= 0) {
        closed.removeIf(SocketDescriptor::isGone);
        untilLook.set(Math.max(FIRST_LOOK, closed.size()));
      }
    }
  }

  /** How many it holds, gone or not. */
  int size() {
    return closed.size();
  }

  /** Whether all are gone, as far as the order of their closes tells. */
  boolean isEmpty() {
    SocketDescriptor first = closed.peek();
    while (first != null && first.isGone()) {
      closed.remove(first); // another may have done it
      first = closed.peek();
    }
    return first == null;
  }
}
