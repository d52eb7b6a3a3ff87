package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.driver.AddressFamily;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Addresses as the kernel writes them. */
public final class SocketNames {
  private SocketNames() {}

  private static final int MAPPED_PREFIX_BYTES = 12;

  /**
   * Writes {@code from} as an address of {@code family}; IPv4 in an IPv6 socket takes its mapped
   * form.
   *
   * @return how many bytes the address takes
   * @throws IOException if it is not resolved, or of a family that the socket cannot reach
   */
  public static int write(MemorySegment target, InetSocketAddress from, AddressFamily family)
      throws IOException {
    InetAddress address = from.getAddress();
    if (address == null) {
      throw new java.net.UnknownHostException(from.getHostString());
    }
    target.fill((byte) 0);
    byte[] bytes = address.getAddress();
    SocketAbi.setPort(target, from.getPort());
    if (family == AddressFamily.IPV4) {
      if (!(address instanceof Inet4Address)) {
        throw new java.net.SocketException("an IPv4 socket cannot use " + from);
      }
      SocketAbi.setFamily(target, SocketAbi.AF_INET);
      copy(bytes, target, SocketAbi.ADDRESS_OFFSET);
      return SocketAbi.ADDRESS_BYTES;
    }
    SocketAbi.setFamily(target, SocketAbi.AF_INET6);
    if (address instanceof Inet6Address six) {
      copy(bytes, target, SocketAbi.ADDRESS6_OFFSET);
      SocketAbi.setScope(target, six.getScopeId());
    } else if (!address.isAnyLocalAddress()) {
      byte[] mapped = new byte[16];
      mapped[10] = (byte) 0xff;
      mapped[11] = (byte) 0xff;
      System.arraycopy(bytes, 0, mapped, MAPPED_PREFIX_BYTES, bytes.length);
      copy(mapped, target, SocketAbi.ADDRESS6_OFFSET);
    }
    return SocketAbi.ADDRESS6_BYTES;
  }

  /** Reads what the kernel wrote; a mapped IPv4 address becomes a plain one. */
  public static InetSocketAddress read(MemorySegment source) throws IOException {
    int port = SocketAbi.port(source);
    if (SocketAbi.family(source) == SocketAbi.AF_INET) {
      byte[] four = new byte[4];
      copy(source, SocketAbi.ADDRESS_OFFSET, four);
      return new InetSocketAddress(InetAddress.getByAddress(four), port);
    }
    byte[] sixteen = new byte[16];
    copy(source, SocketAbi.ADDRESS6_OFFSET, sixteen);
    InetAddress plain = InetAddress.getByAddress(sixteen);
    int scope = SocketAbi.scope(source);
    return new InetSocketAddress(
        scope != 0 && plain instanceof Inet6Address
            ? Inet6Address.getByAddress(null, sixteen, scope)
            : plain,
        port);
  }

  private static void copy(byte[] from, MemorySegment to, long offset) {
    MemorySegment.copy(MemorySegment.ofArray(from), 0, to, offset, from.length);
  }

  private static void copy(MemorySegment from, long offset, byte[] to) {
    MemorySegment.copy(from, offset, MemorySegment.ofArray(to), 0, to.length);
  }
}
