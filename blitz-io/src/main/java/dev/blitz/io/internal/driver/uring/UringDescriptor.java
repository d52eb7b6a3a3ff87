package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.DescriptorEndpoint;
import dev.blitz.io.internal.driver.posix.DescriptorCall;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixErrors;
import dev.blitz.io.internal.driver.socket.ForeignDescriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A descriptor of another maker. */
final class UringDescriptor extends UringPolledEndpoint implements DescriptorEndpoint {
  private static final int READABLE = PosixAbi.POLLIN | PosixAbi.POLLRDHUP;

  private final ForeignDescriptor foreign;

  UringDescriptor(UringDriver driver, ForeignDescriptor foreign) {
    super(driver, foreign, READABLE);
    this.foreign = foreign;
  }

  @Override
  public boolean pollReadable(Waker waker) throws IOException {
    DescriptorCall ask = (frame, fd) -> foreign.readiness(frame, READABLE);
    return result("poll", poll(true, waker, ask)) != PENDING;
  }

  @Override
  public boolean pollWritable(Waker waker) throws IOException {
    DescriptorCall ask = (frame, fd) -> foreign.readiness(frame, PosixAbi.POLLOUT);
    return result("poll", poll(false, waker, ask)) != PENDING;
  }

  @Override
  public int pollRead(ByteBuffer target, @Nullable Waker waker) throws IOException {
    return (int) read(waker, (frame, fd) -> foreign.in(frame, target));
  }

  @Override
  public long pollReadVectored(MemorySegment[] targets, Waker waker) throws IOException {
    return read(waker, (frame, fd) -> foreign.inAll(frame, targets));
  }

  private long read(@Nullable Waker waker, DescriptorCall call) throws IOException {
    long n = result("read", poll(true, waker, call));
    return n == 0 ? EOF : n;
  }

  @Override
  public int pollWrite(ByteBuffer source, @Nullable Waker waker) throws IOException {
    return (int) write(waker, (frame, fd) -> foreign.out(frame, source));
  }

  @Override
  public long pollWriteVectored(MemorySegment[] sources, Waker waker) throws IOException {
    return write(waker, (frame, fd) -> foreign.outAll(frame, sources));
  }

  private long write(@Nullable Waker waker, DescriptorCall call) throws IOException {
    return result("write", poll(false, waker, call));
  }

  private static long result(String what, long n) throws IOException {
    if (n == -Errno.EAGAIN) {
      return PENDING;
    }
    if (n < 0) {
      throw PosixErrors.of(what, (int) -n);
    }
    return n;
  }

  @Override
  public void shutdownOutput() throws IOException {
    foreign.endOutput();
    if (foreign.isWriteOnly()) {
      close();
    }
  }
}
