package dev.blitz.io.internal.driver.readiness;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.posix.DescriptorCall;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.socket.SocketDatagram;
import dev.blitz.io.internal.driver.socket.SocketHandle;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A socket of datagrams: one call for each, as soon as the poller says that it makes sense. */
final class ReadinessDatagram extends ReadinessEndpoint implements SocketDatagram {
  private final SocketHandle socket;

  ReadinessDatagram(ReadinessDriver driver, SocketHandle socket) {
    super(driver, socket.descriptor(), EventBits.READABLE, EventBits.WRITABLE);
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
  public long pollCall(boolean reads, @Nullable Waker waker, DescriptorCall call)
      throws IOException {
    long n =
        pollIo(
            reads ? reading : writing,
            waker,
            (frame, fd, one, many) -> call.make(frame, fd),
            NO_BUFFER,
            NONE,
            0);
    if (!reads && n >= 0) {
      driver().sent();
    }
    return n == MUST_WAIT ? -Errno.EAGAIN : n;
  }
}
