package dev.blitz.io.internal.file;

import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A pipe that was opened to be read, before there was perhaps anybody who writes. Read by one
 * thread to its end, which closes it; or closed before.
 */
final class HeldPipe {
  private final Path path;
  private final int fd;
  private final AtomicBoolean used = new AtomicBoolean();

  /** Owns {@code fd}, which does not block. */
  HeldPipe(Path path, int fd) {
    this.path = path;
    this.fd = fd;
  }

  /** Nobody will read it; nothing happens if somebody does. */
  void close() {
    if (used.compareAndSet(false, true)) {
      PosixCalls.close(fd);
    }
  }

  /** All that is written to it, from the first writer's coming to the last one's going; waits. */
  byte[] readAll(int limit) throws IOException {
    if (!used.compareAndSet(false, true)) {
      return new byte[0]; // nobody will see it
    }
    var all = new ByteArrayOutputStream();
    CallFrame frame = CallFrame.take();
    try {
      MemorySegment memory = frame.staging();
      for (; ; ) {
        checked(FileCalls.awaitReadable(frame, fd));
        int n = PosixCalls.read(frame, fd, memory, CallFrame.STAGING_BYTES);
        if (n == 0) {
          return all.toByteArray();
        }
        if (n != -Errno.EAGAIN) {
          all.writeBytes(PosixAbi.bytesAt(memory, checked(n)));
        }
        if (all.size() > limit) {
          throw tooLarge(path, limit);
        }
      }
    } finally {
      frame.giveBack();
      PosixCalls.close(fd);
    }
  }

  private int checked(int answer) throws FileSystemException {
    if (answer < 0) {
      throw new FileSystemException(path.toString(), null, Errno.describe(-answer));
    }
    return answer;
  }

  static FileSystemException tooLarge(Path path, int limit) {
    return new FileSystemException(
        path.toString(), null, "more than the limit of " + limit + " bytes");
  }
}
