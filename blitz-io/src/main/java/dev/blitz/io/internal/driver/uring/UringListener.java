package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.socket.SocketCalls;
import dev.blitz.io.internal.driver.socket.SocketDescriptor;
import dev.blitz.io.internal.driver.socket.SocketEndpoint;
import dev.blitz.io.internal.driver.socket.SocketErrors;
import dev.blitz.io.internal.driver.socket.SocketHandle;
import dev.blitz.io.internal.wait.LastLook;
import dev.blitz.io.internal.wait.WakerSlot;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/** A listening socket: connections come in by an accept that stays armed, and wait in a queue. */
final class UringListener extends UringEndpoint implements ListenerEndpoint, SocketEndpoint {
  private final SocketHandle socket;
  private final WakerSlot acceptor = new WakerSlot();
  private final AcceptedQueue accepted = new AcceptedQueue();
  private final AcceptOperation accept;

  /** Connections have it from their listener, in the kernel as well. */
  private volatile int lingerSeconds = -1;

  UringListener(UringDriver driver, SocketHandle socket) {
    super(driver, socket.descriptor());
    this.socket = socket;
    accept = new AcceptOperation(socket.descriptor(), accepted, acceptor);
  }

  @Override
  public SocketHandle socket() {
    return socket;
  }

  @Override
  public void bind(SocketAddress local) throws IOException {
    driver().bind(socket, local);
  }

  @Override
  public void listen(int backlog) throws IOException {
    socket.listen(backlog);
  }

  @Override
  public @Nullable StreamEndpoint pollAccept(@Nullable Waker waker) throws IOException {
    requireOpen();
    StreamEndpoint stream = next();
    if (stream != null) {
      return stream;
    }
    if (waker == null) {
      return tryAccept();
    }
    while (LastLook.isUnderWay()) {
      acceptor.clear();
      boolean ended = driver().end(accept);
      stream = tryAccept();
      if (stream != null) {
        return stream;
      }
      if (ended) {
        break; // nobody is there
      }
      acceptor.set(waker);
      if (accept.isArmed()) {
        LastLook.onItsWay(); // its end, if nothing else
        return null;
      }
    }
    acceptor.set(waker);
    boolean idle = !accept.isArmed();
    // What an accept brought is visible before it counts as idle, so this look finds it.
    stream = next();
    if (stream != null) {
      acceptor.clear();
      return stream;
    }
    if (idle && !accept.arm(driver())) {
      throw notArmed();
    }
    return null;
  }

  /** None waits here: takes one that waits in the kernel, whoever has been told to accept. */
  private @Nullable StreamEndpoint tryAccept() throws IOException {
    if (accept.isArmed()) {
      driver().fetch(accept, false); // it may have completed, and nobody has looked
    }
    StreamEndpoint stream = next();
    while (stream == null) {
      int number = socket.call(SocketCalls::accept);
      if (number >= 0) {
        return stream(number);
      }
      if (number == -Errno.EAGAIN) {
        return null;
      }
      if (!SocketErrors.isPassingOnAccept(-number)) {
        throw SocketErrors.of("accept", -number);
      }
    }
    return stream;
  }

  private StreamEndpoint stream(int number) throws IOException {
    return driver().stream(
        SocketDescriptor.owning(number, socket.descriptor()), socket.family(), lingerSeconds);
  }

  private @Nullable StreamEndpoint next() throws IOException {
    int number = accepted.poll();
    if (number >= 0) {
      return stream(number);
    }
    int errno = accepted.takeFailure();
    if (errno != 0 && !SocketErrors.isPassingOnAccept(errno)) {
      acceptor.clear();
      throw SocketErrors.of("accept", errno);
    }
    return null;
  }

  @Override
  public <T> void setOption(SocketOption<T> option, T value) throws IOException {
    socket.setOption(option, value);
    if (SocketHandle.isLinger(option)) {
      lingerSeconds = (Integer) value;
    }
  }

  @Override
  public void forgetAcceptor() {
    acceptor.clear();
  }

  @Override
  public void awaitClose(Waker waker) {
    acceptor.set(waker);
  }

  @Override
  void closed() {
    try {
      if (accept.isArmed()) {
        accept.cancel();
        socket.endListeningAtOnce(); // the kernel holds the socket until the accept has ended
        driver().hurry();
      }
    } finally {
      accepted.close();
      acceptor.wake();
    }
  }
}
