package dev.blitz.io.internal.driver.iocp;

import dev.blitz.io.internal.driver.posix.NoDescriptorException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnsupportedAddressTypeException;

/**
 * Turns what the JDK throws into what the other backends throw. It has the system's words and no
 * number, so they decide; those of Windows are only needed where nothing else tells.
 */
final class IocpErrors {
  private IocpErrors() {}

  /** {@code what} has failed; a new exception, as it may be told often. */
  static IOException of(String what, Throwable cause) {
    if (cause instanceof ClosedChannelException) {
      return new ClosedChannelException();
    }
    String message = what + ": " + words(cause);
    IOException e =
        isShortage(cause) ? new NoDescriptorException(message) : new SocketException(message);
    e.initCause(cause);
    return e;
  }

  /** An attempt to connect to {@code remote} failed. */
  static IOException connecting(SocketAddress remote, Throwable cause) {
    if (cause instanceof ClosedChannelException || isShortage(cause)) {
      return of("connect to " + remote, cause);
    }
    String message = "connect to " + remote + ": " + words(cause);
    IOException e =
        switch (cause) {
          case BindException bind -> new BindException(message);
          case NoRouteToHostException none -> new NoRouteToHostException(message);
          case UnsupportedAddressTypeException family -> new SocketException(message);
          default -> new ConnectException(message);
        };
    e.initCause(cause);
    return e;
  }

  /** An attempt to bind to {@code local} failed. */
  static IOException binding(SocketAddress local, Exception cause) {
    if (cause instanceof ClosedChannelException) {
      return new ClosedChannelException();
    }
    var e = new BindException("bind to " + local + ": " + words(cause));
    e.initCause(cause);
    return e;
  }

  /**
   * Whether a write that failed so has found the connection broken. A broken pipe does not say so:
   * the peer may have ended it in good order.
   */
  static boolean isBroken(Throwable cause) {
    return !words(cause).contains("Broken pipe");
  }

  /** Whether a new descriptor, or memory for one, could not be had. */
  static boolean isShortage(Throwable cause) {
    String words = words(cause);
    return words.contains("Too many open files") || words.contains("buffer space");
  }

  private static String words(Throwable cause) {
    String message = cause.getMessage();
    return message != null ? message : cause.getClass().getSimpleName();
  }
}
