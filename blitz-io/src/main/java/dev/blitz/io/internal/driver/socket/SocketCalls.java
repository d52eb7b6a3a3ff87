package dev.blitz.io.internal.driver.socket;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The system calls on sockets. Each answers what the kernel does, or {@code -errno}; none of them
 * waits, as all sockets are non-blocking. EINTR is dealt with here.
 */
@SuppressWarnings("restricted") // calling the kernel is the purpose of this class
public final class SocketCalls {
  private SocketCalls() {}

  private static final Linker LINKER = Linker.nativeLinker();
  private static final Linker.Option CAPTURE_ERRNO = Linker.Option.captureCallState("errno");
  private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CALL_STATE.varHandle(PathElement.groupElement("errno")).withInvokeExactBehavior();

  private static final MethodHandle SOCKET = intCall("socket", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle BIND = intCall("bind", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle LISTEN = intCall("listen", JAVA_INT, JAVA_INT);
  private static final MethodHandle ACCEPT =
      intCall("accept4", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle CONNECT = intCall("connect", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle RECEIVE =
      longCall("recv", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle SEND = longCall("send", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle RECEIVE_MESSAGE = vectorCall("recvmsg");
  private static final MethodHandle SEND_MESSAGE = vectorCall("sendmsg");
  private static final MethodHandle SHUTDOWN = intCall("shutdown", JAVA_INT, JAVA_INT);

  /** Without errno, and so without a frame: what must succeed also when there is no memory. */
  private static final MethodHandle CLOSE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  private static final MethodHandle SET_LINGER =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("setsockopt"),
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MemorySegment RESETS = lingering(1);
  private static final MemorySegment GOES_ON = lingering(0);

  private static final MethodHandle GET_OPTION =
      intCall("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle SET_OPTION =
      intCall("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle LOCAL_NAME = intCall("getsockname", JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle PEER_NAME = intCall("getpeername", JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle STRERROR =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("strerror"), FunctionDescriptor.of(ADDRESS, JAVA_INT));

  static {
    // The first call of a handle takes memory. This one is for no descriptor, and does nothing.
    setLinger(-1, true);
    close(-1);
  }

  private static MemorySegment lingering(int on) {
    MemorySegment linger = Arena.global().allocate(8, 4);
    SocketAbi.setIntAt(linger, 0, on);
    return linger;
  }

  private static MethodHandle intCall(String name, MemoryLayout... parameters) {
    return bind(name, FunctionDescriptor.of(JAVA_INT, parameters));
  }

  private static MethodHandle longCall(String name, MemoryLayout... parameters) {
    return bind(name, FunctionDescriptor.of(JAVA_LONG, parameters));
  }

  /**
   * A call that finds its memory through a message. The linker keeps memory alive for the time of a
   * call, and refuses what is gone, only if it is an argument. So the memory is passed as well,
   * behind the arguments that the function has: it does not look at them, and the caller removes
   * them, in every calling convention of Linux.
   */
  private static MethodHandle vectorCall(String name) {
    MemoryLayout[] parameters = new MemoryLayout[3 + CallFrame.MAX_VECTORS];
    Arrays.fill(parameters, ADDRESS);
    parameters[0] = JAVA_INT;
    parameters[2] = JAVA_INT;
    return longCall(name, parameters).asSpreader(4, MemorySegment[].class, CallFrame.MAX_VECTORS);
  }

  private static MethodHandle bind(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, CAPTURE_ERRNO);
  }

  static MemorySegment allocateErrno(Arena arena) {
    return arena.allocate(CALL_STATE);
  }

  private static int failure(CallFrame frame) {
    return -(int) ERRNO.get(frame.errno, 0L);
  }

  static int socket(CallFrame frame, int domain, int type) {
    try {
      int fd = (int) SOCKET.invokeExact(frame.errno, domain, type, 0);
      return fd >= 0 ? fd : failure(frame);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  static int bind(CallFrame frame, int fd, int addressLength) {
    try {
      int r = (int) BIND.invokeExact(frame.errno, fd, frame.address, addressLength);
      return r >= 0 ? r : failure(frame);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  static int listen(CallFrame frame, int fd, int backlog) {
    try {
      int r = (int) LISTEN.invokeExact(frame.errno, fd, backlog);
      return r >= 0 ? r : failure(frame);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** Accepts a connection as a non-blocking socket. */
  public static int accept(CallFrame frame, int fd) {
    try {
      int r;
      do {
        r =
            (int)
                ACCEPT.invokeExact(
                    frame.errno,
                    fd,
                    MemorySegment.NULL,
                    MemorySegment.NULL,
                    SocketAbi.SOCK_NONBLOCK | SocketAbi.SOCK_CLOEXEC);
        if (r < 0) {
          r = failure(frame);
        }
      } while (r == -SocketAbi.EINTR);
      return r;
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** Not repeated after EINTR: the connection is then on its way. */
  static int connect(CallFrame frame, int fd, int addressLength) {
    try {
      int r = (int) CONNECT.invokeExact(frame.errno, fd, frame.address, addressLength);
      return r >= 0 ? r : failure(frame);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** Receives into native memory. */
  public static int receive(CallFrame frame, int fd, MemorySegment target, long length, int flags) {
    try {
      long n;
      do {
        n = (long) RECEIVE.invokeExact(frame.errno, fd, target, length, flags);
        if (n < 0) {
          n = failure(frame);
        }
      } while (n == -SocketAbi.EINTR);
      return (int) n;
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** Sends from native memory; never raises SIGPIPE. */
  public static int send(CallFrame frame, int fd, MemorySegment source, long length) {
    try {
      long n;
      do {
        n = (long) SEND.invokeExact(frame.errno, fd, source, length, SocketAbi.MSG_NOSIGNAL);
        if (n < 0) {
          n = failure(frame);
        }
      } while (n == -SocketAbi.EINTR);
      return (int) n;
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** Receives into the first {@code count} vectors of the frame. */
  static long receiveVectors(CallFrame frame, int fd, int count) {
    SocketAbi.setMessage(frame.message, frame.iovecs, count);
    try {
      long n;
      do {
        n = (long) RECEIVE_MESSAGE.invokeExact(frame.errno, fd, frame.message, 0, frame.vectors);
        if (n < 0) {
          n = failure(frame);
        }
      } while (n == -SocketAbi.EINTR);
      return n;
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** Sends from the first {@code count} vectors of the frame; never raises SIGPIPE. */
  static long sendVectors(CallFrame frame, int fd, int count) {
    SocketAbi.setMessage(frame.message, frame.iovecs, count);
    try {
      long n;
      do {
        n =
            (long)
                SEND_MESSAGE.invokeExact(
                    frame.errno, fd, frame.message, SocketAbi.MSG_NOSIGNAL, frame.vectors);
        if (n < 0) {
          n = failure(frame);
        }
      } while (n == -SocketAbi.EINTR);
      return n;
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  static int shutdown(CallFrame frame, int fd, int how) {
    try {
      int r = (int) SHUTDOWN.invokeExact(frame.errno, fd, how);
      return r >= 0 ? r : failure(frame);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /**
   * Closes a descriptor. Never repeated: on Linux the number is free even after a failure, which
   * leaves nothing to do. Takes no memory.
   */
  static void close(int fd) {
    try {
      int ignored = (int) CLOSE.invokeExact(fd);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** Before a close: it will be a reset, or go on without us. Takes no memory. */
  static void setLinger(int fd, boolean reset) {
    MemorySegment value = reset ? RESETS : GOES_ON;
    try {
      int ignored =
          (int) SET_LINGER.invokeExact(fd, SocketAbi.SOL_SOCKET, SocketAbi.SO_LINGER, value, 8);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** Reads an option of up to 8 bytes into the frame's value. */
  static int getOption(CallFrame frame, int fd, int level, int name, int length) {
    SocketAbi.setIntAt(frame.length, 0, length);
    try {
      int r = (int) GET_OPTION.invokeExact(frame.errno, fd, level, name, frame.value, frame.length);
      return r >= 0 ? r : failure(frame);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** Sets an option from the frame's value. */
  static int setOption(CallFrame frame, int fd, int level, int name, int length) {
    try {
      int r = (int) SET_OPTION.invokeExact(frame.errno, fd, level, name, frame.value, length);
      return r >= 0 ? r : failure(frame);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** Fills the frame's address with the socket's own one. */
  static int localName(CallFrame frame, int fd) {
    SocketAbi.setIntAt(frame.length, 0, SocketAbi.ADDRESS6_BYTES);
    try {
      int r = (int) LOCAL_NAME.invokeExact(frame.errno, fd, frame.address, frame.length);
      return r >= 0 ? r : failure(frame);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** Fills the frame's address with the peer's one. */
  static int peerName(CallFrame frame, int fd) {
    SocketAbi.setIntAt(frame.length, 0, SocketAbi.ADDRESS6_BYTES);
    try {
      int r = (int) PEER_NAME.invokeExact(frame.errno, fd, frame.address, frame.length);
      return r >= 0 ? r : failure(frame);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** The system's words for an error. */
  public static String describe(int errno) {
    try {
      var text = (MemorySegment) STRERROR.invokeExact(errno);
      return text.reinterpret(256).getString(0);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** A downcall declares Throwable but throws nothing checked. */
  private static RuntimeException rethrown(Throwable t) {
    switch (t) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError("a downcall threw a checked exception", t);
    }
  }
}
