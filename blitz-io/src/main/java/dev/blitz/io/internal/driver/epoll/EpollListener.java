package dev.blitz.io.internal.driver.epoll;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.socket.CallFrame;
import dev.blitz.io.internal.driver.socket.Descriptor;
import dev.blitz.io.internal.driver.socket.SocketAbi;
import dev.blitz.io.internal.driver.socket.SocketCalls;
import dev.blitz.io.internal.driver.socket.SocketErrors;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/** A listening TCP socket on epoll; connections wait in the kernel's backlog. */
final class EpollListener extends EpollEndpoint implements ListenerEndpoint {
  private final Readiness accepting = new Readiness();

  EpollListener(EpollDriver driver, Descriptor descriptor, AddressFamily family) {
    super(driver, descriptor, family);
  }

  @Override
  public @Nullable StreamEndpoint pollAccept(Waker waker) throws IOException {
    use();
    CallFrame frame = CallFrame.take();
    try {
      while (!mustWait(waker)) {
        int tick = accepting.tick();
        int fd = SocketCalls.accept(frame, descriptor().number());
        if (fd >= 0) {
          return driver()
              .adopt(new EpollStream(driver(), new Descriptor(fd, descriptor()), family()));
        }
        if (fd == -SocketAbi.EAGAIN) {
          accepting.drained(tick);
        } else if (!SocketErrors.isPassingOnAccept(-fd)) {
          throw SocketErrors.of("accept", -fd);
        }
      }
      return null;
    } finally {
      frame.giveBack();
      descriptor().release();
    }
  }

  private boolean mustWait(Waker waker) throws IOException {
    if (accepting.isReady(accepting.tick())) {
      return false;
    }
    register(EpollAbi.EPOLLIN);
    accepting.set(waker);
    if (accepting.isReady(accepting.tick())) {
      accepting.clear();
      return false;
    }
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
    return true;
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

  @Override
  void wakeAll() {
    accepting.wake();
  }
}
