package dev.blitz.io.internal.file;

import dev.blitz.io.internal.driver.posix.Errno;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import org.jspecify.annotations.Nullable;

/**
 * Copies from one file to another: inside the kernel, where the two file systems let it, else
 * through memory. The result is how many bytes; fewer than wanted if the one has become shorter.
 */
final class LaneCopy extends LaneOperation {
  private final LaneFiles lane;
  private final OpenFile source;
  private final OpenFile target;
  private final int from;
  private final int to;
  private final long sourcePosition;
  private final long targetPosition;
  private final long length;

  /** {@code source} is in use until it is over. */
  LaneCopy(
      LaneFiles lane,
      OpenFile source,
      long sourcePosition,
      OpenFile target,
      long targetPosition,
      long length) {
    super(lane, target, "copy");
    this.lane = lane;
    this.source = source;
    this.target = target;
    this.from = source.number();
    this.to = target.number();
    this.sourcePosition = sourcePosition;
    this.targetPosition = targetPosition;
    this.length = length;
  }

  @Override
  long run() throws IOException {
    long done = 0;
    while (done < length) {
      long n =
          FileCalls.copy(from, sourcePosition + done, to, targetPosition + done, length - done);
      if (n == 0) {
        break;
      }
      if (n < 0) {
        return isRefusal((int) -n) ? throughMemory(done) : failed(source, target, -n);
      }
      done += n;
    }
    return done;
  }

  /** As {@code man copy_file_range} has them, of what only this call cannot do. */
  private static boolean isRefusal(int errno) {
    return switch (errno) {
      case Errno.EXDEV, Errno.EINVAL, Errno.ENOSYS, Errno.EOPNOTSUPP, Errno.EPERM, Errno.EBADF ->
          true;
      default -> false;
    };
  }

  /** Where the system does not say whose failure it is both are named. */
  private static long failed(OpenFile file, @Nullable OpenFile other, long errno)
      throws FileSystemException {
    throw new FileSystemException(
        file.path().toString(),
        other == null ? null : other.path().toString(),
        Errno.describe((int) errno));
  }

  private long throughMemory(long before) throws IOException {
    ByteBuffer memory = lane.staging().take(FileTuning.mostBytes());
    try {
      long done = before;
      while (done < length) {
        memory.clear().limit((int) Math.min(memory.capacity(), length - done));
        long n = FileCalls.read(from, memory, sourcePosition + done);
        if (n == 0) {
          break;
        }
        if (n < 0) {
          return failed(source, null, -n);
        }
        for (memory.limit((int) n); memory.hasRemaining(); ) {
          long written = FileCalls.write(to, memory, targetPosition + done);
          if (written < 0) {
            return failed(target, null, -written);
          }
          memory.position(memory.position() + (int) written);
          done += written;
        }
      }
      return done;
    } finally {
      lane.staging().giveBack(memory);
    }
  }

  @Override
  protected boolean changesFile() {
    return true;
  }

  @Override
  void over() {
    source.release();
  }

  @Override
  protected void giveBack() {}

  @Override
  public ByteBuffer bytes() {
    throw new UnsupportedOperationException("no bytes");
  }
}
