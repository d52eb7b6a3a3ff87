package dev.blitz.io.internal.driver;

import java.net.Inet4Address;
import java.net.InetAddress;

/** The kinds of addresses that sockets have. */
public enum AddressFamily {
  /** 32-bit addresses. */
  IPV4,
  /** 128-bit addresses; with {@link EndpointOption#IPV6_ONLY} off also IPv4, in mapped form. */
  IPV6,
  /** Names on this machine: {@link UnixName}. */
  UNIX;

  /** The family that reaches {@code address}. */
  public static AddressFamily of(InetAddress address) {
    return address instanceof Inet4Address ? IPV4 : IPV6;
  }
}
