package dev.blitz.io.net;

import dev.blitz.io.internal.driver.UnixName;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The name of a socket on this machine: a path, which is a file of its own kind; or, on Linux, an
 * abstract name, which no file system knows and which is free again as soon as its socket is
 * closed. One that was never bound has no name. Immutable.
 *
 * {@snippet :
 * var address = UnixAddress.of(Path.of("/run/app/admin.sock"));
 * var hidden = UnixAddress.abstractName("app-admin");
 * }
 */
public final class UnixAddress extends SocketAddress {
  private static final long serialVersionUID = 1L;

  private static final UnixAddress UNNAMED = new UnixAddress(UnixName.UNNAMED);

  private final UnixName name;

  private UnixAddress(UnixName name) {
    this.name = name;
  }

  /** A path; the system takes 107 bytes of it on Linux. */
  public static UnixAddress of(Path path) {
    String text = path.toString();
    if (text.isEmpty() || text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("not a path for a socket: '" + text + "'");
    }
    return new UnixAddress(UnixName.of(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** An abstract name, of 107 bytes at most; Linux only. */
  public static UnixAddress abstractName(String name) {
    return new UnixAddress(UnixName.of(("\0" + name).getBytes(StandardCharsets.UTF_8)));
  }

  /** The address of a socket that was not bound. */
  public static UnixAddress unnamed() {
    return UNNAMED;
  }

  static UnixAddress of(SocketAddress name) {
    return name.equals(UnixName.UNNAMED) ? UNNAMED : new UnixAddress((UnixName) name);
  }

  UnixName name() {
    return name;
  }

  /** The path, if it is one. */
  public Optional<Path> path() {
    return isUnnamed() || isAbstract() ? Optional.empty() : Optional.of(Path.of(name.toString()));
  }

  /** Whether it is a name that no file system knows. */
  public boolean isAbstract() {
    return name.isAbstract();
  }

  /** Whether there is no name. */
  public boolean isUnnamed() {
    return name.isUnnamed();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UnixAddress address && address.name.equals(name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  /** The path, or an at sign and the abstract name. */
  @Override
  public String toString() {
    return name.toString();
  }
}
