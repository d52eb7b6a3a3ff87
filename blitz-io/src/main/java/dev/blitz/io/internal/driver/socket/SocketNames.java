package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.UnixName;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;

/** Addresses as the kernel writes them. */
public final class SocketNames {
  private SocketNames() {}

  private static final int MAPPED_PREFIX_BYTES = 12;

  /**
   * Writes {@code from} as an address of {@code family}; IPv4 in an IPv6 socket takes its mapped
   * form.
   *
   * @return how many bytes the address takes
   * @throws IOException if it is not resolved, too long, or of a family that the socket cannot
   *     reach
   */
  public static int write(MemorySegment target, SocketAddress from, AddressFamily family)
      throws IOException {
    return write(target, from, family, AddressAbi.here());
  }

  static int write(
      MemorySegment target, SocketAddress from, AddressFamily family, AddressAbi layout)
      throws IOException {
    return switch (from) {
      case UnixName name when family == AddressFamily.UNIX -> writeUnix(target, name, layout);
      case InetSocketAddress inet when family != AddressFamily.UNIX ->
          writeInet(target, inet, family, layout);
      default -> throw new SocketException("a socket of family " + family + " cannot use " + from);
    };
  }

  private static int writeUnix(MemorySegment target, UnixName name, AddressAbi layout)
      throws IOException {
    if (name.isAbstract() && !layout.hasAbstractNames()) {
      throw new SocketException("only Linux has abstract names for Unix sockets: " + name);
    }
    int length = name.length();
    int most = name.isAbstract() ? layout.pathBytes() : layout.pathBytes() - 1;
    if (length > most) {
      throw new SocketException(
          "the name of a Unix socket has "
              + most
              + " bytes at most, and this one "
              + length
              + ": "
              + name);
    }
    boolean isPath = length > 0 && !name.isAbstract();
    int bytes = (int) SocketAbi.PATH_OFFSET + length + (isPath ? 1 : 0); // a path has its zero byte
    target.fill((byte) 0);
    layout.begin(target, SocketAbi.AF_UNIX, bytes);
    copy(name.bytes(), target, SocketAbi.PATH_OFFSET);
    return bytes;
  }

  private static int writeInet(
      MemorySegment target, InetSocketAddress from, AddressFamily family, AddressAbi layout)
      throws IOException {
    InetAddress address = from.getAddress();
    if (address == null) {
      throw new UnknownHostException(from.getHostString());
    }
    target.fill((byte) 0);
    byte[] bytes = address.getAddress();
    SocketAbi.setPort(target, from.getPort());
    if (family == AddressFamily.IPV4) {
      if (!(address instanceof Inet4Address)) {
        throw new SocketException("an IPv4 socket cannot use " + from);
      }
      layout.begin(target, SocketAbi.AF_INET, SocketAbi.ADDRESS_BYTES);
      copy(bytes, target, SocketAbi.ADDRESS_OFFSET);
      return SocketAbi.ADDRESS_BYTES;
    }
    layout.begin(target, layout.family6(), SocketAbi.ADDRESS6_BYTES);
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

  /**
   * Reads what the kernel wrote; a mapped IPv4 address becomes a plain one.
   *
   * @param length how many bytes the kernel says that it has
   */
  public static SocketAddress read(MemorySegment source, int length) throws IOException {
    return read(source, length, AddressAbi.here());
  }

  static SocketAddress read(MemorySegment source, int length, AddressAbi layout)
      throws IOException {
    if (length <= SocketAbi.PATH_OFFSET) {
      return UnixName.UNNAMED; // the only ones that may have none
    }
    return switch (layout.family(source)) {
      case SocketAbi.AF_UNIX -> readUnix(source, length, layout);
      case SocketAbi.AF_INET -> {
        byte[] four = new byte[4];
        copy(source, SocketAbi.ADDRESS_OFFSET, four);
        yield new InetSocketAddress(InetAddress.getByAddress(four), SocketAbi.port(source));
      }
      default -> readWide(source);
    };
  }

  private static InetSocketAddress readWide(MemorySegment source) throws IOException {
    byte[] sixteen = new byte[16];
    copy(source, SocketAbi.ADDRESS6_OFFSET, sixteen);
    InetAddress plain = InetAddress.getByAddress(sixteen);
    int scope = SocketAbi.scope(source);
    return new InetSocketAddress(
        scope != 0 && plain instanceof Inet6Address
            ? Inet6Address.getByAddress(null, sixteen, scope)
            : plain,
        SocketAbi.port(source));
  }

  private static UnixName readUnix(MemorySegment source, int length, AddressAbi layout) {
    int bytes = Math.min(length - (int) SocketAbi.PATH_OFFSET, layout.pathBytes());
    boolean noPath = SocketAbi.byteAt(source, SocketAbi.PATH_OFFSET) == 0;
    if (noPath && !layout.hasAbstractNames()) {
      return UnixName.UNNAMED;
    }
    if (!noPath) { // a path ends with a zero byte
      int end = 0;
      while (end < bytes && SocketAbi.byteAt(source, SocketAbi.PATH_OFFSET + end) != 0) {
        end++;
      }
      bytes = end;
    }
    byte[] name = new byte[bytes];
    copy(source, SocketAbi.PATH_OFFSET, name);
    return UnixName.of(name);
  }

  static void copy(byte[] from, MemorySegment to, long offset) {
    MemorySegment.copy(MemorySegment.ofArray(from), 0, to, offset, from.length);
  }

  private static void copy(MemorySegment from, long offset, byte[] to) {
    MemorySegment.copy(from, offset, MemorySegment.ofArray(to), 0, to.length);
  }
}
