package dev.blitz.io.internal.driver.socket;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.blitz.io.internal.driver.posix.Platform;
import java.lang.foreign.MemorySegment;

/**
 * What differs between platforms in the names of sockets: Linux has a family of two bytes, BSD the
 * length and a family of one.
 *
 * @param hasLength whether the first byte is the length
 * @param family6 the number of IPv6
 * @param pathBytes how long the name of a Unix socket may be, with the zero byte of a path
 * @param hasAbstractNames whether such a name may begin with a zero byte
 */
record AddressAbi(boolean hasLength, int family6, int pathBytes, boolean hasAbstractNames) {
  private static final AddressAbi HERE = of(Platform.here());

  static AddressAbi of(Platform platform) {
    boolean bsd = platform.isBsd();
    return new AddressAbi(bsd, SocketNumber.AF_INET6.on(platform), bsd ? 104 : 108, !bsd);
  }

  static AddressAbi here() {
    return HERE;
  }

  int family(MemorySegment sockaddr) {
    return hasLength ? Byte.toUnsignedInt(sockaddr.get(JAVA_BYTE, 1)) : sockaddr.get(JAVA_SHORT, 0);
  }

  /** Begins a name that has {@code length} bytes in all. */
  void begin(MemorySegment sockaddr, int family, int length) {
    if (hasLength) {
      sockaddr.set(JAVA_BYTE, 0, (byte) length);
      sockaddr.set(JAVA_BYTE, 1, (byte) family);
    } else {
      sockaddr.set(JAVA_SHORT, 0, (short) family);
    }
  }
}
