package dev.blitz.io.internal.driver;

import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a Unix socket is called: the bytes of a path; or a zero byte and an abstract name, which no
 * file system knows; or nothing. Immutable.
 */
public final class UnixName extends SocketAddress {
  private static final long serialVersionUID = 1L;

  /** The name of a socket that was not bound. */
  public static final UnixName UNNAMED = new UnixName(new byte[0]);

  private final byte[] bytes;

  private UnixName(byte[] bytes) {
    this.bytes = bytes;
  }

  /** {@code bytes} is not kept. */
  public static UnixName of(byte[] bytes) {
    return bytes.length == 0 ? UNNAMED : new UnixName(bytes.clone());
  }

  /** A copy. */
  public byte[] bytes() {
    return bytes.clone();
  }

  public int length() {
    return bytes.length;
  }

  public boolean isUnnamed() {
    return bytes.length == 0;
  }

  public boolean isAbstract() {
    return bytes.length > 0 && bytes[0] == 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UnixName name && Arrays.equals(name.bytes, bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** As tools of Linux write it: an at sign for an abstract one. */
  @Override
  public String toString() {
    if (isUnnamed()) {
      return "(unnamed)";
    }
    return isAbstract()
        ? "@" + new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8)
        : new String(bytes, StandardCharsets.UTF_8);
  }
}
