package dev.blitz.io.internal.driver;

import java.io.IOException;
import java.util.List;

/** Makes endpoints of one backend. Thread safe; never waits. */
public interface Endpoints {

  /** A stream socket to be connected: TCP, or Unix. */
  StreamEndpoint openStream(AddressFamily family) throws IOException;

  /** A socket to accept such connections from. */
  ListenerEndpoint openListener(AddressFamily family) throws IOException;

  /** A socket of datagrams: UDP, or Unix. */
  DatagramEndpoint openDatagram(AddressFamily family) throws IOException;

  /** Two Unix streams, connected with each other. */
  List<StreamEndpoint> openStreamPair() throws IOException;

  /** Two Unix sockets of datagrams, connected with each other. */
  List<DatagramEndpoint> openDatagramPair() throws IOException;

  /**
   * Whether {@link #adopt} and {@link #reopen} are here. Where not they throw {@link
   * UnsupportedOperationException}, and the number stays as it is, and the caller's.
   */
  default boolean takesDescriptors() {
    return true;
  }

  /**
   * Takes over a descriptor that can be waited for: a pipe, a FIFO, a terminal, a process, a socket
   * of another maker. It becomes non-blocking. It is closed if this fails.
   *
   * @throws IllegalArgumentException for a standard one (0, 1, 2), which stays as it is
   */
  DescriptorEndpoint adopt(int number) throws IOException;

  /** A way of its own to what {@code number} is; that one stays as it is, and the caller's. */
  DescriptorEndpoint reopen(int number) throws IOException;
}
