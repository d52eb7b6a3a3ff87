package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.EndpointOption;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.socket.CallFrame;
import dev.blitz.io.internal.driver.socket.Descriptor;
import dev.blitz.io.internal.driver.socket.SocketAbi;
import dev.blitz.io.internal.driver.socket.SocketBytes;
import dev.blitz.io.internal.driver.socket.SocketErrors;
import dev.blitz.io.internal.wait.WakerSlot;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * A connection. Bytes arrive by a receive that stays armed and are copied out in the poll. A small
 * write on a worker is copied and goes to the kernel with all others of the worker's round; one at
 * a time, so that they stay in order. Other writes are sent in the poll, and when the kernel has no
 * room a one-time poll tells when it has.
 */
/* Implementation notes
 *
 *   field         | writer                       | reader                          | mode
 *   send          | writing side, once           | closed                          | volatile
 *   endsOutput    | shutdownOutput               | sendEnded, on whoever reaps     | volatile; pairs with Operation.home: the
 *                 |                              |                                 | one writes this and reads that, the other the
 *                 |                              |                                 | other way round, so one of them ends the output
 *   lingerSeconds | setOption                    | writing side, closed            | volatile
 */
final class UringStream extends UringEndpoint implements StreamEndpoint {
  private final ReceivedBytes received = new ReceivedBytes();
  private final WakerSlot reader = new WakerSlot();
  private final WakerSlot writer = new WakerSlot();
  private final ReceiveOperation receive;
  private final ReadinessOperation writable;
  private volatile @Nullable SendOperation send;
  private volatile boolean endsOutput;
  private volatile int lingerSeconds;
  private boolean connecting;

  /** What broke the connection, as a write was told; the kernel does not tell the reader again. */
  private volatile int broken;

  /** {@code lingerSeconds}: as the descriptor lingers already, having it from a listener; or -1. */
  UringStream(UringDriver driver, Descriptor descriptor, AddressFamily family, int lingerSeconds) {
    super(driver, descriptor, family);
    this.lingerSeconds = lingerSeconds;
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
      long n;
      try {
        n = received.take(targets[i], 0, false);
      } catch (RuntimeException e) { // memory that is gone, or another thread's
        if (total > 0) {
          break; // the caller must learn of what it has got; the next call meets this target first
        }
        throw e;
      }
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
      SendOperation sender = send;
      reason = sender == null || broken != 0 ? broken : sender.broken();
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
    if (isSending(waker)) {
      return PENDING;
    }
    int staged = stage(source);
    if (staged != SendOperation.NO_ROOM) {
      return staged;
    }
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
    if (isSending(waker)) {
      return PENDING;
    }
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

  /** Whether an earlier write is still being sent; then the waker has been kept. */
  private boolean isSending(Waker waker) throws IOException {
    if (endsOutput) {
      requireOpen();
      throw SocketErrors.of("write", SocketAbi.EPIPE); // a staged one would seem to succeed
    }
    SendOperation last = send;
    if (last == null) {
      return false;
    }
    if (last.isArmed()) {
      writer.set(waker);
      if (last.isArmed()) {
        requireOpen(); // close() may have looked for the waker just before
        return true;
      }
      writer.clear();
    }
    throwFailureOf(last);
    return false;
  }

  private static void throwFailureOf(SendOperation last) throws IOException {
    int errno = last.failure();
    if (errno != 0) {
      throw SocketErrors.of("write", errno);
    }
  }

  /**
   * Takes a small write on a worker; {@link SendOperation#NO_ROOM} if it has to be sent at once.
   */
  private int stage(MemorySegment source) throws IOException {
    WorkerRing ring = driver().ringOfCaller();
    long bytes = source.byteSize();
    // A socket that lingers is closed where closing may wait, which is not where a send ends.
    if (ring == null || bytes == 0 || bytes > UringTuning.SEND_BYTES || lingerSeconds > 0) {
      return SendOperation.NO_ROOM;
    }
    SendOperation next = send;
    if (next == null) {
      next = new SendOperation(descriptor(), writer, this::sendEnded);
      send = next;
    }
    requireOpen();
    int staged = next.stage(ring, source);
    if (staged == SendOperation.CLOSED) {
      throw new AsynchronousCloseException();
    }
    if (lingerSeconds == 0 && !isOpen()) {
      next.cancel(); // closed() may have found it not armed yet
    }
    return staged;
  }

  private void sendEnded() {
    SendOperation ended = send;
    if (endsOutput && ended != null && !ended.hasLost()) {
      try {
        shutdown(false);
      } catch (IOException e) {
        // The connection has failed or is closed: there is no output to be ended.
      }
    }
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
    SendOperation last = send;
    endsOutput = true;
    if (last != null) {
      if (last.isArmed()) {
        return; // what was written goes first
      }
      throwFailureOf(last);
    }
    shutdown(false);
  }

  @Override
  public void setOption(EndpointOption option, int value) throws IOException {
    super.setOption(option, value);
    if (option == EndpointOption.LINGER_SECONDS) {
      lingerSeconds = value;
    }
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
    SendOperation last = send;
    if (last != null && last.isArmed()) {
      if (lingerSeconds == 0) {
        last.cancel(); // a reset; otherwise what was written is sent before the number is closed
      }
      driver().hurry(); // whoever closes a descriptor may need it again at once
    }
    received.close();
    reader.wake();
    writer.wake();
  }
}
