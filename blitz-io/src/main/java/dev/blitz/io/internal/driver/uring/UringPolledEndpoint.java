package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.DescriptorCall;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.wait.WakerSlot;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint whose bytes move by a call in the poll; a one-time poll of the ring tells when the
 * next one makes sense.
 */
abstract class UringPolledEndpoint extends UringEndpoint {
  private final WakerSlot reader = new WakerSlot();
  private final WakerSlot writer = new WakerSlot();
  private final ReadinessOperation readable;
  private final ReadinessOperation writable;

  /** {@code readEvents}: what the reading side waits for. */
  UringPolledEndpoint(UringDriver driver, Descriptor descriptor, int readEvents) {
    super(driver, descriptor);
    readable = new ReadinessOperation(descriptor, readEvents, reader);
    writable = new ReadinessOperation(descriptor, PosixAbi.POLLOUT, writer);
  }

  /** What the call says; if that is {@code -EAGAIN}, the waker has been kept. */
  final long poll(boolean reads, @Nullable Waker waker, DescriptorCall call) throws IOException {
    long n = once(call);
    if (n != -Errno.EAGAIN || waker == null) {
      return n;
    }
    (reads ? reader : writer).set(waker);
    ReadinessOperation operation = reads ? readable : writable;
    // One that is armed wakes after this look; a new one sees what has come since the call.
    if (!operation.isArmed() && !operation.arm(driver())) {
      throw notArmed();
    }
    requireOpen(); // close() may have looked for the waker just before
    return n;
  }

  private long once(DescriptorCall call) throws IOException {
    StackRoom.forWake(); // to let go of what is in use
    CallFrame frame = CallFrame.take(); // first: it may find no memory
    try {
      use();
      try {
        return call.make(frame, descriptor().number());
      } finally {
        descriptor().release();
      }
    } finally {
      frame.giveBack();
    }
  }

  public final void forgetReader() {
    reader.clear();
  }

  public final void forgetWriter() {
    writer.clear();
  }

  /** Keeps {@code waker} as the writing side's: it is woken at the latest when this is closed. */
  public final void awaitClose(Waker waker) {
    writer.set(waker);
  }

  @Override
  final void closed() {
    try {
      readable.cancel();
      writable.cancel();
      if (readable.isArmed() || writable.isArmed()) {
        driver().hurry(); // who closes may need the address at once, or the other end to notice
      }
    } finally {
      reader.wake();
      writer.wake();
    }
  }
}
