package dev.blitz.io.internal.driver.iocp;

import dev.blitz.io.internal.driver.EndpointOption;
import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.NetworkChannel;

/** Options by name and type: those that the JDK's channel has. */
final class IocpOptions {
  private IocpOptions() {}

  static <T> void set(NetworkChannel channel, SocketOption<T> option, T value) throws IOException {
    if (isSingleFamily(option)) {
      if (Boolean.TRUE.equals(value)) {
        throw refused(option, "its sockets are for both families");
      }
      return;
    }
    channel.setOption(find(channel, option), value);
  }

  static <T> T get(NetworkChannel channel, SocketOption<T> option) throws IOException {
    if (isSingleFamily(option)) {
      return option.type().cast(false);
    }
    return channel.getOption(find(channel, option));
  }

  private static boolean isSingleFamily(SocketOption<?> option) {
    return option.name().equals(EndpointOption.IPV6_ONLY.name())
        && option.type().equals(Boolean.class);
  }

  @SuppressWarnings("unchecked") // its type is the same
  private static <T> SocketOption<T> find(NetworkChannel channel, SocketOption<T> option) {
    for (SocketOption<?> known : channel.supportedOptions()) {
      if (known.name().equals(option.name()) && known.type().equals(option.type())) {
        return (SocketOption<T>) known;
      }
    }
    throw refused(option, "the JDK's asynchronous channels do not");
  }

  private static UnsupportedOperationException refused(SocketOption<?> option, String why) {
    return new UnsupportedOperationException(
        IocpBackend.NAME
            + " has no option "
            + option.name()
            + " of "
            + option.type().getSimpleName()
            + ": "
            + why);
  }
}
