package dev.blitz.io.internal.driver.socket;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.LibcCalls;
import dev.blitz.io.internal.driver.posix.Platform;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The system calls on sockets. Each answers what the kernel does, or {@code -errno}; none of them
 * waits, as all sockets are non-blocking. EINTR is dealt with here.
 */
@SuppressWarnings("restricted") // calling the kernel is the purpose of this class
public final class SocketCalls {
  private SocketCalls() {}

  /** What every new socket is; 0 where that takes other calls. */
  private static final int NEW = SocketAbi.SOCK_NONBLOCK | SocketAbi.SOCK_CLOEXEC;

  private static final MethodHandle SOCKET =
      LibcCalls.intCall("socket", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle PAIR =
      LibcCalls.intCall("socketpair", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle BIND = LibcCalls.intCall("bind", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle LISTEN = LibcCalls.intCall("listen", JAVA_INT, JAVA_INT);
  private static final MethodHandle ACCEPT =
      LibcCalls.intCallIfAny("accept4", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle PLAIN_ACCEPT =
      LibcCalls.intCall("accept", JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle CONNECT =
      LibcCalls.intCall("connect", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle RECEIVE =
      LibcCalls.longCall("recv", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle SEND =
      LibcCalls.longCall("send", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle SEND_FILE =
      LibcCalls.longCall("sendfile", JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle RECEIVE_FROM =
      LibcCalls.longCall("recvfrom", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle SEND_TO =
      LibcCalls.longCall("sendto", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle RECEIVE_MESSAGE = messageCall("recvmsg");
  private static final MethodHandle SEND_MESSAGE = messageCall("sendmsg");
  private static final MethodHandle RECEIVE_MANY =
      LibcCalls.intCallIfAny("recvmmsg", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle SEND_MANY =
      LibcCalls.intCallIfAny("sendmmsg", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  private static final MethodHandle SHUTDOWN = LibcCalls.intCall("shutdown", JAVA_INT, JAVA_INT);

  private static final MethodHandle SET_LINGER =
      LibcCalls.plain(
          "setsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MemorySegment RESETS = lingering(1);
  private static final MemorySegment GOES_ON = lingering(0);

  private static final MethodHandle GET_OPTION =
      LibcCalls.intCall("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle SET_OPTION =
      LibcCalls.intCall("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle LOCAL_NAME =
      LibcCalls.intCall("getsockname", JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle PEER_NAME =
      LibcCalls.intCall("getpeername", JAVA_INT, ADDRESS, ADDRESS);

  static {
    // The first call of a handle takes memory. This one is for no descriptor, and does nothing.
    setLinger(-1, true);
  }

  private static MemorySegment lingering(int on) {
    MemorySegment linger = Arena.global().allocate(8, 4);
    PosixAbi.setIntAt(linger, 0, on);
    return linger;
  }

  private static MethodHandle messageCall(String name) {
    return LibcCalls.vectorCall(name, JAVA_INT, ADDRESS, JAVA_INT);
  }

  /** A new socket of {@code type}, not blocking, and not inherited by programs. */
  static int socket(CallFrame frame, int domain, int type) {
    try {
      int fd = (int) SOCKET.invokeExact(frame.errno(), domain, type | NEW, 0);
      if (fd < 0) {
        return LibcCalls.failure(frame.errno());
      }
      return NEW != 0 ? fd : madeOurs(frame, fd);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /**
   * What a new socket is, by calls of its own where there are no flags for it: {@code fd}, or
   * {@code -errno} and it has been closed.
   */
  static int madeOurs(CallFrame frame, int fd) {
    int r = PosixCalls.keepFromPrograms(frame, fd);
    if (r >= 0) {
      r = PosixCalls.makeNonBlocking(frame, fd);
    }
    if (r < 0) {
      PosixCalls.close(fd);
      return r;
    }
    silence(frame, fd);
    return fd;
  }

  /** No signal is raised by a send to a peer that has gone, where a send cannot say so itself. */
  private static void silence(CallFrame frame, int fd) {
    if (SocketAbi.SO_NOSIGPIPE != SocketAbi.ABSENT) {
      PosixAbi.setIntAt(frame.value(), 0, 1);
      // A failure leaves the signal, which a JVM ignores.
      setOption(frame, fd, SocketAbi.SOL_SOCKET, SocketAbi.SO_NOSIGPIPE, 4);
    }
  }

  /** Two connected local stream sockets, blocking: the numbers go into {@code ends}. */
  public static int pair(CallFrame frame, int[] ends) {
    return pairWith(frame, SocketAbi.SOCK_STREAM | SocketAbi.SOCK_CLOEXEC, ends);
  }

  /** Two connected local sockets of {@code type}, not blocking. */
  static int pair(CallFrame frame, int type, int[] ends) {
    int r = pairWith(frame, type | NEW, ends);
    return r < 0 || NEW != 0 ? r : madeOurs(frame, ends);
  }

  /** As {@link #madeOurs(CallFrame, int)}: 0, or {@code -errno} and both have been closed. */
  static int madeOurs(CallFrame frame, int[] ends) {
    int r = madeOurs(frame, ends[0]);
    if (r < 0) {
      PosixCalls.close(ends[1]);
      return r;
    }
    r = madeOurs(frame, ends[1]);
    if (r < 0) {
      PosixCalls.close(ends[0]);
      return r;
    }
    return 0;
  }

  private static int pairWith(CallFrame frame, int type, int[] ends) {
    try {
      int r = (int) PAIR.invokeExact(frame.errno(), SocketAbi.AF_UNIX, type, 0, frame.value());
      if (r < 0) {
        return LibcCalls.failure(frame.errno());
      }
      ends[0] = PosixAbi.intAt(frame.value(), 0);
      ends[1] = PosixAbi.intAt(frame.value(), 4);
      return r;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  static int bind(CallFrame frame, int fd, int addressLength) {
    try {
      int r = (int) BIND.invokeExact(frame.errno(), fd, frame.address(), addressLength);
      return r >= 0 ? r : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  static int listen(CallFrame frame, int fd, int backlog) {
    try {
      int r = (int) LISTEN.invokeExact(frame.errno(), fd, backlog);
      return r >= 0 ? r : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Accepts a connection as a non-blocking socket. */
  public static int accept(CallFrame frame, int fd) {
    try {
      int r;
      do {
        r =
            (int)
                ACCEPT.invokeExact(frame.errno(), fd, MemorySegment.NULL, MemorySegment.NULL, NEW);
        if (r < 0) {
          r = LibcCalls.failure(frame.errno());
        }
      } while (r == -Errno.EINTR);
      return r == -Errno.ENOSYS ? plainAccept(frame, fd) : r;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** As {@link #accept}, where there is no call for all of it. */
  static int plainAccept(CallFrame frame, int fd) {
    try {
      int r;
      do {
        r =
            (int)
                PLAIN_ACCEPT.invokeExact(frame.errno(), fd, MemorySegment.NULL, MemorySegment.NULL);
        if (r < 0) {
          r = LibcCalls.failure(frame.errno());
        }
      } while (r == -Errno.EINTR);
      return r < 0 ? r : madeOurs(frame, r);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Not repeated after EINTR: the connection is then on its way. */
  static int connect(CallFrame frame, int fd, int addressLength) {
    try {
      int r = (int) CONNECT.invokeExact(frame.errno(), fd, frame.address(), addressLength);
      return r >= 0 ? r : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Receives into native memory. */
  public static int receive(CallFrame frame, int fd, MemorySegment target, long length, int flags) {
    try {
      long n;
      do {
        n = (long) RECEIVE.invokeExact(frame.errno(), fd, target, length, flags);
        if (n < 0) {
          n = LibcCalls.failure(frame.errno());
        }
      } while (n == -Errno.EINTR);
      return (int) n;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /**
   * Sends bytes of a file; one that the peer has reset raises SIGPIPE, which the JVM ignores. Only
   * on Linux: what others call so is another function.
   */
  static long sendFile(CallFrame frame, int fd, int file, long position, long length) {
    if (Platform.here() != Platform.LINUX) {
      return -Errno.ENOSYS;
    }
    frame.value().set(JAVA_LONG, 0, position);
    try {
      long n;
      do {
        n = (long) SEND_FILE.invokeExact(frame.errno(), fd, file, frame.value(), length);
        if (n < 0) {
          n = LibcCalls.failure(frame.errno());
        }
      } while (n == -Errno.EINTR);
      return n;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Sends from native memory; never raises SIGPIPE. */
  public static int send(CallFrame frame, int fd, MemorySegment source, long length, int flags) {
    try {
      long n;
      do {
        n =
            (long)
                SEND.invokeExact(frame.errno(), fd, source, length, flags | SocketAbi.MSG_NOSIGNAL);
        if (n < 0) {
          n = LibcCalls.failure(frame.errno());
        }
      } while (n == -Errno.EINTR);
      return (int) n;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Receives into native memory, and the sender's name into the frame's address. */
  static int receiveFrom(CallFrame frame, int fd, MemorySegment target, long length, int flags) {
    try {
      long n;
      do {
        PosixAbi.setIntAt(frame.length(), 0, CallFrame.ADDRESS_BYTES);
        n =
            (long)
                RECEIVE_FROM.invokeExact(
                    frame.errno(), fd, target, length, flags, frame.address(), frame.length());
        if (n < 0) {
          n = LibcCalls.failure(frame.errno());
        }
      } while (n == -Errno.EINTR);
      return (int) n;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Sends from native memory to the name in the frame's address; never raises SIGPIPE. */
  static int sendTo(CallFrame frame, int fd, MemorySegment source, long length, int addressLength) {
    try {
      long n;
      do {
        n =
            (long)
                SEND_TO.invokeExact(
                    frame.errno(),
                    fd,
                    source,
                    length,
                    SocketAbi.MSG_NOSIGNAL,
                    frame.address(),
                    addressLength);
        if (n < 0) {
          n = LibcCalls.failure(frame.errno());
        }
      } while (n == -Errno.EINTR);
      return (int) n;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Receives into the first {@code count} vectors of the frame. */
  static long receiveVectors(CallFrame frame, int fd, int count, int flags) {
    SocketAbi.setMessage(frame.message(), frame.iovecs(), count);
    try {
      long n;
      do {
        n =
            (long)
                RECEIVE_MESSAGE.invokeExact(
                    frame.errno(), fd, frame.message(), flags, frame.vectors());
        if (n < 0) {
          n = LibcCalls.failure(frame.errno());
        }
      } while (n == -Errno.EINTR);
      return n;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Sends from the first {@code count} vectors of the frame; never raises SIGPIPE. */
  static long sendVectors(CallFrame frame, int fd, int count, int flags) {
    SocketAbi.setMessage(frame.message(), frame.iovecs(), count);
    try {
      long n;
      do {
        n =
            (long)
                SEND_MESSAGE.invokeExact(
                    frame.errno(),
                    fd,
                    frame.message(),
                    flags | SocketAbi.MSG_NOSIGNAL,
                    frame.vectors());
        if (n < 0) {
          n = LibcCalls.failure(frame.errno());
        }
      } while (n == -Errno.EINTR);
      return n;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /**
   * Receives up to {@code count} datagrams, each by a header of {@code messages}. Only on Linux:
   * elsewhere headers look otherwise.
   *
   * @return how many, or {@code -errno}
   */
  static int receiveMany(CallFrame frame, int fd, MemorySegment messages, int count, int flags) {
    try {
      int n;
      do {
        n =
            (int)
                RECEIVE_MANY.invokeExact(
                    frame.errno(), fd, messages, count, flags, MemorySegment.NULL);
        if (n < 0) {
          n = LibcCalls.failure(frame.errno());
        }
      } while (n == -Errno.EINTR);
      return n;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Sends up to {@code count} datagrams, as {@link #receiveMany}; never raises SIGPIPE. */
  static int sendMany(CallFrame frame, int fd, MemorySegment messages, int count) {
    try {
      int n;
      do {
        n = (int) SEND_MANY.invokeExact(frame.errno(), fd, messages, count, SocketAbi.MSG_NOSIGNAL);
        if (n < 0) {
          n = LibcCalls.failure(frame.errno());
        }
      } while (n == -Errno.EINTR);
      return n;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  static int shutdown(CallFrame frame, int fd, int how) {
    try {
      int r = (int) SHUTDOWN.invokeExact(frame.errno(), fd, how);
      return r >= 0 ? r : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Before a close: it will be a reset, or go on without us. Takes no memory. */
  static void setLinger(int fd, boolean reset) {
    MemorySegment value = reset ? RESETS : GOES_ON;
    try {
      int ignored =
          (int) SET_LINGER.invokeExact(fd, SocketAbi.SOL_SOCKET, SocketAbi.SO_LINGER, value, 8);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Reads an option of up to 16 bytes into the frame's value; its length into the length. */
  static int getOption(CallFrame frame, int fd, int level, int name, int length) {
    PosixAbi.setIntAt(frame.length(), 0, length);
    try {
      int r =
          (int)
              GET_OPTION.invokeExact(frame.errno(), fd, level, name, frame.value(), frame.length());
      return r >= 0 ? r : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** As {@link #getOption}, of up to 128 bytes, into the frame's address. */
  static int getLongOption(CallFrame frame, int fd, int level, int name, int length) {
    PosixAbi.setIntAt(frame.length(), 0, length);
    try {
      int r =
          (int)
              GET_OPTION.invokeExact(
                  frame.errno(), fd, level, name, frame.address(), frame.length());
      return r >= 0 ? r : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Sets an option from the frame's value. */
  static int setOption(CallFrame frame, int fd, int level, int name, int length) {
    try {
      int r = (int) SET_OPTION.invokeExact(frame.errno(), fd, level, name, frame.value(), length);
      return r >= 0 ? r : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Sets an option from the frame's address. */
  static int setLongOption(CallFrame frame, int fd, int level, int name, int length) {
    try {
      int r = (int) SET_OPTION.invokeExact(frame.errno(), fd, level, name, frame.address(), length);
      return r >= 0 ? r : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Fills the frame's address with the socket's own one, and its length. */
  static int localName(CallFrame frame, int fd) {
    PosixAbi.setIntAt(frame.length(), 0, CallFrame.ADDRESS_BYTES);
    try {
      int r = (int) LOCAL_NAME.invokeExact(frame.errno(), fd, frame.address(), frame.length());
      return r >= 0 ? r : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Fills the frame's address with the peer's one, and its length. */
  static int peerName(CallFrame frame, int fd) {
    PosixAbi.setIntAt(frame.length(), 0, CallFrame.ADDRESS_BYTES);
    try {
      int r = (int) PEER_NAME.invokeExact(frame.errno(), fd, frame.address(), frame.length());
      return r >= 0 ? r : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }
}
