package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.posix.DescriptorCall;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.socket.SocketDatagram;
import dev.blitz.io.internal.driver.socket.SocketHandle;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A socket of datagrams. */
final class UringDatagram extends UringPolledEndpoint implements SocketDatagram {
  private final SocketHandle socket;

  UringDatagram(UringDriver driver, SocketHandle socket) {
    super(driver, socket.descriptor(), PosixAbi.POLLIN);
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
    long n = poll(reads, waker, call);
    if (!reads && n >= 0) {
      driver().sent();
    }
    return n;
  }
}
