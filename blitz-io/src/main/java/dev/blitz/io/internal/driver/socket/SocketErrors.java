package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.NoDescriptorException;
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
    String message = what + ": " + Errno.describe(errno);
    return switch (errno) {
      case Errno.EMFILE, Errno.ENFILE, Errno.ENOBUFS, Errno.ENOMEM ->
          new NoDescriptorException(message);
      default -> new SocketException(message);
    };
  }

  /** An attempt to connect to {@code remote} failed. */
  public static IOException connecting(InetSocketAddress remote, int errno) {
    String message = "connect to " + remote + ": " + Errno.describe(errno);
    return switch (errno) {
      case Errno.ECONNREFUSED, Errno.ETIMEDOUT -> new ConnectException(message);
      case Errno.EHOSTUNREACH, Errno.ENETUNREACH, Errno.EHOSTDOWN ->
          new NoRouteToHostException(message);
      case Errno.EADDRINUSE, Errno.EADDRNOTAVAIL -> new BindException(message);
      default -> of("connect to " + remote, errno);
    };
  }

  /** An attempt to bind to {@code local} failed. */
  static IOException binding(InetSocketAddress local, int errno) {
    String message = "bind to " + local + ": " + Errno.describe(errno);
    return switch (errno) {
      case Errno.EADDRINUSE, Errno.EADDRNOTAVAIL, Errno.EACCES -> new BindException(message);
      default -> of("bind to " + local, errno);
    };
  }

  /**
   * Whether {@code errno} says that the connection is lost, whichever call found out. A broken pipe
   * does not: the peer, or this side, may have ended it in good order.
   */
  public static boolean isBroken(int errno) {
    return switch (errno) {
      case Errno.ECONNRESET,
          Errno.ECONNABORTED,
          Errno.ETIMEDOUT,
          Errno.ENETDOWN,
          Errno.ENETUNREACH,
          Errno.EHOSTDOWN,
          Errno.EHOSTUNREACH ->
          true;
      default -> false;
    };
  }

  /** Whether an accept failed for the sake of one connection only, so that the next may succeed. */
  public static boolean isPassingOnAccept(int errno) {
    return switch (errno) {
      case Errno.ECONNABORTED,
          Errno.EPROTO,
          Errno.EPERM,
          Errno.ENETDOWN,
          Errno.ENONET,
          Errno.EHOSTDOWN,
          Errno.EHOSTUNREACH,
          Errno.ENETUNREACH,
          Errno.EOPNOTSUPP,
          Errno.ETIMEDOUT,
          Errno.ECONNRESET ->
          true;
      default -> false;
    };
  }
}
