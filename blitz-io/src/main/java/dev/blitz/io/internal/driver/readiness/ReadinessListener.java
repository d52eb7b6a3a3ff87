package dev.blitz.io.internal.driver.readiness;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.socket.Descriptor;
import dev.blitz.io.internal.driver.socket.SocketCalls;
import dev.blitz.io.internal.driver.socket.SocketErrors;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A listening socket; connections wait in the kernel's backlog. */
final class ReadinessListener extends ReadinessEndpoint implements ListenerEndpoint {
  private static final IoCall ACCEPT = (frame, fd, one, many) -> SocketCalls.accept(frame, fd);

  private final Readiness accepting = new Readiness(EventBits.READABLE);

  ReadinessListener(ReadinessDriver driver, Descriptor descriptor, AddressFamily family) {
    super(driver, descriptor, family, EventBits.READABLE);
  }

  @Override
  public @Nullable StreamEndpoint pollAccept(Waker waker) throws IOException {
    for (; ; ) {
      long fd = pollIo(accepting, waker, ACCEPT, NO_BUFFER, NONE, 0);
      if (fd >= 0) {
        return driver().stream(Descriptor.owning((int) fd, descriptor()), family());
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
    accepting.clear();
  }

  @Override
  public void awaitClose(Waker waker) {
    accepting.set(waker);
  }

  @Override
  void signal(int bits) {
    accepting.signal();
  }

  /** A call that names the socket, in which somebody waits, holds it until it ends. */
  @Override
  void closing() {
    if (!driver().staysArmed()) {
      endListeningAtOnce();
    }
  }

  @Override
  void wakeAll() {
    accepting.wake();
  }
}
