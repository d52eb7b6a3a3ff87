package dev.blitz.io.net;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.QueueFullException;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.services.Services;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * {@link UnixStream#connect}. The system refuses to queue whoever finds a full queue, and does not
 * tell when it has room: so a timer does.
 */
final class UnixConnect implements IoFuture<UnixStream> {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

  private @Nullable Services services;
  private final UnixAddress remote;
  private @Nullable StreamEndpoint at;
  private @Nullable Stagger pause;
  private Duration nextPause = FIRST_PAUSE;
  private boolean over;

  /** {@code services}: where the future was made, or null for where it is polled first. */
  UnixConnect(@Nullable Services services, UnixAddress remote) {
    this.services = services;
    this.remote = remote;
  }

  @Override
  public @Nullable UnixStream poll(Context cx) throws IOException {
    StackRoom.forOwner(); // to close what has been begun
    if (over) {
      throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
    }
    UnixStream connected = null;
    boolean pending = false;
    try {
      connected = progress(cx);
      pending = connected == null;
    } finally {
      if (!pending) {
        end(connected == null);
      }
    }
    return connected;
  }

  private @Nullable UnixStream progress(Context cx) throws IOException {
    Services here = services();
    StreamEndpoint endpoint = at;
    if (endpoint == null) {
      endpoint = NetHost.sockets(here).openStream(AddressFamily.UNIX);
      at = endpoint;
    }
    for (; ; ) {
      if (pause != null) {
        endpoint.awaitClose(cx.waker()); // a runtime that closes does not fire its timers
        if (!endpoint.isOpen()) {
          throw new ClosedChannelException();
        }
        if (!pause.poll(cx)) {
          return null;
        }
        pause = null;
      }
      try {
        return endpoint.pollConnect(remote.name(), cx.waker()) ? UnixStream.owning(endpoint) : null;
      } catch (QueueFullException full) {
        pause = new Stagger(here.timers(), nextPause);
        Duration doubled = nextPause.multipliedBy(2);
        nextPause = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
      }
    }
  }

  private Services services() {
    Services here = services;
    if (here == null) {
      here = NetHost.current();
      services = here;
    }
    return here;
  }

  private void end(boolean closes) {
    over = true;
    StreamEndpoint open = at;
    if (open != null && closes) {
      open.close(); // first: if there is no stack for it, it is still here, and is dropped again
    }
    at = null;
    Stagger waiting = pause;
    if (waiting != null) {
      waiting.drop();
      pause = null;
    }
  }

  @Override
  public void drop() {
    end(true);
  }

  @Override
  public String toString() {
    return "a connection to " + remote;
  }
}
