package dev.blitz.io.internal.file;

import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file by its number. Only what has offsets: a call that waits for the other end of a pipe would
 * not be ended by a close.
 */
final class NativeChannel implements LaneChannel {
  private final Path path;
  private final int fd;
  private final NowReads now;

  /** The same file, not direct; {@code fd} itself if that is not. */
  private final int plain;

  private final boolean append;

  private NativeChannel(Path path, int fd, int plain, boolean append) {
    this.path = path;
    this.fd = fd;
    this.plain = plain;
    this.append = append;
    now = new NowReads(fd);
  }

  /**
   * Opens a file; null if it is neither a file nor a directory, and so to be opened by the JDK.
   * Looks before: to open a FIFO and close it again would be noticed by its other end.
   */
  static @Nullable NativeChannel open(Path path, PathBytes name, OpenMode mode, String architecture)
      throws FileSystemException {
    CallFrame frame = CallFrame.take();
    try {
      MemorySegment memory = name.copyTo(frame.staging());
      if (!isOrdinary(FileCalls.fileType(frame, memory, mode.followsLinks()))) {
        return null;
      }
      int flags = mode.flags(architecture) | PosixAbi.O_NONBLOCK;
      int fd = PosixCalls.open(frame, memory, flags, mode.permissions());
      if (fd == -Errno.ENXIO || fd == -Errno.EAGAIN) {
        return null; // a FIFO by now, or somebody's lease, which is waited for
      }
      if (fd < 0) {
        throw mode.failure(-fd, "", path);
      }
      return opened(frame, path, fd, mode);
    } finally {
      frame.giveBack();
    }
  }

  private static @Nullable NativeChannel opened(CallFrame frame, Path path, int fd, OpenMode mode)
      throws FileSystemException {
    int plain = fd;
    boolean kept = false;
    try {
      if (!isOrdinary(PosixCalls.fileType(frame, fd)) || !FileCalls.setBlocking(frame, fd)) {
        return null;
      }
      if (mode.direct()) {
        plain = FileCalls.reopen(frame, fd, mode.plainFlags());
        if (plain < 0) {
          throw mode.failure(-plain, "", path);
        }
      }
      var channel = new NativeChannel(path, fd, plain, mode.appends());
      kept = true;
      return channel;
    } finally {
      if (!kept) {
        PosixCalls.close(fd);
        if (plain >= 0 && plain != fd) {
          PosixCalls.close(plain);
        }
      }
    }
  }

  /** A failure is told by the open that follows. */
  private static boolean isOrdinary(int type) {
    return type < 0 || type == PosixAbi.S_IFREG || type == PosixAbi.S_IFDIR;
  }

  private long checked(long answer) throws FileSystemException {
    if (answer < 0) {
      throw new FileSystemException(path.toString(), null, Errno.describe((int) -answer));
    }
    return answer;
  }

  @Override
  public boolean isSeekable() {
    return true;
  }

  @Override
  public boolean isDirect() {
    return plain != fd;
  }

  @Override
  public int number() {
    return isDirect() ? -1 : fd;
  }

  int fd() {
    return fd;
  }

  int plain() {
    return plain;
  }

  @Override
  public int readNow(ByteBuffer target, long position) {
    return now.read(target, position);
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    int n = (int) checked(FileCalls.read(fd, target, position));
    target.position(target.position() + n);
    return n == 0 && target.hasRemaining() ? FileOperation.EOF : n;
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    boolean whole = !append && DirectAccess.isWhole(position, source.remaining());
    int n = (int) checked(FileCalls.write(whole ? fd : plain, source, position));
    source.position(source.position() + n);
    return n;
  }

  @Override
  public void force(boolean metadata) throws IOException {
    checked(FileCalls.force(fd, metadata));
  }

  @Override
  public void setLength(long length) throws IOException {
    checked(FileCalls.setLength(fd, length));
  }

  @Override
  public long size() throws IOException {
    return checked(FileCalls.size(fd));
  }

  @Override
  public MemorySegment map(LaneMap.Mapping mapping) throws IOException {
    return map(path, plain, mapping);
  }

  /** The JDK maps what it has opened itself; what is mapped stays when that is closed. */
  static MemorySegment map(Path path, int fd, LaneMap.Mapping mapping) throws IOException {
    try (FileChannel again = openAgain(path, fd)) {
      return mapping.of(again);
    }
  }

  private static FileChannel openAgain(Path path, int fd) throws IOException {
    try {
      return FileChannel.open(Path.of("/proc/self/fd/" + fd), StandardOpenOption.READ);
    } catch (AccessDeniedException e) {
      throw new AccessDeniedException(path.toString());
    } catch (FileSystemException e) {
      throw new FileSystemException(path.toString(), null, e.getReason());
    }
  }

  @Override
  public boolean tryLock(RangeLock range) throws IOException {
    return NativeLocks.tryLock(fd, range);
  }

  @Override
  public void unlock(RangeLock range) throws IOException {
    NativeLocks.unlock(fd, range);
  }

  @Override
  public void close() {
    if (isDirect()) {
      PosixCalls.close(plain);
    }
    PosixCalls.close(fd);
  }
}
