package dev.blitz.io.internal.driver;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;

/**
 * A backend's side of one socket. Methods here may be called on any thread, at any time. An address
 * is an {@link java.net.InetSocketAddress} or a {@link UnixName}, as the socket's {@link
 * AddressFamily} has them.
 */
public interface NetEndpoint extends Endpoint {

  /**
   * Sets an option: one of {@link java.net.StandardSocketOptions}, of {@link EndpointOption}, or
   * another of the same name.
   *
   * @throws UnsupportedOperationException if sockets of this kind do not have it here; the message
   *     names backend and option
   */
  <T> void setOption(SocketOption<T> option, T value) throws IOException;

  /** An option's value now; as {@link #setOption}. */
  <T> T option(SocketOption<T> option) throws IOException;

  /** Gives the socket its own address; port 0 picks a free one. */
  void bind(SocketAddress local) throws IOException;

  /** The address that the socket is bound to. */
  SocketAddress localAddress() throws IOException;
}
