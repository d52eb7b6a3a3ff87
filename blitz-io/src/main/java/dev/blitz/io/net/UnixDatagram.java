package dev.blitz.io.net;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.DatagramEndpoint;
import dev.blitz.io.internal.services.Services;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A socket of datagrams between programs of this machine: none is lost, and they keep their order.
 * A send waits while the receiver's queue is full; how it is shared and closed {@link DatagramIo}
 * tells. The file at its path stays when it is closed.
 *
 * {@snippet :
 * try (UnixDatagram log = UnixDatagram.unbound()) {
 *   log.sendTo(StandardCharsets.UTF_8.encode("<13>hello"), UnixAddress.of(Path.of("/dev/log"))).await();
 * }
 * }
 */
public final class UnixDatagram extends DatagramIo<UnixAddress> {
  private UnixDatagram(Services services, DatagramEndpoint endpoint) {
    super(services, endpoint, "UnixDatagram");
  }

  private static UnixDatagram owning(Services services, DatagramEndpoint endpoint) {
    try {
      return new UnixDatagram(services, endpoint);
    } catch (Throwable t) {
      endpoint.close();
      throw t;
    }
  }

  /** Receives at {@code path}, where nothing may be yet; as {@link #bind(UnixAddress)}. */
  public static UnixDatagram bind(Path path) throws IOException {
    return bind(UnixAddress.of(path));
  }

  /**
   * Receives at {@code local}.
   *
   * @throws java.net.BindException if there is something already, or no such directory
   * @throws IllegalStateException if called outside a task
   * @throws UnsupportedOperationException if the runtime's backend has no such sockets; the message
   *     says which and why
   */
  public static UnixDatagram bind(UnixAddress local) throws IOException {
    Objects.requireNonNull(local, "local");
    UnixDatagram socket = unbound();
    try {
      socket.endpoint.bind(local.name());
      return socket;
    } catch (Throwable t) {
      socket.close();
      throw t;
    }
  }

  /** One without a name: it can send, but nobody can answer. */
  public static UnixDatagram unbound() throws IOException {
    Services services = NetHost.current();
    return owning(services, NetHost.sockets(services).openDatagram(AddressFamily.UNIX));
  }

  /** Two that are connected with each other and have no name. */
  public static UnixDatagram[] pair() throws IOException {
    Services services = NetHost.current();
    List<DatagramEndpoint> ends = NetHost.sockets(services).openDatagramPair();
    UnixDatagram first;
    try {
      first = owning(services, ends.getFirst());
    } catch (Throwable t) {
      ends.getLast().close();
      throw t;
    }
    try {
      return new UnixDatagram[] {first, owning(services, ends.getLast())};
    } catch (Throwable t) {
      first.close();
      ends.getLast().close();
      throw t;
    }
  }

  @Override
  UnixAddress shown(SocketAddress address) {
    return UnixAddress.of(address);
  }

  @Override
  SocketAddress meant(UnixAddress address) {
    return address.name();
  }

  @Override
  public <T> UnixDatagram option(SocketOption<T> option, T value) throws IOException {
    endpoint.setOption(option, value);
    return this;
  }
}
