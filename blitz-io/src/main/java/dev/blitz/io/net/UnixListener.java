package dev.blitz.io.net;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.services.Services;
import java.io.IOException;
import java.net.SocketOption;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Accepts connections from programs of this machine. Belongs to the runtime whose task made it.
 * Several tasks may accept from it.
 *
 * <p>The file at its path stays when it is closed, and a new one cannot be bound there while it
 * exists: delete it before, when no other program listens there.
 *
 * {@snippet :
 * Files.deleteIfExists(path);
 * try (UnixListener listener = UnixListener.bind(path)) {
 *   while (true) {
 *     UnixStream stream = listener.accept().await();
 *     Task.spawn(SpawnOptions.owning(stream), () -> serve(stream));
 *   }
 * }
 * }
 */
public final class UnixListener extends SocketListener<UnixStream> {
  private static final int DEFAULT_BACKLOG = 1024;

  private UnixListener(Services services, ListenerEndpoint endpoint) {
    super(services, endpoint, "UnixListener");
  }

  /** Listens at {@code path}, where nothing may be yet; as {@link #bind(UnixAddress)}. */
  public static UnixListener bind(Path path) throws IOException {
    return bind(UnixAddress.of(path));
  }

  /**
   * Listens at {@code local}.
   *
   * @throws java.net.BindException if there is something already, or no such directory
   * @throws IllegalStateException if called outside a task
   * @throws UnsupportedOperationException if the runtime's backend has no such sockets; the message
   *     says which and why
   */
  public static UnixListener bind(UnixAddress local) throws IOException {
    return bind(local, DEFAULT_BACKLOG);
  }

  /** As {@link #bind(UnixAddress)}; {@code backlog} connections may wait to be accepted. */
  public static UnixListener bind(UnixAddress local, int backlog) throws IOException {
    Objects.requireNonNull(local, "local");
    Services services = NetHost.current();
    ListenerEndpoint endpoint = NetHost.sockets(services).openListener(AddressFamily.UNIX);
    try {
      endpoint.bind(local.name());
      endpoint.listen(backlog);
      return new UnixListener(services, endpoint);
    } catch (Throwable t) {
      endpoint.close();
      throw t;
    }
  }

  @Override
  UnixStream owning(StreamEndpoint accepted) {
    return UnixStream.owning(accepted);
  }

  @Override
  public UnixAddress localAddress() throws IOException {
    return UnixAddress.of(endpoint.localAddress());
  }

  @Override
  public <T> UnixListener option(SocketOption<T> option, T value) throws IOException {
    endpoint.setOption(option, value);
    return this;
  }
}
