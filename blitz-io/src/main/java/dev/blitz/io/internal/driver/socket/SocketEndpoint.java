package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.driver.NetEndpoint;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;

/** An endpoint that has a socket's {@link SocketHandle}. */
public interface SocketEndpoint extends NetEndpoint {

  /** The socket. */
  SocketHandle socket();

  @Override
  default <T> void setOption(SocketOption<T> option, T value) throws IOException {
    socket().setOption(option, value);
  }

  @Override
  default <T> T option(SocketOption<T> option) throws IOException {
    return socket().option(option);
  }

  @Override
  default void bind(SocketAddress local) throws IOException {
    socket().bind(local);
  }

  @Override
  default SocketAddress localAddress() throws IOException {
    return socket().localAddress();
  }
}
