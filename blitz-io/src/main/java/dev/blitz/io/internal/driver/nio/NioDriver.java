package dev.blitz.io.internal.driver.nio;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.DatagramEndpoint;
import dev.blitz.io.internal.driver.DescriptorEndpoint;
import dev.blitz.io.internal.driver.Endpoints;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.readiness.PollingDriver;
import dev.blitz.io.observe.BackendProbe;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The driver on the JDK's selector, and what makes its sockets. */
final class NioDriver extends PollingDriver<SelectorSource> implements Endpoints {
  private static final String URGENT_INLINE = "SO_OOBINLINE";

  /** The options of connections, once one was open; the JDK's sets are made for each question. */
  private final Map<AddressFamily, Set<SocketOption<?>>> streamOptions = new ConcurrentHashMap<>();

  NioDriver(Seats seats, BackendProbe probe) {
    super(seats, probe, SelectorSource::open);
  }

  // --- For endpoints ---

  SelectorSource selector() throws IOException {
    return source();
  }

  /** The selector, or null if nobody has waited yet. */
  @Nullable SelectorSource openedSource() {
    return sourceOrNull();
  }

  Predicate<Runnable> closers() {
    return blocking();
  }

  /** What the JDK lets one set of a connection. */
  Set<SocketOption<?>> optionsOfStreams(AddressFamily family) throws IOException {
    Set<SocketOption<?>> known = streamOptions.get(family);
    if (known == null) {
      try (SocketChannel one = openChannel(family)) {
        known = one.supportedOptions();
      }
      streamOptions.put(family, known);
    }
    return known;
  }

  // --- Opening ---

  @Override
  public Endpoints endpoints() {
    return this;
  }

  /** Opens a channel. */
  @FunctionalInterface
  private interface Opening<C> {
    C open(ProtocolFamily family) throws IOException;
  }

  /** A new channel that does not block. */
  private static <C extends SelectableChannel> C open(AddressFamily family, Opening<C> opening)
      throws IOException {
    C channel;
    try {
      channel =
          opening.open(
              switch (family) {
                case IPV4 -> StandardProtocolFamily.INET;
                case IPV6 -> StandardProtocolFamily.INET6;
                case UNIX -> StandardProtocolFamily.UNIX;
              });
    } catch (IOException e) {
      throw NioErrors.of("socket", e);
    } catch (UnsupportedOperationException e) {
      throw new SocketException("socket: " + e.getMessage());
    }
    try {
      channel.configureBlocking(false);
      return channel;
    } catch (Throwable t) {
      channel.close();
      throw t;
    }
  }

  /** A new channel of a connection to come. */
  static SocketChannel openChannel(AddressFamily family) throws IOException {
    SocketChannel channel = open(family, SocketChannel::open);
    try {
      keepUrgentBytes(channel);
      return channel;
    } catch (Throwable t) {
      channel.close();
      throw t;
    }
  }

  /** Urgent bytes stay in their place: else they would be lost. */
  private static void keepUrgentBytes(SocketChannel channel) throws IOException {
    for (SocketOption<?> option : channel.supportedOptions()) {
      if (option.name().equals(URGENT_INLINE) && option.type().equals(Boolean.class)) {
        @SuppressWarnings("unchecked") // as it says
        var flag = (SocketOption<Boolean>) option;
        channel.setOption(flag, true);
      }
    }
  }

  /** Makes an endpoint of a channel. */
  @FunctionalInterface
  private interface Making<C extends SelectableChannel & NetworkChannel, E> {
    E make(NioSocket<C> socket);
  }

  private <C extends SelectableChannel & NetworkChannel, E extends NioEndpoint<C>> E owning(
      C channel, Making<C, E> making) throws IOException {
    try {
      return known(making.make(new NioSocket<>(this, channel)));
    } catch (Throwable t) { // no memory, or the driver is closed
      channel.close();
      throw t;
    }
  }

  @Override
  public StreamEndpoint openStream(AddressFamily family) throws IOException {
    return owning(openChannel(family), socket -> new NioStream(this, socket, family, false));
  }

  @Override
  public ListenerEndpoint openListener(AddressFamily family) throws IOException {
    return owning(
        open(family, ServerSocketChannel::open), socket -> new NioListener(this, socket, family));
  }

  /** The endpoint of a connection that has come in; its options are as those of the listener. */
  StreamEndpoint accepted(
      SocketChannel channel, AddressFamily family, Map<SocketOption<?>, Object> inherited)
      throws IOException {
    try {
      channel.configureBlocking(false);
      keepUrgentBytes(channel);
    } catch (Throwable t) {
      channel.close();
      throw t;
    }
    NioStream stream = owning(channel, socket -> new NioStream(this, socket, family, true));
    try {
      for (Map.Entry<SocketOption<?>, Object> option : inherited.entrySet()) {
        inherit(stream, option.getKey(), option.getValue());
      }
    } catch (Throwable t) {
      stream.close();
      throw t;
    }
    return stream;
  }

  @SuppressWarnings("unchecked") // as it was given to the listener
  private static <T> void inherit(NioStream stream, SocketOption<T> option, Object value)
      throws IOException {
    stream.setOption(option, (T) value);
  }

  @Override
  public DatagramEndpoint openDatagram(AddressFamily family) throws IOException {
    if (family == AddressFamily.UNIX) {
      throw lacks("Unix sockets of datagrams");
    }
    return owning(
        open(family, DatagramChannel::open), socket -> new NioDatagram(this, socket, family));
  }

  // --- What the JDK lacks ---

  private UnsupportedOperationException lacks(String what) {
    return new UnsupportedOperationException(name() + " has no " + what + ": the JDK has none");
  }

  @Override
  public List<StreamEndpoint> openStreamPair() {
    throw lacks("pairs of Unix sockets");
  }

  @Override
  public List<DatagramEndpoint> openDatagramPair() {
    throw lacks("pairs of Unix sockets");
  }

  @Override
  public boolean takesDescriptors() {
    return false;
  }

  @Override
  public DescriptorEndpoint adopt(int number) {
    throw lacks("way to take over a descriptor, such as " + number);
  }

  @Override
  public DescriptorEndpoint reopen(int number) {
    throw lacks("way to open a descriptor again, such as " + number);
  }
}
