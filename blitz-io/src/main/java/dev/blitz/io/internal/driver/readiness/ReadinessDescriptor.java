package dev.blitz.io.internal.driver.readiness;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.DescriptorEndpoint;
import dev.blitz.io.internal.driver.posix.PosixErrors;
import dev.blitz.io.internal.driver.socket.ForeignDescriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A descriptor of another maker. Of such a one only EAGAIN says that nothing is left. */
final class ReadinessDescriptor extends ReadinessEndpoint implements DescriptorEndpoint {
  private static final int READ_INTEREST = EventBits.READABLE | EventBits.PEER_ENDED;

  private final ForeignDescriptor foreign;
  private final IoCall read;
  private final IoCall readAll;
  private final IoCall write;
  private final IoCall writeAll;
  private final IoCall askReadable;
  private final IoCall askWritable;

  ReadinessDescriptor(ReadinessDriver driver, ForeignDescriptor foreign) {
    super(driver, foreign, READ_INTEREST, EventBits.WRITABLE);
    this.foreign = foreign;
    read = (frame, fd, one, many) -> foreign.in(frame, one);
    readAll = (frame, fd, one, many) -> foreign.inAll(frame, many);
    write = (frame, fd, one, many) -> foreign.out(frame, one);
    writeAll = (frame, fd, one, many) -> foreign.outAll(frame, many);
    askReadable = (frame, fd, one, many) -> foreign.readiness(frame, READ_INTEREST);
    askWritable = (frame, fd, one, many) -> foreign.readiness(frame, EventBits.WRITABLE);
  }

  @Override
  public boolean pollReadable(Waker waker) throws IOException {
    return result("poll", pollIo(reading, waker, askReadable, NO_BUFFER, NONE, 0)) != PENDING;
  }

  @Override
  public boolean pollWritable(Waker waker) throws IOException {
    return result("poll", pollIo(writing, waker, askWritable, NO_BUFFER, NONE, 0)) != PENDING;
  }

  @Override
  public int pollRead(ByteBuffer target, @Nullable Waker waker) throws IOException {
    return (int) orEnd(result("read", pollIo(reading, waker, read, target, NONE, 0)));
  }

  @Override
  public long pollReadVectored(MemorySegment[] targets, Waker waker) throws IOException {
    return orEnd(result("read", pollIo(reading, waker, readAll, NO_BUFFER, targets, 0)));
  }

  private static long orEnd(long n) {
    return n == 0 ? EOF : n;
  }

  @Override
  public int pollWrite(ByteBuffer source, @Nullable Waker waker) throws IOException {
    return (int) result("write", pollIo(writing, waker, write, source, NONE, 0));
  }

  @Override
  public long pollWriteVectored(MemorySegment[] sources, Waker waker) throws IOException {
    return result("write", pollIo(writing, waker, writeAll, NO_BUFFER, sources, 0));
  }

  private static long result(String what, long n) throws IOException {
    if (n == MUST_WAIT) {
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

  /** It may stay open elsewhere: the kernel does not know by itself that this one is closed. */
  @Override
  protected void disarm() {
    Poller open = driver().sourceOrNull();
    if (open != null) {
      open.disarmShared(descriptor().number());
    }
    super.disarm();
  }
}
