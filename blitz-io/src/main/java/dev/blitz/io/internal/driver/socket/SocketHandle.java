package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.NetEndpoint;
import dev.blitz.io.internal.driver.QueueFullException;
import dev.blitz.io.internal.driver.UnixName;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.Platform;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What is done with a socket and needs no waiting: the same on every native backend. */
public final class SocketHandle {
  private final String backend;
  private final SocketDescriptor descriptor;
  private final AddressFamily family;
  private final Predicate<Runnable> blocking;

  /**
   * For the owner of {@code descriptor}.
   *
   * @param backend its name
   * @param blocking makes a call on a thread that may wait, or answers false
   */
  public SocketHandle(
      String backend,
      SocketDescriptor descriptor,
      AddressFamily family,
      Predicate<Runnable> blocking) {
    this.backend = backend;
    this.descriptor = descriptor;
    this.family = family;
    this.blocking = blocking;
  }

  /** Whether it has names on this machine, not addresses. */
  public boolean isUnix() {
    return family == AddressFamily.UNIX;
  }

  /**
   * A new non-blocking stream socket of {@code family}. Urgent bytes stay in their place, also for
   * connections that it accepts: else they would be lost.
   */
  public static SocketDescriptor openSocket(AddressFamily family) throws IOException {
    CallFrame frame = CallFrame.take();
    try {
      int fd = open(frame, family, SocketAbi.SOCK_STREAM);
      PosixAbi.setIntAt(frame.value(), 0, 1);
      SocketCalls.setOption(frame, fd, SocketAbi.SOL_SOCKET, SocketAbi.SO_OOBINLINE, 4);
      return SocketDescriptor.owning(fd);
    } finally {
      frame.giveBack();
    }
  }

  /** A new non-blocking socket of datagrams. */
  public static SocketDescriptor openDatagram(AddressFamily family) throws IOException {
    CallFrame frame = CallFrame.take();
    try {
      return SocketDescriptor.owning(open(frame, family, SocketAbi.SOCK_DGRAM));
    } finally {
      frame.giveBack();
    }
  }

