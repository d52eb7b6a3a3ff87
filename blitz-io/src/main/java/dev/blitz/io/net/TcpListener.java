package dev.blitz.io.net;

import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.services.Services;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;

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
public final class TcpListener extends SocketListener<TcpStream> {
  TcpListener(Services services, ListenerEndpoint endpoint) {
    super(services, endpoint, "TcpListener");
  }

  /**
   * Listens on all addresses, IPv6 and IPv4; port 0 picks a free one.
   *
   * @throws IllegalStateException if called outside a task: {@code runtime.run(() ->
   *     TcpListener.bind(port))}
   * @throws UnsupportedOperationException if the runtime has no I/O backend; the message says why
   */
  public static TcpListener bind(int port) throws IOException {
    return builder().listen(port);
  }

  /** Listens on one address; a wildcard one means all addresses, as in {@link #bind(int)}. */
  public static TcpListener bind(InetSocketAddress local) throws IOException {
    return builder().listen(local);
  }

  /** Options first. */
  public static TcpBuilder builder() {
    return new TcpBuilder();
  }

  @Override
  TcpStream owning(StreamEndpoint accepted) {
    return TcpStream.owning(accepted);
  }

  @Override
  public InetSocketAddress localAddress() throws IOException {
    return (InetSocketAddress) endpoint.localAddress();
  }

  @Override
  public <T> TcpListener option(SocketOption<T> option, T value) throws IOException {
    endpoint.setOption(option, value);
    return this;
  }
}
