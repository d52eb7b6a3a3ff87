package dev.blitz.io.net;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.LostHandles;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.services.Services;
import dev.blitz.io.stream.IoSource;
import dev.blitz.io.sync.Semaphore;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Accepts TCP connections. Belongs to the runtime whose task made it. Several tasks may accept from
 * it.
 *
 * {@snippet :
 * try (TcpListener listener = TcpListener.bind(8080)) {
 *   while (true) {
 *     TcpStream stream = listener.accept().await();
 *     Task.spawn(SpawnOptions.owning(stream), () -> serve(stream));
 *   }
 * }
 * }
 */
public final class TcpListener implements AutoCloseable {
  final ListenerEndpoint endpoint;
  final Services host;
  private final Cleaner.Cleanable unclosed;

  /** Whose turn it is to accept: one at a time uses the endpoint, in the order they came. */
  final Semaphore turn = Semaphore.create(1);

  TcpListener(Services host, ListenerEndpoint endpoint) {
    this.host = host;
    this.endpoint = endpoint;
    unclosed = LostHandles.watch(this, endpoint, "TcpListener");
  }

  /**
   * Listens on all addresses, IPv6 and IPv4; port 0 picks a free one.
   *
   * @throws IllegalStateException if called outside a task: {@code runtime.run(() ->
   *     TcpListener.bind(port))}
   * @throws UnsupportedOperationException if the runtime has no I/O backend; the message says why
   */
  public static TcpListener bind(int port) throws IOException {
    return TcpSocket.builder().listen(port);
  }

  /** Listens on one address; a wildcard one means all addresses, as in {@link #bind(int)}. */
  public static TcpListener bind(InetSocketAddress local) throws IOException {
    return TcpSocket.builder().listen(local);
  }

  /**
   * The next connection. Dropping it loses none: a connection that comes in waits for the next
   * accept. When the process has run out of descriptors the accept goes on as soon as there are
   * some again.
   *
   * <p>Any number of accepts may be pending; connections go to them in the order of their first
   * polls. So one that has begun and is then neither polled nor dropped keeps the others waiting.
   */
  @CheckReturnValue
  public IoFuture<TcpStream> accept() {
    return new AcceptFuture(this);
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
  public IoSource<TcpStream> connections() {
    return IoSource.repeat(() -> accept().map(Optional::of).recover(this::endIfClosed));
  }

  private Optional<TcpStream> endIfClosed(Exception failure) throws Exception {
    if (failure instanceof ClosedChannelException && !isOpen()) {
      return Optional.empty();
    }
    throw failure;
  }

  /**
   * A connection that has come in, or null if there is none now or somebody else is accepting.
   * Never waits; on any thread.
   */
  public @Nullable TcpStream tryAccept() throws IOException {
    if (!endpoint.isOpen()) {
      throw new ClosedChannelException();
    }
    StackRoom.forCalls(); // to pass the turn on
    if (!turn.tryAcquire()) {
      return null;
    }
    try {
      StreamEndpoint accepted = endpoint.pollAccept(null);
      return accepted == null ? null : TcpStream.owning(accepted);
    } finally {
      turn.release();
      Reference.reachabilityFence(this);
    }
  }

  /** The address that it listens on. */
  public InetSocketAddress localAddress() throws IOException {
    return endpoint.localAddress();
  }

  /** Whether {@link #close} has not been called. */
  public boolean isOpen() {
    return endpoint.isOpen();
  }

  /**
   * Stops listening. Pending accepts end with {@link java.nio.channels.ClosedChannelException};
   * connections that nobody has accepted are closed.
   */
  @Override
  public void close() {
    endpoint.close();
    unclosed.clean();
  }

  @Override
  public String toString() {
    if (!endpoint.isOpen()) {
      return "TcpListener[closed]";
    }
    try {
      return "TcpListener[" + endpoint.localAddress() + "]";
    } catch (IOException e) {
      return "TcpListener";
    }
  }
}
