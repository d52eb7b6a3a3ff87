package dev.blitz.io.net;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.task.TaskHost;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Accepts TCP connections. Belongs to the runtime whose task made it.
 *
 * {@snippet :
 * try (TcpListener listener = TcpListener.bind(8080)) {
 *   while (true) {
 *     TcpStream stream = listener.accept().await();
 *     Task.spawn(() -> serve(stream));
 *   }
 * }
 * }
 */
public final class TcpListener implements AutoCloseable {
  final ListenerEndpoint endpoint;
  final TaskHost host;
  final Side accepting = new Side("accept");

  TcpListener(TaskHost host, ListenerEndpoint endpoint) {
    this.host = host;
    this.endpoint = endpoint;
  }

  /** Listens on all addresses, IPv6 and IPv4; port 0 picks a free one. */
  public static TcpListener bind(int port) throws IOException {
    return TcpSocket.builder().listen(port);
  }

  /** Listens on one address; a wildcard one means all addresses of its family. */
  public static TcpListener bind(InetSocketAddress local) throws IOException {
    return TcpSocket.builder().listen(local);
  }

  /**
   * The next connection. Dropping it loses none: a connection that comes in waits for the next
   * accept. When the process has run out of descriptors the accept goes on as soon as there are
   * some again. One accept at a time may be pending.
   */
  @CheckReturnValue
  public IoFuture<TcpStream> accept() {
    return new AcceptFuture(this);
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
   * Stops listening. A pending accept ends with {@link java.nio.channels.ClosedChannelException};
   * connections that nobody has accepted are reset.
   */
  @Override
  public void close() {
    endpoint.close();
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
