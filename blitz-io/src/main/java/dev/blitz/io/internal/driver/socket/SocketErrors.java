package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.driver.NoDescriptorException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;

/** Turns errno into the exceptions that Java programs know. */
public final class SocketErrors {
  private SocketErrors() {}

  /** {@code what} failed with {@code errno}, a positive number. */
  public static IOException of(String what, int errno) {
    String message = what + ": " + SocketCalls.describe(errno);
    return switch (errno) {
      case SocketAbi.EMFILE, SocketAbi.ENFILE, SocketAbi.ENOBUFS, SocketAbi.ENOMEM ->
          new NoDescriptorException(message);
      default -> new SocketException(message);
    };
  }

  /** An attempt to connect to {@code remote} failed. */
  public static IOException connecting(InetSocketAddress remote, int errno) {
    String message = "connect to " + remote + ": " + SocketCalls.describe(errno);
    return switch (errno) {
      case SocketAbi.ECONNREFUSED, SocketAbi.ETIMEDOUT -> new ConnectException(message);
      case SocketAbi.EHOSTUNREACH, SocketAbi.ENETUNREACH, SocketAbi.EHOSTDOWN ->
          new NoRouteToHostException(message);
      case SocketAbi.EADDRINUSE, SocketAbi.EADDRNOTAVAIL -> new BindException(message);
      default -> of("connect to " + remote, errno);
    };
  }

  /** An attempt to bind to {@code local} failed. */
  static IOException binding(InetSocketAddress local, int errno) {
    String message = "bind to " + local + ": " + SocketCalls.describe(errno);
    return switch (errno) {
      case SocketAbi.EADDRINUSE, SocketAbi.EADDRNOTAVAIL, SocketAbi.EACCES ->
          new BindException(message);
      default -> of("bind to " + local, errno);
    };
  }

  /**
   * Whether {@code errno} says that the connection is lost, whichever call found out. A broken pipe
   * does not: the peer, or this side, may have ended it in good order.
   */
  public static boolean isBroken(int errno) {
    return switch (errno) {
      case SocketAbi.ECONNRESET,
          SocketAbi.ECONNABORTED,
          SocketAbi.ETIMEDOUT,
          SocketAbi.ENETDOWN,
          SocketAbi.ENETUNREACH,
          SocketAbi.EHOSTDOWN,
          SocketAbi.EHOSTUNREACH ->
          true;
      default -> false;
    };
  }

  /** Whether an accept failed for the sake of one connection only, so that the next may succeed. */
  public static boolean isPassingOnAccept(int errno) {
    return switch (errno) {
      case SocketAbi.ECONNABORTED,
          SocketAbi.EPROTO,
          SocketAbi.EPERM,
          SocketAbi.ENETDOWN,
          SocketAbi.ENONET,
          SocketAbi.EHOSTDOWN,
          SocketAbi.EHOSTUNREACH,
          SocketAbi.ENETUNREACH,
          SocketAbi.EOPNOTSUPP,
          SocketAbi.ETIMEDOUT,
          SocketAbi.ECONNRESET ->
          true;
      default -> false;
    };
  }
}
