package dev.blitz.io.net;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.services.Services;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.TaskFailedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** {@link TcpStream#connect}: looks the name up if need be, then tries address after address. */
final class ConnectFuture implements IoFuture<TcpStream> {
  /** Where the future was made, or else where it is polled first. */
  private @Nullable Services host;

  private final TcpSocket settings;
  private final InetSocketAddress remote;

  private @Nullable JoinHandle<InetAddress[]> lookup;
  private InetAddress @Nullable [] addresses;
  private int next;
  private @Nullable StreamEndpoint endpoint;
  private @Nullable InetSocketAddress target;
  private @Nullable IOException failure;

  ConnectFuture(@Nullable Services host, TcpSocket settings, InetSocketAddress remote) {
    this.host = host;
    this.settings = settings;
    this.remote = remote;
  }

  @Override
  public @Nullable TcpStream poll(Context cx) throws IOException {
    InetAddress[] candidates = addresses != null ? addresses : resolve(cx);
    if (candidates == null) {
      return null;
    }
    addresses = candidates;
    for (; ; ) {
      if (endpoint == null) {
        if (next == candidates.length) {
          throw failed();
        }
        target = new InetSocketAddress(candidates[next++], remote.getPort());
      }
      try {
        return tryTarget(cx);
      } catch (IOException e) {
        remember(e);
        closeEndpoint();
      } catch (Throwable t) {
        closeEndpoint();
        throw t;
      }
    }
  }

  private Services host() {
    Services here = host;
    if (here == null) {
      here = NetHost.current();
      host = here;
    }
    return here;
  }

  private @Nullable TcpStream tryTarget(Context cx) throws IOException {
    InetSocketAddress to = java.util.Objects.requireNonNull(target);
    StreamEndpoint at = endpoint;
    if (at == null) {
      at = NetHost.sockets(host()).openStream(AddressFamily.of(to.getAddress()));
      endpoint = at;
      settings.applyTo(at);
      InetSocketAddress local = settings.local();
      if (local != null) {
        at.bind(local);
      }
    }
    if (!at.pollConnect(to, cx.waker())) {
      return null;
    }
    endpoint = null;
    return TcpStream.owning(at);
  }

  private InetAddress @Nullable [] resolve(Context cx) throws IOException {
    InetAddress known = remote.getAddress();
    if (known != null) {
      return new InetAddress[] {known};
    }
    JoinHandle<InetAddress[]> pending = lookup;
    if (pending == null) {
      String name = remote.getHostString();
      pending = host().lookUp(() -> InetAddress.getAllByName(name));
      lookup = pending;
    }
    try {
      InetAddress[] found = pending.poll(cx);
      if (found != null) {
        lookup = null;
      }
      return found;
    } catch (TaskFailedException e) {
      lookup = null;
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getMessage(), e);
    }
  }

  private void remember(IOException e) {
    if (failure == null) {
      failure = e;
    } else {
      failure.addSuppressed(e);
    }
  }

  private IOException failed() {
    IOException first = failure;
    return first != null ? first : new java.net.UnknownHostException(remote.getHostString());
  }

  private void closeEndpoint() {
    StreamEndpoint open = endpoint;
    if (open != null) {
      endpoint = null;
      open.close();
    }
  }

  @Override
  public void drop() {
    JoinHandle<?> pending = lookup;
    if (pending != null) {
      lookup = null;
      pending.cancel();
    }
    closeEndpoint();
  }

  @Override
  public String toString() {
    String where = remote.getHostString() + ":" + remote.getPort();
    return (lookup != null ? "the address of " : "a connection to ") + where;
  }
}
