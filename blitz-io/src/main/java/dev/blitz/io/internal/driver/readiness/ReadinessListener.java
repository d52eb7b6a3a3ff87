package dev.blitz.io.internal.driver.readiness;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.socket.SocketCalls;
import dev.blitz.io.internal.driver.socket.SocketDescriptor;
import dev.blitz.io.internal.driver.socket.SocketEndpoint;
import dev.blitz.io.internal.driver.socket.SocketErrors;
import dev.blitz.io.internal.driver.socket.SocketHandle;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A listening socket; connections wait in the kernel's backlog. */
final class ReadinessListener extends ReadinessEndpoint
    implements ListenerEndpoint, SocketEndpoint {
  private static final IoCall ACCEPT = (frame, fd, one, many) -> SocketCalls.accept(frame, fd);

  private final SocketHandle socket;

  ReadinessListener(ReadinessDriver driver, SocketHandle socket) {
    this(driver, socket, new Readiness(EventBits.READABLE));
  }

  private ReadinessListener(ReadinessDriver driver, SocketHandle socket, Readiness accepting) {
    super(driver, socket.descriptor(), accepting, accepting);
    this.socket = socket;
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
    for (; ; ) {
      long fd = pollIo(reading, waker, ACCEPT, NO_BUFFER, NONE, 0);
      if (fd >= 0) {
        return driver().stream(
            SocketDescriptor.owning((int) fd, socket.descriptor()), socket.family());
      }
      if (fd == MUST_WAIT) {
        return null;
      }
      if (!SocketErrors.isPassingOnAccept((int) -fd)) {
        throw SocketErrors.of("accept", (int) -fd);
      }
    }
  }

  @Override
  public void forgetAcceptor() {
    reading.clear();
  }

  @Override
  protected void signal(int bits) {
    reading.signal();
  }

  /** A call that names the socket, in which somebody waits, holds it until it ends. */
  @Override
  protected void closing() {
    if (!driver().staysArmed()) {
      socket.endListeningAtOnce();
    }
  }
}
