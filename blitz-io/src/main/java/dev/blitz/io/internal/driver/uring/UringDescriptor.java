package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.DescriptorEndpoint;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixErrors;
import dev.blitz.io.internal.driver.socket.ForeignDescriptor;
import dev.blitz.io.internal.wait.WakerSlot;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A descriptor of another maker: bytes move by a call in the poll, and a one-time poll of the ring
 * tells when the next one makes sense.
 */
final class UringDescriptor extends UringEndpoint implements DescriptorEndpoint {
  private static final int READABLE = PosixAbi.POLLIN | PosixAbi.POLLRDHUP;

  private final ForeignDescriptor foreign;
  private final WakerSlot reader = new WakerSlot();
  private final WakerSlot writer = new WakerSlot();
  private final ReadinessOperation readable;
  private final ReadinessOperation writable;

  UringDescriptor(UringDriver driver, ForeignDescriptor foreign) {
    super(driver, foreign);
    this.foreign = foreign;
    readable = new ReadinessOperation(foreign, READABLE, reader);
    writable = new ReadinessOperation(foreign, PosixAbi.POLLOUT, writer);
  }

  /** A call that does not wait: its result, or {@code -errno}. */
  @FunctionalInterface
  private interface Call {
    long make(CallFrame frame);
  }

  /** What the call says, or {@link #PENDING}; then {@code waker} has been kept. */
  private long poll(
      String what,
      ReadinessOperation operation,
      WakerSlot waiting,
      @Nullable Waker waker,
      Call call)
      throws IOException {
    long n = once(call);
    if (n == -Errno.EAGAIN) {
      if (waker == null) {
        return PENDING;
      }
      waiting.set(waker);
      // One that is armed wakes after this look; a new one sees what has come since the call.
      if (!operation.isArmed() && !operation.arm(driver())) {
        throw notArmed();
      }
      requireOpen(); // close() may have looked for the waker just before
      return PENDING;
    }
    if (n < 0) {
      throw PosixErrors.of(what, (int) -n);
    }
    return n;
  }

  private long once(Call call) throws IOException {
    StackRoom.forWake(); // to let go of what is in use
    CallFrame frame = CallFrame.take(); // first: it may find no memory
    try {
      use();
      try {
        return call.make(frame);
      } finally {
        descriptor().release();
      }
    } finally {
      frame.giveBack();
    }
  }

  @Override
  public boolean pollReadable(Waker waker) throws IOException {
    return poll("poll", readable, reader, waker, frame -> foreign.readiness(frame, READABLE))
        != PENDING;
  }

  @Override
  public boolean pollWritable(Waker waker) throws IOException {
    return poll(
            "poll", writable, writer, waker, frame -> foreign.readiness(frame, PosixAbi.POLLOUT))
        != PENDING;
  }

  @Override
  public int pollRead(ByteBuffer target, @Nullable Waker waker) throws IOException {
    return (int) orEnd(poll("read", readable, reader, waker, frame -> foreign.in(frame, target)));
  }

  @Override
  public long pollReadVectored(MemorySegment[] targets, Waker waker) throws IOException {
    return orEnd(poll("read", readable, reader, waker, frame -> foreign.inAll(frame, targets)));
  }

  private static long orEnd(long n) {
    return n == 0 ? EOF : n;
  }

  @Override
  public int pollWrite(ByteBuffer source, @Nullable Waker waker) throws IOException {
    return (int) poll("write", writable, writer, waker, frame -> foreign.out(frame, source));
  }

  @Override
  public long pollWriteVectored(MemorySegment[] sources, Waker waker) throws IOException {
    return poll("write", writable, writer, waker, frame -> foreign.outAll(frame, sources));
  }

  @Override
  public void shutdownOutput() throws IOException {
    foreign.endOutput();
    if (foreign.isWriteOnly()) {
      close();
    }
  }

  @Override
  public void forgetReader() {
    reader.clear();
  }

  @Override
  public void forgetWriter() {
    writer.clear();
  }

  @Override
  void closed() {
    try {
      readable.cancel();
      writable.cancel();
      if (readable.isArmed() || writable.isArmed()) {
        driver().hurry(); // who closes may wait for the other end to notice
      }
    } finally {
      reader.wake();
      writer.wake();
    }
  }
}
