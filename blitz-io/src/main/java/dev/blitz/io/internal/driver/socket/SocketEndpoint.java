package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.driver.EndpointOption;
import dev.blitz.io.internal.driver.NetEndpoint;
import java.io.IOException;
import java.net.InetSocketAddress;

/** An endpoint that has a socket's {@link SocketHandle}. */
public interface SocketEndpoint extends NetEndpoint {

  /** The socket. */
  SocketHandle socket();

  @Override
  default void setOption(EndpointOption option, int value) throws IOException {
    socket().setOption(option, value);
  }

  @Override
  default int option(EndpointOption option) throws IOException {
    return socket().option(option);
  }

  @Override
  default void bind(InetSocketAddress local) throws IOException {
    socket().bind(local);
  }

  @Override
  default InetSocketAddress localAddress() throws IOException {
    return socket().localAddress();
  }
}
