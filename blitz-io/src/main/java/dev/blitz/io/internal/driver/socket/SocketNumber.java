package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.driver.posix.Platform;

/**
 * Options, and other numbers that differ between platforms, of {@code <sys/socket.h>}, {@code
 * <netinet/in.h>} and {@code <netinet/tcp.h>}: for Linux, macOS, FreeBSD.
 */
enum SocketNumber {
  AF_INET6(10, 30, 28),

  /** Flags of a new socket; 0 where there are none, and calls follow instead. */
  SOCK_NONBLOCK(0x800, 0, 0x20000000),
  SOCK_CLOEXEC(0x80000, 0, 0x10000000),

  /** 0 where a receive does not tell how long a datagram was: see {@link #SO_NREAD}. */
  MSG_TRUNC(0x20, 0, 0x10),
  MSG_DONTWAIT(0x40, 0x80, 0x80),

  /** 0 where there is none: what is sent so goes at once. */
  MSG_MORE(0x8000, 0, 0),

  /** 0 where only newer systems have it: see {@link #SO_NOSIGPIPE}. */
  MSG_NOSIGNAL(0x4000, 0, 0x20000),

  SOL_SOCKET(1, 0xffff, 0xffff),
  SO_REUSEADDR(2, 0x4, 0x4),
  SO_ERROR(4, 0x1007, 0x1007),
  SO_BROADCAST(6, 0x20, 0x20),
  SO_SNDBUF(7, 0x1001, 0x1001),
  SO_RCVBUF(8, 0x1002, 0x1002),
  SO_KEEPALIVE(9, 0x8, 0x8),
  SO_OOBINLINE(10, 0x100, 0x100),

  /** In seconds; what macOS calls so counts in ticks. */
  SO_LINGER(13, 0x1080, 0x80),
  SO_REUSEPORT(15, 0x200, 0x200),
  SO_BINDTODEVICE(25, SocketAbi.ABSENT, SocketAbi.ABSENT),

  /** The one number here that an architecture of Linux has of its own. */
  SO_PEERCRED(
      System.getProperty("os.arch", "").startsWith("ppc") ? 21 : 17,
      SocketAbi.ABSENT,
      SocketAbi.ABSENT),

  /** How many bytes the first datagram has. */
  SO_NREAD(SocketAbi.ABSENT, 0x1020, SocketAbi.ABSENT),
  SO_NOSIGPIPE(SocketAbi.ABSENT, 0x1022, SocketAbi.ABSENT),

  IP_TOS(1, 3, 3),
  IP_TTL(2, 4, 4),
  IP_MULTICAST_IF(32, 9, 9),
  IP_MULTICAST_TTL(33, 10, 10),
  IP_MULTICAST_LOOP(34, 11, 11),
  IP_ADD_MEMBERSHIP(35, 12, 12),
  IP_DROP_MEMBERSHIP(36, 13, 13),

  TCP_NODELAY(1, 1, 1),
  TCP_KEEPIDLE(4, 0x10, 0x100),
  TCP_KEEPINTVL(5, 0x101, 0x200),
  TCP_KEEPCNT(6, 0x102, 0x400),
  TCP_QUICKACK(12, SocketAbi.ABSENT, SocketAbi.ABSENT),
  TCP_USER_TIMEOUT(18, SocketAbi.ABSENT, SocketAbi.ABSENT),
  TCP_FASTOPEN(23, SocketAbi.ABSENT, SocketAbi.ABSENT), // theirs is a switch, no length
  TCP_FASTOPEN_CONNECT(30, SocketAbi.ABSENT, SocketAbi.ABSENT),

  IPV6_UNICAST_HOPS(16, 4, 4),
  IPV6_MULTICAST_IF(17, 9, 9),
  IPV6_MULTICAST_HOPS(18, 10, 10),
  IPV6_MULTICAST_LOOP(19, 11, 11),
  IPV6_ADD_MEMBERSHIP(20, 12, 12),
  IPV6_DROP_MEMBERSHIP(21, 13, 13),
  IPV6_V6ONLY(26, 27, 27),
  IPV6_TCLASS(67, 36, 61);

  private final int linux;
  private final int macos;
  private final int freebsd;

  SocketNumber(int linux, int macos, int freebsd) {
    this.linux = linux;
    this.macos = macos;
    this.freebsd = freebsd;
  }

  int on(Platform platform) {
    return platform.pick(linux, macos, freebsd);
  }

  int here() {
    return on(Platform.here());
  }
}
