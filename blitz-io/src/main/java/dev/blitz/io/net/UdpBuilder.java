package dev.blitz.io.net;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.DatagramEndpoint;
import dev.blitz.io.internal.driver.Endpoints;
import dev.blitz.io.internal.services.Services;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;

/**
 * Makes UDP sockets to measure: options first, then {@link #bind} or {@link #connected}, any number
 * of times. Not thread safe.
 *
 * {@snippet :
 * UdpSocket group = UdpSocket.builder().reuseAddress(true).bind(5353);
 * }
 */
public final class UdpBuilder {
  private final OptionValues options = new OptionValues();

  UdpBuilder() {}

  /** Whether several sockets may have the same address, as members of a multicast group do. */
  public UdpBuilder reuseAddress(boolean on) {
    return option(StandardSocketOptions.SO_REUSEADDR, on);
  }

  /** Whether several sockets may have the same address, and share what comes. */
  public UdpBuilder reusePort(boolean on) {
    return option(StandardSocketOptions.SO_REUSEPORT, on);
  }

  /** Bytes that the system keeps for what nobody has received yet; beyond them it is lost. */
  public UdpBuilder receiveBuffer(int bytes) {
    return option(StandardSocketOptions.SO_RCVBUF, bytes);
  }

  /** Any option; see {@link SocketStream#option(SocketOption, Object)}. */
  public <T> UdpBuilder option(SocketOption<T> option, T value) {
    options.put(option, value);
    return this;
  }

  /** See {@link UdpSocket#bind(int)}. */
  public UdpSocket bind(int port) throws IOException {
    Services host = NetHost.current();
    Endpoints sockets = NetHost.sockets(host);
    var wildcard = new InetSocketAddress(port);
    DatagramEndpoint endpoint;
    try {
      endpoint = sockets.openDatagram(AddressFamily.IPV6);
    } catch (java.net.SocketException noIpv6) {
      return bind(host, sockets.openDatagram(AddressFamily.IPV4), wildcard);
    }
    try {
      endpoint.setOption(NetOptions.IPV6_ONLY, false);
    } catch (Throwable t) {
      endpoint.close();
      throw t;
    }
    return bind(host, endpoint, wildcard);
  }

  /** See {@link UdpSocket#bind(InetSocketAddress)}. */
  public UdpSocket bind(InetSocketAddress local) throws IOException {
    InetAddress address = resolved(local);
    if (address.isAnyLocalAddress()) {
      return bind(local.getPort());
    }
    Services host = NetHost.current();
    return bind(host, NetHost.sockets(host).openDatagram(AddressFamily.of(address)), local);
  }

  private UdpSocket bind(Services host, DatagramEndpoint endpoint, InetSocketAddress local)
      throws IOException {
    try {
      options.applyTo(endpoint);
      endpoint.bind(local);
    } catch (Throwable t) {
      endpoint.close();
      throw t;
    }
    return UdpSocket.owning(host, endpoint);
  }

  /** See {@link UdpSocket#connected}. */
  public UdpSocket connected(InetSocketAddress remote) throws IOException {
    InetAddress address = resolved(remote);
    Services host = NetHost.current();
    DatagramEndpoint endpoint = NetHost.sockets(host).openDatagram(AddressFamily.of(address));
    try {
      options.applyTo(endpoint);
      endpoint.connect(remote);
    } catch (Throwable t) {
      endpoint.close();
      throw t;
    }
    return UdpSocket.owning(host, endpoint);
  }

  private static InetAddress resolved(InetSocketAddress address) throws UnknownHostException {
    InetAddress known = address.getAddress();
    if (known == null) {
      throw new UnknownHostException(address.getHostString() + ": look it up by Hosts.resolve");
    }
    return known;
  }
}
