package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.socket.SocketDatagram;
import dev.blitz.io.internal.driver.socket.SocketHandle;
import dev.blitz.io.internal.wait.WakerSlot;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A socket of datagrams: they move by a call in the poll, and a one-time poll of the ring tells
 * when the next one makes sense.
 */
final class UringDatagram extends UringEndpoint implements SocketDatagram {
  private final SocketHandle socket;
  private final WakerSlot reader = new WakerSlot();
  private final WakerSlot writer = new WakerSlot();
  private final ReadinessOperation readable;
  private final ReadinessOperation writable;

  UringDatagram(UringDriver driver, SocketHandle socket) {
    super(driver, socket.descriptor());
    this.socket = socket;
    readable = new ReadinessOperation(socket.descriptor(), PosixAbi.POLLIN, reader);
    writable = new ReadinessOperation(socket.descriptor(), PosixAbi.POLLOUT, writer);
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
    long n = once(call);
    if (!reads && n >= 0) {
      driver().sent();
    }
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

  private long once(Call call) throws IOException {
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

  @Override
  public void forgetReader() {
    reader.clear();
  }

  @Override
  public void forgetWriter() {
    writer.clear();
  }

  @Override
  public void awaitClose(Waker waker) {
    writer.set(waker);
  }

  @Override
  void closed() {
    try {
      readable.cancel();
      writable.cancel();
      if (readable.isArmed() || writable.isArmed()) {
        driver().hurry(); // its address is free at once
      }
    } finally {
      reader.wake();
      writer.wake();
    }
  }
}
