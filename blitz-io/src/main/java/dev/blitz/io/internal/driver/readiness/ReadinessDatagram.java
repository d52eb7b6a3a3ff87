package dev.blitz.io.internal.driver.readiness;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.socket.SocketDatagram;
import dev.blitz.io.internal.driver.socket.SocketHandle;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A socket of datagrams: one call for each, as soon as the poller says that it makes sense. */
final class ReadinessDatagram extends ReadinessEndpoint implements SocketDatagram {
  private final SocketHandle socket;
  private final Readiness reading = new Readiness(EventBits.READABLE);
  private final Readiness writing = new Readiness(EventBits.WRITABLE);

  ReadinessDatagram(ReadinessDriver driver, SocketHandle socket) {
    super(driver, socket.descriptor(), EventBits.READABLE | EventBits.WRITABLE);
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
  public long pollCall(boolean reads, @Nullable Waker waker, Call call) throws IOException {
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

  @Override
  protected void signal(int bits) {
    if ((bits & EventBits.READING) != 0) {
      reading.signal();
    }
    if ((bits & EventBits.WRITING) != 0) {
      writing.signal();
    }
  }

  @Override
  protected void wakeAll() {
    reading.wake();
    writing.wake();
  }

  @Override
  public void forgetReader() {
    reading.clear();
  }

  @Override
  public void forgetWriter() {
    writing.clear();
  }

  @Override
  public void awaitClose(Waker waker) {
    writing.set(waker);
  }
}
