package dev.blitz.io.internal.driver.epoll;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.socket.CallFrame;
import dev.blitz.io.internal.driver.socket.Descriptor;
import dev.blitz.io.internal.driver.socket.SocketAbi;
import dev.blitz.io.internal.driver.socket.SocketBytes;
import dev.blitz.io.internal.driver.socket.SocketErrors;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;

/**
 * A TCP connection on epoll: bytes move by a system call inside the poll, straight between the
 * kernel and the caller's memory. A call that moves less than it could has drained (or filled) the
 * kernel's buffer, so the next one waits for an event and makes no call in vain.
 */
final class EpollStream extends EpollEndpoint implements StreamEndpoint {
  private static final int INTEREST =
      EpollAbi.EPOLLIN | EpollAbi.EPOLLPRI | EpollAbi.EPOLLOUT | EpollAbi.EPOLLRDHUP;
  private static final int WRITE_BITS = EpollAbi.EPOLLOUT | EpollAbi.EPOLLHUP | EpollAbi.EPOLLERR;
  private static final int EARLY_END_BITS =
      EpollAbi.EPOLLPRI | EpollAbi.EPOLLRDHUP | EpollAbi.EPOLLHUP | EpollAbi.EPOLLERR;
  private static final int READ_BITS = EpollAbi.EPOLLIN | EARLY_END_BITS;

  private final Readiness reading = new Readiness();
  private final Readiness writing = new Readiness();

  /**
   * A short read does not mean drained any more, for good. The peer has ended its side: the event
   * said so together with the last bytes, and no other will follow. Or it has sent an urgent byte,
   * in front of which the kernel ends a read though more follows. Set before the tick that tells of
   * it.
   */
  private volatile boolean readsEndEarly;

  /**
   * The error that broke the connection, or 0. The kernel tells it once, to whichever side asks
   * first, and then says "end of stream": bytes that are missing must not pass for a whole.
   */
  private volatile int broken;

  /** Nothing is read any more: what the kernel still has is not for anybody. */
  private volatile boolean inputEnded;

  private boolean connecting;

  EpollStream(EpollDriver driver, Descriptor descriptor, AddressFamily family) {
    super(driver, descriptor, family);
  }

  @Override
  public boolean pollConnect(InetSocketAddress remote, Waker waker) throws IOException {
    if (!connecting) {
      connecting = true;
      int r = beginConnect(remote);
      if (r == 0) {
        return true;
      }
      if (r != -SocketAbi.EINPROGRESS) {
        throw SocketErrors.connecting(remote, -r);
      }
      writing.drained(writing.tick());
    }
    use();
    try {
      while (!mustWait(writing, waker)) {
        int tick = writing.tick();
        int r = connectOutcome();
        if (r == 0) {
          return true;
        }
        if (r != -SocketAbi.EINPROGRESS) {
          throw SocketErrors.connecting(remote, -r);
        }
        writing.drained(tick);
      }
      return false;
    } finally {
      descriptor().release();
    }
  }

  @Override
  public int pollRead(MemorySegment target, Waker waker) throws IOException {
    return read(target, waker, false);
  }

  @Override
  public int pollPeek(MemorySegment target, Waker waker) throws IOException {
    return read(target, waker, true);
  }

  private int read(MemorySegment target, Waker waker, boolean peek) throws IOException {
    use();
    CallFrame frame = CallFrame.take();
    try {
      while (!mustWait(reading, waker)) {
        if (inputEnded) {
          return EOF;
        }
        int tick = reading.tick();
        int n = SocketBytes.receive(frame, descriptor().number(), target, peek);
        if (n > 0) {
          if (!peek && n < SocketBytes.most(target)) {
            drainedByShortRead(tick);
          }
          return n;
        }
        if (n == 0) {
          return endOfStream();
        }
        readFailed(n, tick);
      }
      return PENDING;
    } finally {
      frame.giveBack();
      descriptor().release();
    }
  }

