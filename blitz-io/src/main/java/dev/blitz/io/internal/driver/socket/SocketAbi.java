package dev.blitz.io.internal.driver.socket;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Layouts and numbers of Linux sockets, as {@code <sys/socket.h>} and {@code <netinet/in.h>} spell
 * them on every architecture that a JDK is built for.
 */
public final class SocketAbi {
  private SocketAbi() {}

  static final int AF_UNSPEC = 0;
  static final int AF_UNIX = 1;
  static final int AF_INET = 2;
  static final int AF_INET6 = 10;

  static final int SOCK_STREAM = 1;
  static final int SOCK_DGRAM = 2;
  static final int SOCK_NONBLOCK = 0x800;
  static final int SOCK_CLOEXEC = 0x80000;

  public static final int MSG_PEEK = 0x2;

  /** With a receive: answer the length that the datagram had. */
  static final int MSG_TRUNC = 0x20;

  public static final int MSG_DONTWAIT = 0x40;
  public static final int MSG_NOSIGNAL = 0x4000;

  static final int SHUT_RD = 0;
  static final int SHUT_WR = 1;

  static final int SOL_SOCKET = 1;
  static final int SO_REUSEADDR = 2;
  static final int SO_ERROR = 4;
  static final int SO_BROADCAST = 6;
  static final int SO_SNDBUF = 7;
  static final int SO_RCVBUF = 8;
  static final int SO_KEEPALIVE = 9;
  static final int SO_OOBINLINE = 10;
  static final int SO_LINGER = 13;
  static final int SO_REUSEPORT = 15;
  static final int SO_BINDTODEVICE = 25;

  /** The one number here that a JDK's architecture has of its own. */
  static final int SO_PEERCRED = System.getProperty("os.arch").startsWith("ppc") ? 21 : 17;

  static final int IPPROTO_IP = 0;
  static final int IP_TOS = 1;
  static final int IP_TTL = 2;
  static final int IP_MULTICAST_IF = 32;
  static final int IP_MULTICAST_TTL = 33;
  static final int IP_MULTICAST_LOOP = 34;
  static final int IP_ADD_MEMBERSHIP = 35;
  static final int IP_DROP_MEMBERSHIP = 36;

  static final int IPPROTO_TCP = 6;
  static final int TCP_NODELAY = 1;
  static final int TCP_KEEPIDLE = 4;
  static final int TCP_KEEPINTVL = 5;
  static final int TCP_KEEPCNT = 6;
  static final int TCP_QUICKACK = 12;
  static final int TCP_USER_TIMEOUT = 18;
  static final int TCP_FASTOPEN = 23;
  static final int TCP_FASTOPEN_CONNECT = 30;

  static final int IPPROTO_IPV6 = 41;
  static final int IPV6_UNICAST_HOPS = 16;
  static final int IPV6_MULTICAST_IF = 17;
  static final int IPV6_MULTICAST_HOPS = 18;
  static final int IPV6_MULTICAST_LOOP = 19;
  static final int IPV6_ADD_MEMBERSHIP = 20;
  static final int IPV6_DROP_MEMBERSHIP = 21;
  static final int IPV6_V6ONLY = 26;
  static final int IPV6_TCLASS = 67;

  private static final ValueLayout.OfShort PORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt WIDE_ADDRESS = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

  /** {@code struct sockaddr_in}. */
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

  /** {@code struct sockaddr_un}. */
  static final MemoryLayout SOCKADDR_UN =
      structLayout(
          JAVA_SHORT.withName("sun_family"), sequenceLayout(108, JAVA_BYTE).withName("sun_path"));

  static final long PATH_OFFSET = 2;

  /** The longest name of a Unix socket; a path that ends with a zero byte is one shorter. */
  static final int PATH_BYTES = (int) (SOCKADDR_UN.byteSize() - PATH_OFFSET);

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

  /** {@code struct msghdr}. */
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

  private static final long MSG_IOV = MSGHDR.byteOffset(PathElement.groupElement("msg_iov"));
  private static final long MSG_IOVLEN = MSGHDR.byteOffset(PathElement.groupElement("msg_iovlen"));

  /** Bytes of a {@link #SOCKADDR_IN}. */
  static final int ADDRESS_BYTES = (int) SOCKADDR_IN.byteSize();

  /** Bytes of a {@link #SOCKADDR_IN6}, the longer one. */
  static final int ADDRESS6_BYTES = (int) SOCKADDR_IN6.byteSize();

  static int byteAt(MemorySegment segment, long offset) {
    return segment.get(JAVA_BYTE, offset);
  }

  static int family(MemorySegment sockaddr) {
    return sockaddr.get(JAVA_SHORT, 0);
  }

  static void setFamily(MemorySegment sockaddr, int family) {
    sockaddr.set(JAVA_SHORT, 0, (short) family);
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
    message.set(JAVA_LONG, MSG_IOVLEN, count);
  }
}
