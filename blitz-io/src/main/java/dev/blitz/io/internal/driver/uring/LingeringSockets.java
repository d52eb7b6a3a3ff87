package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.socket.SocketDescriptor;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Sockets that were closed while an operation was armed: until the kernel has completed that, their
 * address is taken. Who wants to bind to one waits for them.
 */
/* Implementation notes
 *
 * A queue in the order of the closes. Those at its head that are gone leave it with each look, so it holds what lingers, and what
 * was closed after that.
 */
final class LingeringSockets {
  private final ConcurrentLinkedQueue<SocketDescriptor> closed = new ConcurrentLinkedQueue<>();

  /** It has been closed; an operation may be armed on it. */
  void add(SocketDescriptor socket) {
    if (!socket.isGone()) {
      isEmpty();
      closed.add(socket);
    }
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
