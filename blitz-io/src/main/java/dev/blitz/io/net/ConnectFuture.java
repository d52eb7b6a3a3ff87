package dev.blitz.io.net;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.names.NameFuture;
import dev.blitz.io.internal.services.Services;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@link TcpStream#connect}: looks the name up if need be, then tries the addresses as RFC 8305
 * says: families by turns; the next one when an attempt fails, and at the latest a while after the
 * last one began; the first that connects wins, and the others are closed.
 */
final class ConnectFuture implements IoFuture<TcpStream> {
  /** Where the future was made, or else where it is polled first. */
  private @Nullable Services services;

  private final TcpBuilder settings;
  private final InetSocketAddress remote;

  private @Nullable NameFuture lookup;

  /** The addresses to try; null before they are known. */
  private InetSocketAddress @Nullable [] targets;

  /** The attempts that are under way, each at the place of its address. */
  private @Nullable StreamEndpoint[] attempts = {};

  private int begun;
  private int underWay;

  /** An attempt has failed since the last one began, so the next one need not wait. */
  private boolean failedSince;

  /** Until the next attempt; null before the first and with the last. */
  private @Nullable Stagger stagger;

  private @Nullable IOException failure;

  /** It has connected, failed for good or been dropped. */
  private boolean over;

  ConnectFuture(@Nullable Services services, TcpBuilder settings, InetSocketAddress remote) {
    this.services = services;
    this.settings = settings;
    this.remote = remote;
  }

  @Override
  public @Nullable TcpStream poll(Context cx) throws IOException {
    StackRoom.forOwner(); // to close what has been begun
    if (over) {
      throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
    }
    boolean pending = false;
    try {
      TcpStream connected = progress(cx);
      pending = connected == null;
      return connected;
    } finally {
      over = !pending;
    }
  }

  private @Nullable TcpStream progress(Context cx) throws IOException {
    InetSocketAddress[] all = targets != null ? targets : resolve(cx);
    if (all == null) {
      return null;
    }
    try {
      return connect(cx, all);
    } catch (Throwable t) {
      closeAll();
      throw t;
    }
  }

  private @Nullable TcpStream connect(Context cx, InetSocketAddress[] all) throws IOException {
    for (int i = 0; i < begun; i++) {
      TcpStream connected = look(cx, all[i], i);
      if (connected != null) {
        return connected;
      }
    }
    while (begun < all.length && (underWay == 0 || failedSince || isTime(cx))) {
      TcpStream connected = begin(cx, all);
      if (connected != null) {
        return connected;
      }
    }
    if (underWay == 0) {
      throw failed();
    }
    return null;
  }

  private boolean isTime(Context cx) {
    return stagger != null && stagger.poll(cx);
  }

  /** Tries the next address. */
  private @Nullable TcpStream begin(Context cx, InetSocketAddress[] all) {
    int i = begun++;
    failedSince = false;
    dropStagger();
    if (begun < all.length) {
      stagger = new Stagger(services().timers());
    }
    try {
      var at = NetHost.sockets(services()).openStream(AddressFamily.of(all[i].getAddress()));
      attempts[i] = at;
      underWay++;
      settings.applyTo(at);
      InetSocketAddress local = settings.local();
      if (local != null) {
        if (all.length > 1 && local.getPort() != 0 && settings.leavesReuseOpen()) {
          // Several attempts have the same port at a time; they differ by where they go.
          at.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        }
        at.bind(local);
      }
    } catch (IOException e) {
      lost(i, e);
      return null;
    }
    return look(cx, all[i], i);
  }

  /** Looks whether an attempt that is under way has come to its end. */
  private @Nullable TcpStream look(Context cx, InetSocketAddress target, int i) {
    StreamEndpoint at = attempts[i];
    if (at == null) {
      return null;
    }
    try {
      if (!at.pollConnect(target, cx.waker())) {
        return null;
      }
    } catch (IOException e) {
      lost(i, e);
      return null;
    }
    attempts[i] = null;
    underWay--;
    try {
      closeAll();
    } catch (Throwable t) {
      at.close();
      throw t;
    }
    return TcpStream.owning(at);
  }

  private void lost(int i, IOException e) {
    failedSince = true;
    if (failure == null) {
      failure = e;
    } else {
      failure.addSuppressed(e);
    }
    close(i);
  }

  private Services services() {
    Services here = services;
    if (here == null) {
      here = NetHost.current();
      services = here;
    }
    return here;
  }

  private InetSocketAddress @Nullable [] resolve(Context cx) throws IOException {
    List<InetAddress> found;
    InetAddress known = remote.getAddress();
    if (known != null) {
      found = List.of(known);
    } else {
      NameFuture pending = lookup;
      if (pending == null) {
        pending = new NameFuture(() -> services().names(), remote.getHostString());
        lookup = pending;
      }
      found = pending.poll(cx);
      if (found == null) {
        return null;
      }
      lookup = null;
    }
    int port = remote.getPort();
    InetSocketAddress[] all =
        Families.byTurns(reachable(found)).stream()
            .map(address -> new InetSocketAddress(address, port))
            .toArray(InetSocketAddress[]::new);
    attempts = new @Nullable StreamEndpoint[all.length];
    targets = all;
    return all;
  }

  /** Those of the family that the own address has, if that was chosen. */
  private List<InetAddress> reachable(List<InetAddress> found) throws IOException {
    InetSocketAddress local = settings.local();
    InetAddress own = local == null ? null : local.getAddress();
    if (own == null || own.isAnyLocalAddress()) {
      return found;
    }
    AddressFamily family = AddressFamily.of(own);
    List<InetAddress> same =
        found.stream().filter(address -> AddressFamily.of(address) == family).toList();
    if (same.isEmpty()) {
      throw new BindException(
          "connect to " + remote + " from " + local + ": no address of it is " + family);
    }
    return same;
  }

  private IOException failed() {
    IOException first = failure;
    return first != null ? first : new UnknownHostException(remote.getHostString());
  }

  private void close(int i) {
    StreamEndpoint open = attempts[i];
    if (open != null) {
      open.close(); // first: if there is no stack for it, it is still here, and is dropped again
      attempts[i] = null;
      underWay--;
    }
  }

  private void dropStagger() {
    Stagger waiting = stagger;
    if (waiting != null) {
      waiting.drop();
      stagger = null;
    }
  }

  private void closeAll() {
    dropStagger();
    for (int i = 0; i < begun; i++) {
      close(i);
    }
  }

  @Override
  public void drop() {
    over = true;
    NameFuture pending = lookup;
    if (pending != null) {
      pending.drop();
      lookup = null;
    }
    closeAll();
  }

  @Override
  public String toString() {
    if (lookup != null) {
      return lookup.toString();
    }
    String many = underWay > 1 ? ", " + underWay + " attempts under way" : "";
    return "a connection to " + remote.getHostString() + ":" + remote.getPort() + many;
  }
}
