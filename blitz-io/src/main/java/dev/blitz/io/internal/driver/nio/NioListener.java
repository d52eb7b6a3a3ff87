package dev.blitz.io.internal.driver.nio;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.readiness.Readiness;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A listening socket; connections wait in the kernel's backlog. */
final class NioListener extends NioEndpoint<ServerSocketChannel> implements ListenerEndpoint {
  /** Options that the JDK knows of connections only: each gets them when it is accepted. */
  private final Map<SocketOption<?>, Object> inherited = new ConcurrentHashMap<>();

  /** Where to listen: the JDK binds and listens with one call. */
  private volatile @Nullable SocketAddress local;

  /** What the accept has brought; for whoever accepts. */
  private @Nullable SocketChannel arrived;

  NioListener(NioDriver driver, NioSocket<ServerSocketChannel> socket, AddressFamily family) {
    this(driver, socket, family, new Readiness(SelectionKey.OP_ACCEPT));
  }

  private NioListener(
      NioDriver driver,
      NioSocket<ServerSocketChannel> socket,
      AddressFamily family,
      Readiness accepting) {
    super(driver, socket, family, accepting, accepting);
  }

  /** Where it is bound to once it {@linkplain #listen listens}. */
  @Override
  public void bind(SocketAddress local) throws IOException {
    NioNames.toJdk(local, driver().name()); // what it refuses, it refuses now
    requireOpen();
    this.local = local;
  }

  @Override
  public void listen(int backlog) throws IOException {
    SocketAddress at = local;
    SocketAddress name = at == null ? null : NioNames.toJdk(at, driver().name());
    bind(
        Objects.requireNonNullElseGet(at, () -> wildcard()),
        channel -> channel.bind(name, backlog));
  }

  private SocketAddress wildcard() {
    return NioNames.fromJdk(null, family());
  }

  @Override
  public <T> void setOption(SocketOption<T> option, T value) throws IOException {
    boolean isOwn = call(channel -> NioOptions.find(channel.supportedOptions(), option)) != null;
    SocketOption<T> ofConnections =
        isOwn ? null : NioOptions.find(driver().optionsOfStreams(family()), option);
    if (ofConnections == null) {
      super.setOption(option, value);
    } else {
      inherited.put(ofConnections, value);
    }
  }

  @Override
  public <T> T option(SocketOption<T> option) throws IOException {
    for (Map.Entry<SocketOption<?>, Object> known : inherited.entrySet()) {
      if (known.getKey().name().equals(option.name())) {
        requireOpen();
        return option.type().cast(known.getValue());
      }
    }
    return super.option(option);
  }

  @Override
  public @Nullable StreamEndpoint pollAccept(@Nullable Waker waker) throws IOException {
    for (; ; ) {
      try {
        if (pollIo(reading, waker, this::accept, NO_BUFFER, NONE, 0) == MUST_WAIT) {
          return null;
        }
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException e) {
        if (NioErrors.isPassingOnAccept(e)) {
          continue;
        }
        throw NioErrors.of("accept", e);
      }
      SocketChannel connection = Objects.requireNonNull(arrived);
      arrived = null;
      return driver().accepted(connection, family(), inherited);
    }
  }

  private long accept(ServerSocketChannel channel, ByteBuffer one, MemorySegment[] many)
      throws IOException {
    arrived = channel.accept();
    return arrived == null ? NioCall.IN_VAIN : 1;
  }

  @Override
  public void forgetAcceptor() {
    reading.clear();
  }

  @Override
  protected void signal(int bits) {
    reading.signal();
  }
}
