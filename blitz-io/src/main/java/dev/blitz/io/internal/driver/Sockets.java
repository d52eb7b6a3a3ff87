package dev.blitz.io.internal.driver;

import java.io.IOException;

/** Makes sockets of one backend. Thread safe; never waits. */
public interface Sockets {

  /** A TCP socket to be connected. */
  StreamEndpoint openStream(AddressFamily family) throws IOException;

  /** A TCP socket to accept connections from. */
  ListenerEndpoint openListener(AddressFamily family) throws IOException;
}