  private static int open(CallFrame frame, AddressFamily family, int type) throws IOException {
    int domain =
        switch (family) {
          case IPV4 -> SocketAbi.AF_INET;
          case IPV6 -> SocketAbi.AF_INET6;
          case UNIX -> SocketAbi.AF_UNIX;
        };
    int fd = SocketCalls.socket(frame, domain, type);
    if (fd < 0) {
      throw SocketErrors.of("socket", -fd);
    }
    return fd;
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
  public <T> void setOption(SocketOption<T> option, T value) throws IOException {
    requireKnown(option);
    int r =
        call((frame, fd) -> {
          if (isLinger(option)) {
            // Inside the use: whoever closes after this call sees it.
            descriptor.closesBy((Integer) value > 0 ? blocking : null);
          }
          return SocketOptions.set(frame, fd, family, option, value);
        });
    check("set " + option.name(), r);
  }

  /** Whether {@code option} is the one that lets a close wait. */
  public static boolean isLinger(SocketOption<?> option) {
    return option.name().equals(StandardSocketOptions.SO_LINGER.name());
  }

  private void requireKnown(SocketOption<?> option) {
    if (!SocketOptions.isKnown(option, family)) {
      throw new UnsupportedOperationException(
          backend
              + " has no option "
              + option.name()
              + " of "
              + option.type().getSimpleName()
              + " for a socket of family "
              + family);
    }
  }

  /** See {@link NetEndpoint#option}. */
  public <T> T option(SocketOption<T> option) throws IOException {
    requireKnown(option);
    return ask(
        "get " + option.name(),
        (frame, fd) -> SocketOptions.get(frame, fd, family, option),
        frame -> SocketOptions.read(frame, family, option));
  }

  /** See {@link NetEndpoint#bind}. */
  public void bind(SocketAddress local) throws IOException {
    bind(local, () -> false);
  }

  /**
   * As {@link #bind(SocketAddress)}, for where a closed socket may keep its address a little
   * longer.
   *
   * @param lingers asked when the address is in use: whether there may be such sockets now; lets
   *     them go on. The address is tried again, for the last time after this was false
   */
  public void bind(SocketAddress local, BooleanSupplier lingers) throws IOException {
    int r = tryBind(local);
    boolean isPath = local instanceof UnixName name && !name.isAbstract(); // no close removes it
    for (boolean mayBeFreed = !isPath; mayBeFreed && r == -Errno.EADDRINUSE; ) {
      mayBeFreed = lingers.getAsBoolean();
      r = tryBind(local);
    }
    if (r < 0) {
      throw SocketErrors.binding(local, -r);
    }
  }

  private int tryBind(SocketAddress local) throws IOException {
    return call((frame, fd) -> {
      int r = SocketCalls.bind(frame, fd, SocketNames.write(frame.address(), local, family));
      if (r >= 0) {
        descriptor.markBound();
      }
      return r;
    });
  }

  /** See {@link NetEndpoint#localAddress}. */
  public SocketAddress localAddress() throws IOException {
    return ask("local address", SocketCalls::localName, SocketHandle::name);
  }

  /** The peer's address. */
  public SocketAddress remoteAddress() throws IOException {
    return ask("remote address", SocketCalls::peerName, SocketHandle::name);
  }

  private static SocketAddress name(CallFrame frame) throws IOException {
    return SocketNames.read(frame.address(), PosixAbi.intAt(frame.length(), 0));
  }

  /** What a call has left in its frame. */
  @FunctionalInterface
  private interface Answer<T> {
    T read(CallFrame frame) throws IOException;
  }

  private <T> T ask(String what, Call question, Answer<T> answer) throws IOException {
    StackRoom.forWake(); // to let go of what is in use
    CallFrame frame = CallFrame.take(); // first: it may find no memory
    try {
      if (!descriptor.tryUse()) {
        throw new ClosedChannelException();
      }
      try {
        check(what, question.make(frame, descriptor.number()));
      } finally {
        descriptor.release();
      }
      return answer.read(frame);
    } finally {
      frame.giveBack();
    }
  }

  /** See {@link dev.blitz.io.internal.driver.DatagramEndpoint#connect}. */
  public void connectDatagrams(@Nullable SocketAddress remote) throws IOException {
    int r =
        call((frame, fd) -> {
          if (remote != null) {
            return SocketCalls.connect(
                frame, fd, SocketNames.write(frame.address(), remote, family));
          }
          frame.address().fill((byte) 0);
          AddressAbi.here().begin(frame.address(), SocketAbi.AF_UNSPEC, SocketAbi.ADDRESS_BYTES);
          return disconnected(SocketCalls.connect(frame, fd, SocketAbi.ADDRESS_BYTES));
        });
    if (r < 0 && remote != null) {
      throw SocketErrors.connecting(remote, -r);
    }
    check("disconnect", r);
  }

  /** Systems of BSD do it and complain all the same. */
  private static int disconnected(int result) {
    boolean done =
        Platform.here().isBsd()
            && (result == -Errno.EAFNOSUPPORT || result == -Errno.EADDRNOTAVAIL);
    return done ? 0 : result;
  }

  /** See {@link dev.blitz.io.internal.driver.DatagramEndpoint#member}. */
  public void member(InetAddress group, NetworkInterface by, boolean joins) throws IOException {
    int r = call((frame, fd) -> SocketOptions.member(frame, fd, group, by, family, joins));
    check((joins ? "join " : "leave ") + group + " by " + by.getName(), r);
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

  /**
   * For whoever closes, as above, while something is being sent: gives a peer that does not read so
   * long before the connection fails. Without it the number would stay open for as long as it
   * likes.
   */
  public void limitSending(int millis) {
    if (SocketAbi.TCP_USER_TIMEOUT == SocketAbi.ABSENT) {
      return; // what calls it is Linux's own
    }
    CallFrame frame = CallFrame.take();
    try {
      PosixAbi.setIntAt(frame.value(), 0, millis);
      int fd = descriptor.number();
      SocketCalls.setOption(
          frame, fd, SocketAbi.IPPROTO_TCP, SocketAbi.TCP_USER_TIMEOUT, Integer.BYTES);
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
  public int beginConnect(SocketAddress remote) throws IOException {
    int r =
        call((frame, fd) ->
            SocketCalls.connect(frame, fd, SocketNames.write(frame.address(), remote, family)));
    if (r == -Errno.EAGAIN && family == AddressFamily.UNIX) {
      throw new QueueFullException(
          "connect to " + remote + ": its queue of connections is full, and nobody accepts them");
    }
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
