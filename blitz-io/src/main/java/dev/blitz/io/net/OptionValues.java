package dev.blitz.io.net;

import dev.blitz.io.internal.driver.NetEndpoint;
import java.io.IOException;
import java.net.SocketOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Options with their values, for sockets that are to be made. Not thread safe. */
final class OptionValues {
  private record Value<T>(SocketOption<T> option, T value) {
    void applyTo(NetEndpoint endpoint) throws IOException {
      endpoint.setOption(option, value);
    }
  }

  private final Map<String, Value<?>> values = new LinkedHashMap<>();

  /** The last value of an option counts. */
  <T> void put(SocketOption<T> option, T value) {
    Objects.requireNonNull(value, option.name());
    values.put(option.name(), new Value<>(option, value));
  }

  boolean contains(SocketOption<?> option) {
    return values.containsKey(option.name());
  }

  void putAll(OptionValues others) {
    values.putAll(others.values);
  }

  void applyTo(NetEndpoint endpoint) throws IOException {
    for (Value<?> value : values.values()) {
      value.applyTo(endpoint);
    }
  }
}
