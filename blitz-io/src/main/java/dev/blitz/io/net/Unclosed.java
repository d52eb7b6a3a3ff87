package dev.blitz.io.net;

import dev.blitz.io.internal.base.LostHandles;
import dev.blitz.io.internal.driver.Endpoint;
import java.lang.ref.Cleaner;

/** Closes sockets that their owners have lost; see {@link LostHandles}. */
/* Implementation notes
 *
 * The cleaner knows the endpoint, and so does the driver; neither knows the handle (TcpStream, TcpListener), which every
 * operation has, also one that waits: its waker leads from the endpoint to the task, to the future, to the handle. So a
 * handle that nobody has any more has nobody waiting either. An operation that is being polled keeps its handle by a
 * reachability fence, or the collector might close the socket in the middle of the last one.
 */
final class Unclosed implements LostHandles.Held {
  private final Endpoint endpoint;

  private Unclosed(Endpoint endpoint) {
    this.endpoint = endpoint;
  }

  /** Watches {@code handle}, which must not be reachable from {@code endpoint}. */
  static Cleaner.Cleanable watch(Object handle, Endpoint endpoint, String what) {
    return LostHandles.watch(handle, new Unclosed(endpoint), what);
  }

  @Override
  public boolean isOpen() {
    return endpoint.isOpen();
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
