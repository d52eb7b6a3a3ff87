package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.EndpointOption;
import dev.blitz.io.internal.driver.NetEndpoint;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.function.Predicate;

/** What is done with a socket and needs no waiting: the same on every native backend. */
public final class SocketHandle {
  private final SocketDescriptor descriptor;
  private final AddressFamily family;
  private final Predicate<Runnable> blocking;

  /**
   * For the owner of {@code descriptor}.
   *
   * @param blocking makes a call on a thread that may wait, or answers false
   */
  public SocketHandle(
      SocketDescriptor descriptor, AddressFamily family, Predicate<Runnable> blocking) {
    this.descriptor = descriptor;
    this.family = family;
    this.blocking = blocking;
  }

  /**
   * A new non-blocking TCP socket of {@code family}. Urgent bytes stay in their place, also for
   * connections that it accepts: else they would be lost.
   */
  public static SocketDescriptor openSocket(AddressFamily family) throws IOException {
    CallFrame frame = CallFrame.take();
    try {
      int domain = family == AddressFamily.IPV4 ? SocketAbi.AF_INET : SocketAbi.AF_INET6;
      int fd =
          SocketCalls.socket(
              frame,
              domain,
              SocketAbi.SOCK_STREAM | SocketAbi.SOCK_NONBLOCK | SocketAbi.SOCK_CLOEXEC);
      if (fd < 0) {
        throw SocketErrors.of("socket", -fd);
      }
      PosixAbi.setIntAt(frame.value(), 0, 1);
      SocketCalls.setOption(frame, fd, SocketAbi.SOL_SOCKET, SocketAbi.SO_OOBINLINE, 4);
      return SocketDescriptor.owning(fd);
    } finally {
      frame.giveBack();
    }
  }

  /** What it has been made with. */
  public SocketDescriptor descriptor() {
    return descriptor;
  }

  /** What it has been made with. */
  public AddressFamily family() {
    return family;
  }

  /** A call that needs nothing but the descriptor: its result, or {@code -errno}. */
  @FunctionalInterface
  public interface Call {
    int make(CallFrame frame, int fd) throws IOException;
  }

  /** Makes a call on the open descriptor. */
  public int call(Call call) throws IOException {
    StackRoom.forWake(); // to let go of what is in use
    CallFrame frame = CallFrame.take(); // first: it may find no memory
    try {
      if (!descriptor.tryUse()) {
        throw new ClosedChannelException();
      }
      try {
        return call.make(frame, descriptor.number());
      } finally {
        descriptor.release();
      }
    } finally {
      frame.giveBack();
    }
  }

  /** See {@link NetEndpoint#setOption}. */
  public void setOption(EndpointOption option, int value) throws IOException {
    int r =
        call((frame, fd) -> {
          if (option == EndpointOption.LINGER_SECONDS) {
            // Inside the use: whoever closes after this call sees it.
            descriptor.closesBy(value > 0 ? blocking : null);
          }
          return SocketOptions.set(frame, fd, family, option, value);
        });
    check("set " + option, r);
  }

  /** See {@link NetEndpoint#option}. */
  public int option(EndpointOption option) throws IOException {
    int[] value = new int[1];
    check(
        "get " + option, call((frame, fd) -> SocketOptions.get(frame, fd, family, option, value)));
    return value[0];
  }

  /** See {@link NetEndpoint#bind}. */
  public void bind(InetSocketAddress local) throws IOException {
    int r =
        call((frame, fd) ->
            SocketCalls.bind(frame, fd, SocketNames.write(frame.address(), local, family)));
    if (r < 0) {
      throw SocketErrors.binding(local, -r);
    }
  }

  /** See {@link NetEndpoint#localAddress}. */
  public InetSocketAddress localAddress() throws IOException {
    return name("local address", SocketCalls::localName);
  }

  /** The peer's address. */
  public InetSocketAddress remoteAddress() throws IOException {
    return name("remote address", SocketCalls::peerName);
  }

  private InetSocketAddress name(String what, Call lookup) throws IOException {
    StackRoom.forWake(); // to let go of what is in use
    CallFrame frame = CallFrame.take(); // first: it may find no memory
    try {
      if (!descriptor.tryUse()) {
        throw new ClosedChannelException();
      }
      try {
        check(what, lookup.make(frame, descriptor.number()));
      } finally {
        descriptor.release();
      }
      return SocketNames.read(frame.address());
    } finally {
      frame.giveBack();
    }
  }

  /** Begins to take connections. */
  public void listen(int backlog) throws IOException {
    check("listen", call((frame, fd) -> SocketCalls.listen(frame, fd, backlog)));
  }

  /** Ends one direction of a connection; not an error if the peer has ended all of it. */
  public void shutdown(boolean input) throws IOException {
    int how = input ? SocketAbi.SHUT_RD : SocketAbi.SHUT_WR;
    int r = call((frame, fd) -> SocketCalls.shutdown(frame, fd, how));
    if (r != -Errno.ENOTCONN) {
      check("shutdown", r);
    }
  }

  /**
   * For whoever closes, and uses the descriptor until it has done so: tells the peer now, though
   * the number cannot be closed yet. A reset is left to the number's close.
   */
  public void endOutputAtOnce() {
    CallFrame frame = CallFrame.take();
    try {
      int fd = descriptor.number();
      if (!isUnread(frame, fd)) { // else the kernel resets, as nobody has read it
        SocketCalls.shutdown(frame, fd, SocketAbi.SHUT_WR);
      }
    } finally {
      frame.giveBack();
    }
  }

  private static boolean isUnread(CallFrame frame, int fd) {
    int flags = SocketAbi.MSG_PEEK | SocketAbi.MSG_DONTWAIT;
    return SocketCalls.receive(frame, fd, frame.value(), 1, flags) > 0;
  }

  /** For whoever closes, as above: whether the kernel has something that nobody has read. */
  public boolean isUnreadInKernel() {
    CallFrame frame = CallFrame.take();
    try {
      return isUnread(frame, descriptor.number());
    } finally {
      frame.giveBack();
    }
  }

  /** As {@link #endOutputAtOnce} for a listening socket: its port is free at once. */
  public void endListeningAtOnce() {
    CallFrame frame = CallFrame.take();
    try {
      SocketCalls.shutdown(frame, descriptor.number(), SocketAbi.SHUT_RD);
    } finally {
      frame.giveBack();
    }
  }

  /** Begins to connect: 0 when done, {@code -EINPROGRESS} when on its way, else a failure. */
  public int beginConnect(InetSocketAddress remote) throws IOException {
    int r =
        call((frame, fd) ->
            SocketCalls.connect(frame, fd, SocketNames.write(frame.address(), remote, family)));
    return r == -Errno.EINTR ? -Errno.EINPROGRESS : r;
  }

  /** How a connection that was on its way has ended: 0, a failure, or {@code -EINPROGRESS}. */
  public int connectOutcome() throws IOException {
    int r = call(SocketBytes::connectOutcome);
    return r == -Errno.EAGAIN ? -Errno.EINPROGRESS : r;
  }

  private static void check(String what, int result) throws IOException {
    if (result < 0) {
      throw SocketErrors.of(what, -result);
    }
  }
}
