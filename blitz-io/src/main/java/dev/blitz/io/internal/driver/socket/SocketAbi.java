package dev.blitz.io.internal.driver.socket;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.blitz.io.internal.driver.posix.Platform;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Layouts and numbers of sockets, as {@code <sys/socket.h>} and {@code <netinet/in.h>} spell them
 * on every architecture that a JDK is built for. {@link SocketNumber} has the options, and the
 * numbers that differ between platforms; {@link AddressAbi} what differs in names.
 */
public final class SocketAbi {
  private SocketAbi() {}

  /** The number of an option that the platform does not have. */
  static final int ABSENT = -1;

  static final int AF_UNSPEC = 0;
  static final int AF_UNIX = 1;
  static final int AF_INET = 2;
  static final int AF_INET6 = SocketNumber.AF_INET6.here();

  static final int SOCK_STREAM = 1;
  static final int SOCK_DGRAM = 2;
  static final int SOCK_NONBLOCK = SocketNumber.SOCK_NONBLOCK.here();
  static final int SOCK_CLOEXEC = SocketNumber.SOCK_CLOEXEC.here();

  public static final int MSG_PEEK = 0x2;

  /** With a receive: answer the length that the datagram had. */
  static final int MSG_TRUNC = SocketNumber.MSG_TRUNC.here();

  public static final int MSG_DONTWAIT = SocketNumber.MSG_DONTWAIT.here();

  /** With a send: the next one follows at once, and may go in the same packet. */
  static final int MSG_MORE = SocketNumber.MSG_MORE.here();

  public static final int MSG_NOSIGNAL = SocketNumber.MSG_NOSIGNAL.here();

  static final int SHUT_RD = 0;
  static final int SHUT_WR = 1;

  static final int SOL_SOCKET = SocketNumber.SOL_SOCKET.here();
  static final int SO_ERROR = SocketNumber.SO_ERROR.here();
  static final int SO_OOBINLINE = SocketNumber.SO_OOBINLINE.here();
  static final int SO_LINGER = SocketNumber.SO_LINGER.here();
  static final int SO_NREAD = SocketNumber.SO_NREAD.here();
  static final int SO_NOSIGPIPE = SocketNumber.SO_NOSIGPIPE.here();

  static final int IPPROTO_IP = 0;
  static final int IPPROTO_TCP = 6;
  static final int IPPROTO_IPV6 = 41;
  static final int TCP_USER_TIMEOUT = SocketNumber.TCP_USER_TIMEOUT.here();

  private static final ValueLayout.OfShort PORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt WIDE_ADDRESS = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

  /** {@code struct sockaddr_in}; where there is a length it shares the place of the family. */
  static final MemoryLayout SOCKADDR_IN =
      structLayout(
          JAVA_SHORT.withName("sin_family"),
          PORT.withName("sin_port"),
          WIDE_ADDRESS.withName("sin_addr"),
          sequenceLayout(8, JAVA_BYTE).withName("sin_zero"));

  /** {@code struct sockaddr_in6}. */
  static final MemoryLayout SOCKADDR_IN6 =
      structLayout(
          JAVA_SHORT.withName("sin6_family"),
          PORT.withName("sin6_port"),
          JAVA_INT.withName("sin6_flowinfo"),
          sequenceLayout(16, JAVA_BYTE).withName("sin6_addr"),
          JAVA_INT.withName("sin6_scope_id"));

  /** {@code struct sockaddr_un}: family, path. */
  static final long PATH_OFFSET = 2;

  /** {@code struct ip_mreqn}: group, own address, interface. */
  static final int MEMBERSHIP_BYTES = 12;

  /** {@code struct ipv6_mreq}: group, interface. */
  static final int MEMBERSHIP6_BYTES = 20;

  /** {@code struct ucred}: three numbers. */
  static final int IDENTITY_BYTES = 12;

