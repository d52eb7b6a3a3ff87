package dev.blitz.io.internal.driver;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.posix.NoDescriptorException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A socket that accepts connections. {@link #pollAccept} and {@link #forgetAcceptor} are used by
 * one thread at a time, with happens-before edges in between; {@link #close} at any time.
 */
public interface ListenerEndpoint extends NetEndpoint {

  /** Begins to take connections, up to {@code backlog} that nobody has accepted yet. */
  void listen(int backlog) throws IOException;

  /**
   * A connection that has come in, or null; then the waker has been kept. Connections that were
   * aborted before they were accepted are passed over. Without a waker it is a try, as with a
   * {@link StreamEndpoint}.
   *
   * @throws NoDescriptorException if the process or the system has no descriptor left: nothing will
   *     wake the waker, the caller must try again later
   */
  @Nullable StreamEndpoint pollAccept(@Nullable Waker waker) throws IOException;

  /** Forgets the waker, at once; a connection that comes in is kept for the next accept. */
  void forgetAcceptor();

  /** Keeps {@code waker} without an accept: it is woken at the latest when this is closed. */
  void awaitClose(Waker waker);
}
