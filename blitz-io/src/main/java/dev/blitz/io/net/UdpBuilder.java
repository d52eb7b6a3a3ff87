package dev.blitz.io.net;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.DatagramEndpoint;
import dev.blitz.io.internal.services.Services;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;

/**
 * Makes UDP sockets with options of your own: these first, then {@link #bind} or {@link
 * #connected}, any number of times. Not thread safe.
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
    return bind(new InetSocketAddress(port));
  }

  /** See {@link UdpSocket#bind(InetSocketAddress)}. */
  public UdpSocket bind(InetSocketAddress local) throws IOException {
    InetSocketAddress own = NetHost.known(local);
    Services services = NetHost.current();
    DatagramEndpoint endpoint = NetHost.open(own, NetHost.sockets(services)::openDatagram);
    try {
      options.applyTo(endpoint);
      endpoint.bind(own);
    } catch (Throwable t) {
      endpoint.close();
      throw t;
    }
    return UdpSocket.owning(services, endpoint);
  }

  /** See {@link UdpSocket#connected}. */
  public UdpSocket connected(InetSocketAddress remote) throws IOException {
    NetHost.requireKnown(remote);
    Services services = NetHost.current();
    AddressFamily family = AddressFamily.of(remote.getAddress());
    DatagramEndpoint endpoint = NetHost.sockets(services).openDatagram(family);
    try {
      options.applyTo(endpoint);
      endpoint.connect(remote);
    } catch (Throwable t) {
      endpoint.close();
      throw t;
    }
    return UdpSocket.owning(services, endpoint);
  }
}