  static final long PORT_OFFSET = 2;
  static final long ADDRESS_OFFSET = 4;
  static final long ADDRESS6_OFFSET = 8;
  static final long SCOPE_OFFSET = 24;

  /**
   * {@code struct msghdr} of Linux. Elsewhere lengths are shorter, and so it is; what we use is in
   * the same place.
   */
  static final MemoryLayout MSGHDR =
      structLayout(
          ADDRESS.withName("msg_name"),
          JAVA_INT.withName("msg_namelen"),
          paddingLayout(4),
          ADDRESS.withName("msg_iov"),
          JAVA_LONG.withName("msg_iovlen"),
          ADDRESS.withName("msg_control"),
          JAVA_LONG.withName("msg_controllen"),
          JAVA_INT.withName("msg_flags"),
          paddingLayout(4));

  /** {@code struct mmsghdr} of Linux: a message, and how many bytes of it have moved. */
  static final MemoryLayout MMSGHDR =
      structLayout(MSGHDR.withName("msg_hdr"), JAVA_INT.withName("msg_len"), paddingLayout(4));

  private static final long MSG_NAME = MSGHDR.byteOffset(PathElement.groupElement("msg_name"));
  private static final long MSG_NAMELEN =
      MSGHDR.byteOffset(PathElement.groupElement("msg_namelen"));
  private static final long MSG_LEN = MMSGHDR.byteOffset(PathElement.groupElement("msg_len"));
  private static final long MSG_IOV = MSGHDR.byteOffset(PathElement.groupElement("msg_iov"));
  private static final long MSG_IOVLEN = MSGHDR.byteOffset(PathElement.groupElement("msg_iovlen"));

  /** Bytes of a {@link #SOCKADDR_IN}. */
  static final int ADDRESS_BYTES = (int) SOCKADDR_IN.byteSize();

  /** Bytes of a {@link #SOCKADDR_IN6}, the longer one. */
  static final int ADDRESS6_BYTES = (int) SOCKADDR_IN6.byteSize();

  /** Bytes of a {@link #MMSGHDR}. */
  static final long MESSAGE_BYTES = MMSGHDR.byteSize();

  static int byteAt(MemorySegment segment, long offset) {
    return segment.get(JAVA_BYTE, offset);
  }

  static int port(MemorySegment sockaddr) {
    return Short.toUnsignedInt(sockaddr.get(PORT, PORT_OFFSET));
  }

  static void setPort(MemorySegment sockaddr, int port) {
    sockaddr.set(PORT, PORT_OFFSET, (short) port);
  }

  static int scope(MemorySegment sockaddr) {
    return sockaddr.get(JAVA_INT, SCOPE_OFFSET);
  }

  static void setScope(MemorySegment sockaddr, int scope) {
    sockaddr.set(JAVA_INT, SCOPE_OFFSET, scope);
  }

  /** Points a message at {@code count} of {@code iovecs}, with neither name nor control data. */
  static void setMessage(MemorySegment message, MemorySegment iovecs, int count) {
    message.set(ADDRESS, MSG_IOV, iovecs);
    if (Platform.here().isBsd()) {
      message.set(JAVA_INT, MSG_IOVLEN, count);
    } else {
      message.set(JAVA_LONG, MSG_IOVLEN, count);
    }
  }

  /** Names the socket that a message is for, or where the name of the one it is from goes. */
  static void setMessageName(MemorySegment message, MemorySegment name, int length) {
    message.set(ADDRESS, MSG_NAME, length == 0 ? MemorySegment.NULL : name);
    message.set(JAVA_INT, MSG_NAMELEN, length);
  }

  /** How long the name is that a receive has brought. */
  static int messageNameLength(MemorySegment message) {
    return message.get(JAVA_INT, MSG_NAMELEN);
  }

  /** How many bytes a {@link #MMSGHDR} says that have moved. */
  static int movedBytes(MemorySegment message) {
    return message.get(JAVA_INT, MSG_LEN);
  }
}
