package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.NoDescriptorException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
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
  public static IOException connecting(SocketAddress remote, int errno) {
    String message = "connect to " + remote + ": " + Errno.describe(errno);
    return switch (errno) {
      case Errno.ECONNREFUSED, Errno.ETIMEDOUT, Errno.ENOENT -> new ConnectException(message);
      case Errno.EHOSTUNREACH, Errno.ENETUNREACH, Errno.EHOSTDOWN ->
          new NoRouteToHostException(message);
      case Errno.EADDRINUSE, Errno.EADDRNOTAVAIL -> new BindException(message);
      default -> of("connect to " + remote, errno);
    };
  }

  /** An attempt to bind to {@code local} failed. */
  static IOException binding(SocketAddress local, int errno) {
    String message = "bind to " + local + ": " + Errno.describe(errno);
    return switch (errno) {
      case Errno.EADDRINUSE, Errno.EADDRNOTAVAIL, Errno.EACCES, Errno.ENOENT, Errno.ENOTDIR ->
          new BindException(message);
      default -> of("bind to " + local, errno);
    };
  }

  /** A datagram could not be sent or received. */
  public static IOException datagram(String what, int errno) {
    String message = what + ": " + Errno.describe(errno);
    return switch (errno) {
      case Errno.ECONNREFUSED -> new PortUnreachableException(message);
      case Errno.ENOENT -> new ConnectException(message);
      case Errno.EHOSTUNREACH, Errno.ENETUNREACH, Errno.EHOSTDOWN ->
          new NoRouteToHostException(message);
      default -> of(what, errno);
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

  /** Whether a file that was to be sent is to blame, or cannot be sent by the kernel. */
  public static boolean isOfFile(int errno) {
    return switch (errno) {
      case Errno.EINVAL, Errno.ENOSYS, Errno.EIO, Errno.ESPIPE, Errno.EBADF -> true;
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
