package dev.blitz.io.net;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.LostHandles;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.services.Services;
import dev.blitz.io.internal.wait.Watched;
import dev.blitz.io.stream.IoSource;
import dev.blitz.io.sync.Semaphore;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections, by TCP or on this machine. Belongs to the runtime whose task made it.
 * Several tasks may accept from it.
 */
public abstract sealed class SocketListener<S extends SocketStream> implements AutoCloseable
    permits TcpListener, UnixListener {
  final ListenerEndpoint endpoint;
  final Services services;
  private final String kind;
  private final Cleaner.Cleanable unclosed;

  /** Whose turn it is to accept: one at a time uses the endpoint, in the order they came. */
  final Semaphore turn = Semaphore.create(1);

  SocketListener(Services services, ListenerEndpoint endpoint, String kind) {
    this.services = services;
    this.endpoint = endpoint;
    this.kind = kind;
    unclosed = LostHandles.watch(this, endpoint, kind);
  }

  /** The owner of {@code accepted}, which is closed if there is no memory for one. */
  abstract S owning(StreamEndpoint accepted);

  /**
   * The next connection. Dropping it loses none: a connection that comes in waits for the next
   * accept. When the process has run out of descriptors the accept goes on as soon as there are
   * some again.
   *
   * <p>Any number of accepts may be pending; connections go to them in the order of their first
   * polls. So one that has begun and is then neither polled nor dropped keeps the others waiting.
   */
  @CheckReturnValue
  public final IoFuture<S> accept() {
    return Watched.io(new AcceptFuture<>(this));
  }

  /**
   * The connections one after the other, until the listener is closed.
   *
   * {@snippet :
   * for (TcpStream connection : listener.connections()) {
   *   Task.spawn(SpawnOptions.owning(connection), () -> serve(connection));
   * }
   * }
   *
   * <p>Closing the source leaves the listener open. There may be several, and accepts beside them.
   */
  @CheckReturnValue
  public final IoSource<S> connections() {
    return IoSource.repeat(() -> accept().map(Optional::of).recover(this::endIfClosed));
  }

  private Optional<S> endIfClosed(Exception failure) throws Exception {
    if (failure instanceof ClosedChannelException && !isOpen()) {
      return Optional.empty();
    }
    throw failure;
  }

  /**
   * A connection that has come in, or null if there is none now or somebody else is accepting.
   * Never waits; on any thread.
   */
  public final @Nullable S tryAccept() throws IOException {
    if (!endpoint.isOpen()) {
      throw new ClosedChannelException();
    }
    StackRoom.forOwner(); // to pass the turn on, and to close what was got in it
    if (!turn.tryAcquire()) {
      return null;
    }
    try {
      StreamEndpoint accepted = endpoint.pollAccept(null);
      return accepted == null ? null : owning(accepted);
    } finally {
      turn.release();
      Reference.reachabilityFence(this);
    }
  }

  /** The address that it listens on. */
  public abstract SocketAddress localAddress() throws IOException;

  /** Sets an option; see {@link SocketStream#option(SocketOption, Object)}. */
  public abstract <T> SocketListener<S> option(SocketOption<T> option, T value) throws IOException;

  /** The value of an option. */
  public final <T> T option(SocketOption<T> option) throws IOException {
    return endpoint.option(option);
  }

  /** Whether {@link #close} has not been called. */
  public final boolean isOpen() {
    return endpoint.isOpen();
  }

  /**
   * Stops listening. Pending accepts end with {@link java.nio.channels.ClosedChannelException};
   * connections that nobody has accepted are closed.
   */
  @Override
  public final void close() {
    endpoint.close();
    unclosed.clean();
  }

  @Override
  public final String toString() {
    if (!endpoint.isOpen()) {
      return kind + "[closed]";
    }
    try {
      return kind + "[" + endpoint.localAddress() + "]";
    } catch (IOException e) {
      return kind;
    }
  }
}
