package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.WakerSlot;
import dev.blitz.io.internal.driver.socket.CallFrame;
import dev.blitz.io.internal.driver.socket.Descriptor;
import dev.blitz.io.internal.driver.socket.SocketAbi;
import dev.blitz.io.internal.driver.socket.SocketBytes;
import dev.blitz.io.internal.driver.socket.SocketErrors;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;

/**
 * A connection. Bytes arrive by a receive that stays armed and are copied out in the poll; bytes to
 * be sent go to the kernel in the poll, and when it has no room a one-time poll tells when it has.
 */
final class UringStream extends UringEndpoint implements StreamEndpoint {
  private final ReceivedBytes received = new ReceivedBytes();
  private final WakerSlot reader = new WakerSlot();
  private final WakerSlot writer = new WakerSlot();
  private final ReceiveOperation receive;
  private final ReadinessOperation writable;
  private boolean connecting;

  /** What broke the connection, as a write was told; the kernel does not tell the reader again. */
  private volatile int broken;

  UringStream(UringDriver driver, Descriptor descriptor, AddressFamily family) {
    super(driver, descriptor, family);
    receive = new ReceiveOperation(descriptor, received, reader);
    writable = new ReadinessOperation(descriptor, writer);
  }

  // --- Reading ---

  @Override
  public int pollRead(MemorySegment target, Waker waker) throws IOException {
    return (int) read(target, 0, waker, false);
  }

  @Override
  public int pollPeek(MemorySegment target, Waker waker) throws IOException {
    return (int) read(target, 0, waker, true);
  }

  @Override
  public long pollReadVectored(MemorySegment[] targets, int count, Waker waker) throws IOException {
    long total = 0;
    for (int i = 0; i < count; i++) {
      long n = received.take(targets[i], 0, false);
      total += n;
      if (n < targets[i].byteSize()) {
        break;
      }
    }
    return total > 0 ? total : read(targets[0], 0, waker, false);
  }

  private long read(MemorySegment target, long at, Waker waker, boolean peek) throws IOException {
    long n = received.take(target, at, peek);
    if (n > 0) {
      return n;
    }
    requireOpen();
    reader.set(waker);
    boolean idle = !receive.isArmed();
    // An end is made visible before the operation counts as idle, so this look finds it.
    n = received.take(target, at, peek);
    if (n > 0 || received.hasEnded()) {
      reader.clear();
      return n > 0 ? n : endOfStream();
    }
    if (idle && !receive.arm(driver())) {
      throw new AsynchronousCloseException();
    }
    return PENDING;
  }

  private int endOfStream() throws IOException {
    int reason = received.endReason();
    if (reason == 0) {
      reason = broken;
    }
    if (reason != 0) {
      throw SocketErrors.of("read", reason);
    }
    return EOF;
  }

  @Override
  public void forgetReader() {
    reader.clear();
  }

  @Override
  public void shutdownInput() throws IOException {
    shutdown(true);
  }

  // --- Writing ---

  @Override
  public boolean pollConnect(InetSocketAddress remote, Waker waker) throws IOException {
    int outcome;
    if (!connecting) {
      connecting = true;
      outcome = beginConnect(remote);
    } else {
      writer.set(waker);
      if (writable.isArmed()) {
        return false;
      }
      outcome = connectOutcome();
    }
    if (outcome == -SocketAbi.EINPROGRESS) {
      awaitRoom(waker);
      return false;
    }
    if (outcome < 0) {
      throw SocketErrors.connecting(remote, -outcome);
    }
    writer.clear();
    return true;
  }

  @Override
  public int pollWrite(MemorySegment source, Waker waker) throws IOException {
    use();
    int n;
    CallFrame frame = CallFrame.take();
    try {
      n = SocketBytes.send(frame, descriptor().number(), source);
    } finally {
      frame.giveBack();
      descriptor().release();
    }
    return (int) wrote(n, waker);
  }

  @Override
  public long pollWriteVectored(MemorySegment[] sources, int count, Waker waker)
      throws IOException {
    use();
    long n;
    CallFrame frame = CallFrame.take();
    try {
      n = SocketBytes.sendAll(frame, descriptor().number(), sources, count);
    } finally {
      frame.giveBack();
      descriptor().release();
    }
    return wrote(n, waker);
  }

  private long wrote(long result, Waker waker) throws IOException {
    if (result >= 0) {
      return result;
    }
    if (result != -SocketAbi.EAGAIN) {
      if (SocketErrors.isBroken((int) -result)) {
        broken = (int) -result;
      }
      throw SocketErrors.of("write", (int) -result);
    }
    awaitRoom(waker);
    return PENDING;
  }

  private void awaitRoom(Waker waker) throws IOException {
    writer.set(waker);
    if (!writable.isArmed() && !writable.arm(driver())) {
      throw new AsynchronousCloseException();
    }
  }

  @Override
  public void forgetWriter() {
    writer.clear();
  }

  @Override
  public void shutdownOutput() throws IOException {
    shutdown(false);
  }

  // --- Closing ---

  private void requireOpen() throws ClosedChannelException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
  }

  @Override
  void closed() {
    receive.cancel();
    writable.cancel();
    received.close();
    reader.wake();
    writer.wake();
  }
}
