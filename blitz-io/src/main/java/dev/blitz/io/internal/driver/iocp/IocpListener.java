package dev.blitz.io.internal.driver.iocp;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.wait.LastLook;
import dev.blitz.io.internal.wait.WakerSlot;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import org.jspecify.annotations.Nullable;

/** A listening socket. One accept is pending while somebody waits; what it brings is kept. */
/* Implementation notes
 *
 *   field             | writer                      | reader | mode
 *   phase             | owner begins, handler ends  | both   | volatile
 *   accepted, failure | handler, before phase       | owner  | plain, by phase
 *
 * A connection that comes to a closed listener is closed by whoever sees both: the handler ends the phase, then looks
 * whether it is closed; the close is marked, then the phase looked at. Both under the lock.
 */
final class IocpListener extends IocpEndpoint implements ListenerEndpoint {
  private enum Phase {
    IDLE,
    PENDING,
    DONE
  }

  private final AsynchronousServerSocketChannel channel;
  private final WakerSlot accepting = new WakerSlot();
  private @Nullable SocketAddress local;

  private volatile Phase phase = Phase.IDLE;
  private @Nullable AsynchronousSocketChannel accepted;
  private @Nullable Throwable failure;

  private final CompletionHandler<AsynchronousSocketChannel, @Nullable Void> handler =
      new CompletionHandler<>() {
        @Override
        public void completed(AsynchronousSocketChannel connection, @Nullable Void nothing) {
          ended(connection, null);
        }

        @Override
        public void failed(Throwable cause, @Nullable Void nothing) {
          ended(null, cause);
        }
      };

  IocpListener(IocpDriver driver, AsynchronousServerSocketChannel channel) {
    super(driver, channel);
    this.channel = channel;
  }

  /** With {@link #listen}: the JDK does both in one call. */
  @Override
  public void bind(SocketAddress local) throws IOException {
    requireOpen();
    this.local = local;
  }

  @Override
  public void listen(int backlog) throws IOException {
    SocketAddress to = local;
    call(() -> {
      try {
        return channel.bind(to, backlog);
      } catch (IOException | RuntimeException e) {
        throw IocpErrors.binding(named(to, "has no address"), e);
      }
    });
  }

  private void ended(@Nullable AsynchronousSocketChannel connection, @Nullable Throwable cause) {
    lock.lock();
    try {
      if (connection != null && !isOpen()) {
        close(connection);
      } else {
        accepted = connection;
        failure = cause;
      }
      phase = Phase.DONE;
    } finally {
      lock.unlock();
    }
    accepting.wake();
  }

  @Override
  public @Nullable StreamEndpoint pollAccept(@Nullable Waker waker) throws IOException {
    for (; ; ) {
      requireOpen();
      if (phase == Phase.DONE) {
        StreamEndpoint stream = take();
        if (stream != null) {
          return stream;
        }
        continue;
      }
      boolean begins = phase == Phase.IDLE;
      if (begins) {
        begin();
      }
      if (waker == null || (begins && LastLook.isUnderWay())) {
        driver.awaitBriefly(() -> phase != Phase.PENDING);
        if (phase != Phase.PENDING) {
          continue;
        }
        if (waker == null) {
          return null;
        }
      }
      accepting.set(waker);
      if (phase == Phase.PENDING && isOpen()) {
        return null;
      }
      accepting.clear();
    }
  }

  private void begin() throws IOException {
    call(() -> {
      phase = Phase.PENDING;
      try {
        channel.accept(null, handler);
      } catch (Throwable t) {
        phase = Phase.IDLE;
        throw t;
      }
      return null;
    });
  }

  /** What the last accept has brought; null if it was aborted before. */
  private @Nullable StreamEndpoint take() throws IOException {
    AsynchronousSocketChannel connection;
    Throwable cause;
    lock.lock();
    try {
      requireOpen(); // else the close has seen to it
      connection = accepted;
      cause = failure;
      accepted = null;
      failure = null;
      phase = Phase.IDLE;
    } finally {
      lock.unlock();
    }
    if (connection != null) {
      return driver.connected(connection);
    }
    if (cause == null || isPassing(cause)) {
      return null;
    }
    throw IocpErrors.of("accept", cause);
  }

  /** For the sake of one connection, so that the next may succeed. */
  private static boolean isPassing(Throwable cause) {
    String words = String.valueOf(cause.getMessage());
    return !(cause instanceof ClosedChannelException)
        && (words.contains("abort") || words.contains("reset") || words.contains("forcibly"));
  }

  @Override
  public void forgetAcceptor() {
    accepting.clear();
  }

  @Override
  public void awaitClose(Waker waker) {
    accepting.set(waker);
  }

  @Override
  void closing() {
    AsynchronousSocketChannel left = accepted;
    accepted = null;
    if (left != null) {
      close(left);
    }
    closeChannel();
  }

  @Override
  void wakeAll() {
    accepting.wake();
  }
}
