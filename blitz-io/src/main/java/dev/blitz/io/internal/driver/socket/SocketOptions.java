package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.EndpointOption;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.PosixAbi;

/** Socket options by their kernel spelling. */
final class SocketOptions {
  private SocketOptions() {}

  static int set(CallFrame frame, int fd, AddressFamily family, EndpointOption option, int value) {
    if (option == EndpointOption.LINGER_SECONDS) {
      return setLinger(frame, fd, value);
    }
    PosixAbi.setIntAt(frame.value(), 0, value);
    int r = SocketCalls.setOption(frame, fd, level(option, family), name(option, family), 4);
    if (r >= 0 && family == AddressFamily.IPV6 && isPerFamily(option)) {
      // For peers that the socket reaches by IPv4. A failure is one of a system that has no IPv4.
      PosixAbi.setIntAt(frame.value(), 0, value);
      SocketCalls.setOption(
          frame, fd, level(option, AddressFamily.IPV4), name(option, AddressFamily.IPV4), 4);
    }
    return r;
  }

  private static boolean isPerFamily(EndpointOption option) {
    return option == EndpointOption.TRAFFIC_CLASS || option == EndpointOption.TIME_TO_LIVE;
  }

  /** {@code seconds}: -1 for off. */
  static int setLinger(CallFrame frame, int fd, int seconds) {
    PosixAbi.setIntAt(frame.value(), 0, seconds >= 0 ? 1 : 0);
    PosixAbi.setIntAt(frame.value(), 4, Math.max(seconds, 0));
    return SocketCalls.setOption(frame, fd, SocketAbi.SOL_SOCKET, SocketAbi.SO_LINGER, 8);
  }

  /** Puts the value into {@code value[0]}. */
  static int get(
      CallFrame frame, int fd, AddressFamily family, EndpointOption option, int[] value) {
    if (option == EndpointOption.LINGER_SECONDS) {
      int r = SocketCalls.getOption(frame, fd, SocketAbi.SOL_SOCKET, SocketAbi.SO_LINGER, 8);
      value[0] = PosixAbi.intAt(frame.value(), 0) == 0 ? -1 : PosixAbi.intAt(frame.value(), 4);
      return r;
    }
    int r = SocketCalls.getOption(frame, fd, level(option, family), name(option, family), 4);
    value[0] = PosixAbi.intAt(frame.value(), 0);
    return r;
  }

  private static int level(EndpointOption option, AddressFamily family) {
    return switch (option) {
      case REUSE_ADDRESS, REUSE_PORT, KEEP_ALIVE, SEND_BUFFER, RECEIVE_BUFFER, LINGER_SECONDS ->
          SocketAbi.SOL_SOCKET;
      case NO_DELAY, KEEP_ALIVE_IDLE_SECONDS, KEEP_ALIVE_INTERVAL_SECONDS, KEEP_ALIVE_PROBES ->
          SocketAbi.IPPROTO_TCP;
      case TRAFFIC_CLASS, TIME_TO_LIVE ->
          family == AddressFamily.IPV4 ? SocketAbi.IPPROTO_IP : SocketAbi.IPPROTO_IPV6;
      case V6_ONLY -> SocketAbi.IPPROTO_IPV6;
    };
  }

  private static int name(EndpointOption option, AddressFamily family) {
    boolean four = family == AddressFamily.IPV4;
    return switch (option) {
      case REUSE_ADDRESS -> SocketAbi.SO_REUSEADDR;
      case REUSE_PORT -> SocketAbi.SO_REUSEPORT;
      case NO_DELAY -> SocketAbi.TCP_NODELAY;
      case KEEP_ALIVE -> SocketAbi.SO_KEEPALIVE;
      case KEEP_ALIVE_IDLE_SECONDS -> SocketAbi.TCP_KEEPIDLE;
      case KEEP_ALIVE_INTERVAL_SECONDS -> SocketAbi.TCP_KEEPINTVL;
      case KEEP_ALIVE_PROBES -> SocketAbi.TCP_KEEPCNT;
      case LINGER_SECONDS -> SocketAbi.SO_LINGER;
      case SEND_BUFFER -> SocketAbi.SO_SNDBUF;
      case RECEIVE_BUFFER -> SocketAbi.SO_RCVBUF;
      case TRAFFIC_CLASS -> four ? SocketAbi.IP_TOS : SocketAbi.IPV6_TCLASS;
      case TIME_TO_LIVE -> four ? SocketAbi.IP_TTL : SocketAbi.IPV6_UNICAST_HOPS;
      case V6_ONLY -> SocketAbi.IPV6_V6ONLY;
    };
  }
}
