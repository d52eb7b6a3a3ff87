package dev.blitz.io.internal.driver.readiness;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.Transfer;
import dev.blitz.io.internal.driver.socket.SocketBytes;
import dev.blitz.io.internal.driver.socket.SocketEndpoint;
import dev.blitz.io.internal.driver.socket.SocketErrors;
import dev.blitz.io.internal.driver.socket.SocketHandle;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connection: bytes move by a system call inside the poll, straight between the kernel and the
 * caller's memory. A call that moves less than it could has drained (or filled) the kernel's
 * buffer, so the next one waits for an event and makes no call in vain.
 */
final class ReadinessStream extends ReadinessEndpoint implements StreamEndpoint, SocketEndpoint {
  private static final int READ_INTEREST =
      EventBits.READABLE | EventBits.URGENT | EventBits.PEER_ENDED;

  private static final IoCall RECEIVE =
      (frame, fd, one, many) -> SocketBytes.receive(frame, fd, one, false);
  private static final IoCall PEEK =
      (frame, fd, one, many) -> SocketBytes.receive(frame, fd, one, true);
  private static final IoCall RECEIVE_ALL =
      (frame, fd, one, many) -> SocketBytes.receiveAll(frame, fd, many);
  private static final IoCall SEND = (frame, fd, one, many) -> SocketBytes.send(frame, fd, one);
  private static final IoCall SEND_BEFORE_MORE =
      (frame, fd, one, many) -> SocketBytes.sendBeforeMore(frame, fd, one);
  private static final IoCall SEND_ALL =
      (frame, fd, one, many) -> SocketBytes.sendAll(frame, fd, many);

  private static final IoCall CONNECT =
      (frame, fd, one, many) -> SocketBytes.connectOutcome(frame, fd);

  /** What is read after the end. */
  private static final IoCall NOTHING = (frame, fd, one, many) -> 0;

  /** Not known how many bytes the call could move. */
  private static final long ANY = 0;

  private final SocketHandle socket;

  /**
   * The error that broke the connection, or 0. The kernel tells it once, to whichever side asks
   * first, and then says "end of stream": bytes that are missing must not pass for a whole.
   */
  private volatile int broken;

  /** Nothing is read any more: what the kernel still has is not for anybody. */
  private volatile boolean inputEnded;

  private boolean connecting;

  ReadinessStream(ReadinessDriver driver, SocketHandle socket) {
    super(driver, socket.descriptor(), READ_INTEREST, EventBits.WRITABLE);
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
  public SocketAddress remoteAddress() throws IOException {
    return socket.remoteAddress();
  }

  @Override
  public boolean pollConnect(SocketAddress remote, Waker waker) throws IOException {
    long r;
    if (!connecting) {
      r = socket.beginConnect(remote);
      connecting = true; // not if there is no room: then it begins anew
      if (r == -Errno.EINPROGRESS) {
        writing.drained(writing.events());
        r = awaitConnect(waker);
      }
    } else {
      r = awaitConnect(waker);
    }
    if (r == MUST_WAIT) {
      return false;
    }
    if (r < 0) {
      throw SocketErrors.connecting(remote, (int) -r);
    }
    return true;
  }

  private long awaitConnect(Waker waker) throws IOException {
    return pollIo(writing, waker, CONNECT, NO_BUFFER, NONE, ANY);
  }

  @Override
  public int pollRead(ByteBuffer target, @Nullable Waker waker) throws IOException {
    return (int) read(waker, RECEIVE, target, NONE, wanted(Transfer.most(target)));
  }

  @Override
  public int pollPeek(ByteBuffer target, @Nullable Waker waker) throws IOException {
    return (int) read(waker, PEEK, target, NONE, ANY);
  }

  @Override
  public long pollReadVectored(MemorySegment[] targets, @Nullable Waker waker) throws IOException {
    return read(waker, RECEIVE_ALL, NO_BUFFER, targets, wanted(Transfer.most(targets)));
  }

  /** A read of a Unix socket also ends behind descriptors that a peer passes, with more to come. */
  private long wanted(long most) {
    return socket.isUnix() ? ANY : most;
  }

  private long read(
      @Nullable Waker waker, IoCall call, ByteBuffer one, MemorySegment[] many, long wanted)
      throws IOException {
    long n = pollIo(reading, waker, inputEnded ? NOTHING : call, one, many, wanted);
    if (n > 0) {
      return n;
    }
    if (n == MUST_WAIT) {
      return PENDING;
    }
    if (n < 0) {
      noteIfBroken((int) -n);
      throw SocketErrors.of("read", (int) -n);
    }
    if (broken != 0 && !inputEnded) {
      throw SocketErrors.of("read", broken);
    }
    return EOF;
  }

  private void noteIfBroken(int errno) {
    if (SocketErrors.isBroken(errno)) {
      broken = errno;
    }
  }

  @Override
  public int pollWrite(ByteBuffer source, @Nullable Waker waker) throws IOException {
    return (int) write(waker, SEND, source, NONE, Transfer.most(source));
  }

  @Override
  public long pollWriteVectored(MemorySegment[] sources, @Nullable Waker waker) throws IOException {
    return write(waker, SEND_ALL, NO_BUFFER, sources, Transfer.most(sources));
  }

  @Override
  public long pollBeforeFile(@Nullable Waker waker) {
    return 0;
  }

  @Override
  public int pollWriteBeforeFile(ByteBuffer source, @Nullable Waker waker) throws IOException {
    return (int) write(waker, SEND_BEFORE_MORE, source, NONE, Transfer.most(source));
  }

  @Override
  public long pollSendFile(int file, long position, int most, @Nullable Waker waker)
      throws IOException {
    IoCall send = (frame, fd, one, many) -> SocketBytes.sendFile(frame, fd, file, position, most);
    // A short one need not mean that there is no room: the file may have been cut off.
    long n = pollIo(writing, waker, send, NO_BUFFER, NONE, ANY);
    if (n < 0 && n != MUST_WAIT && SocketErrors.isOfFile((int) -n)) {
      return NOT_SERVED;
    }
    return wrote(n);
  }

  private long write(
      @Nullable Waker waker, IoCall call, ByteBuffer one, MemorySegment[] many, long wanted)
      throws IOException {
    return wrote(pollIo(writing, waker, call, one, many, wanted));
  }

  private long wrote(long n) throws IOException {
    if (n >= 0) {
      driver().sent();
      return n;
    }
    if (n == MUST_WAIT) {
      return PENDING;
    }
    noteIfBroken((int) -n);
    throw SocketErrors.of("write", (int) -n);
  }

  @Override
  protected boolean isReady(Readiness side) {
    return super.isReady(side) || (inputEnded && side == reading);
  }

  @Override
  protected void signal(int bits) {
    if ((bits & EventBits.EARLY_END) != 0) {
      reading.endsEarly();
    }
    super.signal(bits);
  }

  @Override
  public void shutdownInput() throws IOException {
    inputEnded = true;
    socket.shutdown(true);
    reading.wake();
  }

  @Override
  public void shutdownOutput() throws IOException {
    socket.shutdown(false);
  }
}
