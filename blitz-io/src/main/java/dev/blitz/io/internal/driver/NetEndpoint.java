package dev.blitz.io.internal.driver;

import java.io.IOException;
import java.net.InetSocketAddress;

/** A backend's side of one socket. Methods here may be called on any thread, at any time. */
public interface NetEndpoint extends Endpoint {

  /** Sets an option. */
  void setOption(EndpointOption option, int value) throws IOException;

  /** An option's value now. */
  int option(EndpointOption option) throws IOException;

  /** Gives the socket its own address; port 0 picks a free one. */
  void bind(InetSocketAddress local) throws IOException;

  /** The address that the socket is bound to. */
  InetSocketAddress localAddress() throws IOException;
}