  @Override
  public long pollReadVectored(MemorySegment[] targets, int count, Waker waker) throws IOException {
    use();
    CallFrame frame = CallFrame.take();
    try {
      while (!mustWait(reading, waker)) {
        if (inputEnded) {
          return EOF;
        }
        int tick = reading.tick();
        long n = SocketBytes.receiveAll(frame, descriptor().number(), targets, count);
        if (n > 0) {
          return n;
        }
        if (n == 0) {
          return endOfStream();
        }
        readFailed((int) n, tick);
      }
      return PENDING;
    } finally {
      frame.giveBack();
      descriptor().release();
    }
  }

  private int endOfStream() throws IOException {
    if (broken != 0) {
      throw SocketErrors.of("read", broken);
    }
    return EOF;
  }

  private void noteIfBroken(int errno) {
    if (SocketErrors.isBroken(errno)) {
      broken = errno;
    }
  }

  private void drainedByShortRead(int tick) {
    if (!readsEndEarly) {
      reading.drained(tick);
    }
  }

  /** Nothing there is no failure: the caller looks again, and waits. */
  private void readFailed(int result, int tick) throws IOException {
    if (result != -SocketAbi.EAGAIN) {
      noteIfBroken(-result);
      throw SocketErrors.of("read", -result);
    }
    reading.drained(tick);
  }

  @Override
  public int pollWrite(MemorySegment source, Waker waker) throws IOException {
    use();
    CallFrame frame = CallFrame.take();
    try {
      while (!mustWait(writing, waker)) {
        int tick = writing.tick();
        int n = SocketBytes.send(frame, descriptor().number(), source);
        if (n >= 0) {
          if (n < SocketBytes.most(source)) {
            writing.drained(tick);
          }
          return n;
        }
        writeFailed(n, tick);
      }
      return PENDING;
    } finally {
      frame.giveBack();
      descriptor().release();
    }
  }

  @Override
  public long pollWriteVectored(MemorySegment[] sources, int count, Waker waker)
      throws IOException {
    use();
    CallFrame frame = CallFrame.take();
    try {
      while (!mustWait(writing, waker)) {
        int tick = writing.tick();
        long n = SocketBytes.sendAll(frame, descriptor().number(), sources, count);
        if (n >= 0) {
          return n;
        }
        writeFailed((int) n, tick);
      }
      return PENDING;
    } finally {
      frame.giveBack();
      descriptor().release();
    }
  }

  private void writeFailed(int result, int tick) throws IOException {
    if (result != -SocketAbi.EAGAIN) {
      noteIfBroken(-result);
      throw SocketErrors.of("write", -result);
    }
    writing.drained(tick);
  }

  /**
   * Whether a call would be in vain; then the waker has been kept. The order matters: events must
   * arrive before the waker is stored, and the last looks come after that.
   */
  private boolean mustWait(Readiness side, Waker waker) throws IOException {
    if (isReady(side)) {
      return false;
    }
    register(INTEREST);
    side.set(waker);
    if (isReady(side)) {
      side.clear();
      return false;
    }
    if (!isOpen()) {
      throw new ClosedChannelException(); // close() may have looked for the waker just before
    }
    return true;
  }

  private boolean isReady(Readiness side) {
    return side.isReady(side.tick()) || (inputEnded && side == reading);
  }

  @Override
  void signal(int bits) {
    if ((bits & EARLY_END_BITS) != 0) {
      readsEndEarly = true;
    }
    if ((bits & READ_BITS) != 0) {
      reading.signal();
    }
    if ((bits & WRITE_BITS) != 0) {
      writing.signal();
    }
  }

  @Override
  void wakeAll() {
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
  public void shutdownInput() throws IOException {
    inputEnded = true;
    shutdown(true);
    reading.wake();
  }

  @Override
  public void shutdownOutput() throws IOException {
    shutdown(false);
  }
}
