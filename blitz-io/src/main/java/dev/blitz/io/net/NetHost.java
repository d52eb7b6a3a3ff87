package dev.blitz.io.net;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.Endpoints;
import dev.blitz.io.internal.driver.NetEndpoint;
import dev.blitz.io.internal.services.Services;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;

/** The runtime that a new socket belongs to. */
final class NetHost {
  private NetHost() {}

  /** The runtime of the calling task. */
  static Services current() {
    return Services.required("a socket");
  }

  static Endpoints sockets(Services services) {
    return services.driver().endpoints();
  }

  /** A method of {@link Endpoints}. */
  @FunctionalInterface
  interface Opening<E> {
    E of(AddressFamily family) throws IOException;
  }

  /** A socket for {@code local}: a wildcard is for both families where there are both. */
  static <E extends NetEndpoint> E open(InetSocketAddress local, Opening<E> opening)
      throws IOException {
    if (!local.getAddress().isAnyLocalAddress()) {
      return opening.of(AddressFamily.of(local.getAddress()));
    }
    E endpoint;
    try {
      endpoint = opening.of(AddressFamily.IPV6);
    } catch (SocketException noIpv6) {
      return opening.of(AddressFamily.IPV4);
    }
    try {
      endpoint.setOption(NetOptions.IPV6_ONLY, false);
      return endpoint;
    } catch (Throwable t) {
      endpoint.close();
      throw t;
    }
  }

  /** The same address, if it is known; a wildcard of either family is that of the JDK. */
  static InetSocketAddress known(InetSocketAddress address) throws UnknownHostException {
    requireKnown(address);
    return address.getAddress().isAnyLocalAddress()
        ? new InetSocketAddress(address.getPort())
        : address;
  }

  static void requireKnown(InetSocketAddress address) throws UnknownHostException {
    if (address.isUnresolved()) {
      throw new UnknownHostException(address.getHostString() + ": look it up by Hosts.resolve");
    }
  }
}
