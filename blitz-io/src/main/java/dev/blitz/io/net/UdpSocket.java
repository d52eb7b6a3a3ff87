package dev.blitz.io.net;

import dev.blitz.io.internal.driver.DatagramEndpoint;
import dev.blitz.io.internal.services.Services;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;

/**
 * A UDP socket. Belongs to the runtime whose task made it; how it is shared and closed {@link
 * DatagramIo} tells.
 *
 * {@snippet :
 * try (UdpSocket socket = UdpSocket.bind(9000)) {
 *   var buffer = ByteBuffer.allocateDirect(1500);
 *   while (true) {
 *     var datagram = socket.receiveFrom(buffer.clear()).await();
 *     socket.sendTo(buffer.flip(), datagram.sender()).await();
 *   }
 * }
 * }
 */
public final class UdpSocket extends DatagramIo<InetSocketAddress> {
  private UdpSocket(Services services, DatagramEndpoint endpoint) {
    super(services, endpoint, "UdpSocket");
  }

  static UdpSocket owning(Services services, DatagramEndpoint endpoint) {
    try {
      return new UdpSocket(services, endpoint);
    } catch (Throwable t) {
      endpoint.close();
      throw t;
    }
  }

  /**
   * Receives on all addresses, IPv6 and IPv4; port 0 picks a free one.
   *
   * @throws IllegalStateException if called outside a task
   * @throws UnsupportedOperationException if the runtime's backend has no UDP; the message says
   *     which and why
   */
  public static UdpSocket bind(int port) throws IOException {
    return builder().bind(port);
  }

  /** Receives on one address; a wildcard one means all addresses, as in {@link #bind(int)}. */
  public static UdpSocket bind(InetSocketAddress local) throws IOException {
    return builder().bind(local);
  }

  /**
   * One with an own port that the system picks, {@linkplain #connect connected} to {@code remote}.
   */
  public static UdpSocket connected(InetSocketAddress remote) throws IOException {
    return builder().connected(remote);
  }

  /** Options first. */
  public static UdpBuilder builder() {
    return new UdpBuilder();
  }

  /**
   * Receives what is sent to the multicast group {@code group} and comes by {@code device}. An IPv4
   * group can be joined by a socket for all addresses too.
   */
  public UdpSocket join(InetAddress group, NetworkInterface device) throws IOException {
    endpoint.member(requireGroup(group), device, true);
    return this;
  }

  /** Ends what {@link #join} has begun. */
  public UdpSocket leave(InetAddress group, NetworkInterface device) throws IOException {
    endpoint.member(requireGroup(group), device, false);
    return this;
  }

  private static InetAddress requireGroup(InetAddress group) {
    if (!group.isMulticastAddress()) {
      throw new IllegalArgumentException("not a multicast address: " + group);
    }
    return group;
  }

  /** Whether it may send to broadcast addresses; off by default. */
  public UdpSocket broadcast(boolean on) throws IOException {
    return option(StandardSocketOptions.SO_BROADCAST, on);
  }

  @Override
  InetSocketAddress shown(SocketAddress address) {
    return (InetSocketAddress) address;
  }

  @Override
  SocketAddress meant(InetSocketAddress address) {
    return address;
  }

  @Override
  public <T> UdpSocket option(SocketOption<T> option, T value) throws IOException {
    endpoint.setOption(option, value);
    return this;
  }
}
