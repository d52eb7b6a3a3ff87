package dev.blitz.io.internal.driver.nio;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.UnixName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import org.jspecify.annotations.Nullable;

/** Addresses as the JDK has them. */
final class NioNames {
  private NioNames() {}

  /** An address of ours as the JDK wants it. */
  static SocketAddress toJdk(SocketAddress address, String backend) throws IOException {
    if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
      throw new UnknownHostException(inet.getHostString());
    }
    if (!(address instanceof UnixName name)) {
      return address;
    }
    if (name.isAbstract()) {
      throw new UnsupportedOperationException(
          backend + " has no abstract names of Unix sockets: " + name);
    }
    String path = new String(name.bytes(), StandardCharsets.UTF_8);
    try {
      return UnixDomainSocketAddress.of(path);
    } catch (InvalidPathException e) {
      throw new SocketException("no path for the JDK: " + name);
    }
  }

  /** What the JDK says, as an address of ours; null stands for what has none yet. */
  static SocketAddress fromJdk(@Nullable SocketAddress address, AddressFamily family) {
    if (address instanceof UnixDomainSocketAddress unix) {
      return UnixName.of(unix.getPath().toString().getBytes(StandardCharsets.UTF_8));
    }
    return address != null ? address : none(family);
  }

  private static SocketAddress none(AddressFamily family) {
    try {
      return switch (family) {
        case IPV4 -> new InetSocketAddress(InetAddress.getByAddress(new byte[4]), 0);
        case IPV6 -> new InetSocketAddress(InetAddress.getByAddress(new byte[16]), 0);
        case UNIX -> UnixName.UNNAMED;
      };
    } catch (UnknownHostException e) {
      throw new AssertionError("four or sixteen bytes are an address", e);
    }
  }
}
