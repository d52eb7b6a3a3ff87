package dev.blitz.io.internal.driver.nio;

import dev.blitz.io.internal.driver.posix.NoDescriptorException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.Set;

/**
 * Turns the JDK's exceptions into those of the other backends. What the system said is known only
 * by its words, which are compared in English: where the C library speaks another language, some
 * failures keep the JDK's class instead of ours.
 */
final class NioErrors {
  private NioErrors() {}

  private static final String RESET = "Connection reset by peer";

  /** The words for a write that nobody can read any more. */
  static final String BROKEN_PIPE = "Broken pipe";

  private static final Set<String> SHORTAGES =
      Set.of(
          "Too many open files",
          "Too many open files in system",
          "No buffer space available",
          "Cannot allocate memory");

  private static final Set<String> NO_ROUTES =
      Set.of("No route to host", "Network is unreachable", "Host is down");

  private static final Set<String> BAD_PLACES =
      Set.of("Permission denied", "No such file or directory", "Not a directory");

  /** See {@code SocketErrors.isPassingOnAccept}. */
  private static final Set<String> PASSING =
      Set.of(
          "Software caused connection abort",
          "Protocol error",
          "Operation not permitted",
          "Network is down",
          "Machine is not on the network",
          "Operation not supported",
          "Connection timed out",
          RESET,
          "No route to host",
          "Network is unreachable",
          "Host is down");

  /** The system's words. */
  static String words(Exception e) {
    String message = e.getMessage();
    if (message == null) {
      return e instanceof PortUnreachableException ? "Connection refused" : e.toString();
    }
    return message.equals("Connection reset") ? RESET : message;
  }

  /** {@code what} failed. */
  static IOException of(String what, Exception e) {
    if (e instanceof ClosedChannelException closed) {
      return closed;
    }
    String words = words(e);
    String message = what + ": " + words;
    return SHORTAGES.contains(words)
        ? new NoDescriptorException(message)
        : new SocketException(message);
  }

  /** An attempt to connect to {@code remote} failed. */
  static IOException connecting(SocketAddress remote, Exception e) {
    String what = "connect to " + remote;
    String words = words(e);
    String message = what + ": " + words;
    if (e instanceof ConnectException || words.equals("No such file or directory")) {
      return new ConnectException(message);
    }
    if (e instanceof NoRouteToHostException || NO_ROUTES.contains(words)) {
      return new NoRouteToHostException(message);
    }
    return e instanceof BindException ? new BindException(message) : of(what, e);
  }

  /** Whether a connect failed because the one who listens has no room. */
  static boolean isQueueFull(IOException e) {
    return words(e).equals("Resource temporarily unavailable");
  }

  /** An attempt to bind to {@code local} failed. */
  static IOException binding(SocketAddress local, Exception e) {
    String what = "bind to " + local;
    return e instanceof BindException || BAD_PLACES.contains(words(e))
        ? new BindException(what + ": " + words(e))
        : of(what, e);
  }

  /** Whether somebody else has the address. */
  static boolean isInUse(Exception e) {
    return e instanceof BindException && words(e).startsWith("Address already in use");
  }

  /** A datagram could not be sent or received. */
  static IOException datagram(String what, Exception e) {
    String message = what + ": " + words(e);
    if (e instanceof PortUnreachableException || e instanceof ConnectException) {
      return new PortUnreachableException(message);
    }
    if (e instanceof NoRouteToHostException || NO_ROUTES.contains(words(e))) {
      return new NoRouteToHostException(message);
    }
    return of(what, e);
  }

  /** Whether an accept failed for the sake of one connection only, so that the next may succeed. */
  static boolean isPassingOnAccept(IOException e) {
    return PASSING.contains(words(e));
  }
}
