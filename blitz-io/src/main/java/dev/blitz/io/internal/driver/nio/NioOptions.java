package dev.blitz.io.internal.driver.nio;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.EndpointOption;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.NetworkChannel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Socket options by the JDK's own objects, which are found by name and type. */
final class NioOptions {
  private NioOptions() {}

  /** The JDK's option that is called like {@code option}, or null. */
  @SuppressWarnings("unchecked") // the type is compared
  static <T> @Nullable SocketOption<T> find(
      Set<SocketOption<?>> supported, SocketOption<T> option) {
    for (SocketOption<?> candidate : supported) {
      if (candidate.name().equals(option.name()) && candidate.type().equals(option.type())) {
        return (SocketOption<T>) candidate;
      }
    }
    return null;
  }

  static UnsupportedOperationException unknown(
      String backend, SocketOption<?> option, AddressFamily family) {
    return new UnsupportedOperationException(
        backend
            + " has no option "
            + option.name()
            + " of "
            + option.type().getSimpleName()
            + " for a socket of family "
            + family);
  }

  /** A socket for IPv6 takes IPv4 too, with the JDK: that can be asked for, and not changed. */
  static boolean isIpv6Only(SocketOption<?> option, AddressFamily family) {
    return family == AddressFamily.IPV6
        && option.name().equals(EndpointOption.IPV6_ONLY.name())
        && option.type().equals(Boolean.class);
  }

  static <T> void set(NetworkChannel channel, SocketOption<T> option, T value) throws IOException {
    try {
      channel.setOption(option, value);
    } catch (IllegalArgumentException e) {
      throw new SocketException("Invalid argument: " + value);
    }
  }

  static <T> T get(NetworkChannel channel, SocketOption<T> option) throws IOException {
    T value = channel.getOption(option);
    if (value == null) {
      throw new SocketException(option.name() + " has not been set");
    }
    return value;
  }
}
