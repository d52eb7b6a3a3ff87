package dev.blitz.io.internal.file;

import dev.blitz.io.internal.driver.KernelRequest;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The kernel's operations on names. */
final class PathOperations {
  private PathOperations() {}

  static <O extends OnNames> O begun(O operation) throws IOException {
    operation.take();
    operation.begin();
    return operation;
  }

  /** One or two names, in memory of the operation: first the result, then the names. */
  abstract static class OnNames extends KernelOperation {
    private static final int NAMES = FileAbi.STATX_BYTES;

    private final Path path;
    private final @Nullable Path other;
    private final PathBytes first;
    private final @Nullable PathBytes second;
    private int secondAt;

    OnNames(
        KernelFiles files,
        String operation,
        Path path,
        PathBytes first,
        @Nullable Path other,
        @Nullable PathBytes second) {
      super(files, null, operation);
      this.path = path;
      this.first = first;
      this.other = other;
      this.second = second;
    }

    final void take() {
      int length = NAMES + first.bytes().length + (second == null ? 0 : second.bytes().length);
      use(files.staging().take(length));
      secondAt = first.copyTo(memory(), NAMES);
      if (second != null) {
        second.copyTo(memory(), secondAt);
      }
    }

    final Path path() {
      return path;
    }

    final long resultAddress() {
      return KernelFiles.address(memory());
    }

    final long firstAddress() {
      return resultAddress() + NAMES;
    }

    final long secondAddress() {
      return resultAddress() + secondAt;
    }

    @Override
    protected final boolean changesFile() {
      return false;
    }

    @Override
    FileSystemException failure(int errno, String operation) {
      return KernelErrors.of(
          errno, operation, path.toString(), other == null ? null : other.toString());
    }
  }

  /**
   * What an open has brought.
   *
   * @param file null if nothing was opened, because it would have to wait
   * @param waits whether {@code file} is a FIFO that is read before somebody writes
   */
  record Opened(@Nullable OpenFile file, boolean waits) {
    void adopted() throws IOException {
      if (file != null) {
        file.adopted();
      }
    }
  }

  /**
   * What {@code fd} is, which belongs to that if this does not throw; not adopted yet. It never
   * waits for the other end of a FIFO: of one that is to be read only the number is there, one that
   * is to be written is refused until it is being read.
   */
  static Opened opened(KernelFiles files, Path path, int fd, OpenMode mode) {
    var file = new KernelFile(files, path, fd);
    boolean waits = !file.isSeekable() && mode.onlyReads() && file.isPipe();
    file.setBlocking(mode.onlyReads());
    return new Opened(file, waits); // nothing after it that may find no memory
  }

  /** Opens. */
  static final class Open extends OnNames {
    private final int flags;
    private final OpenMode mode;
    private boolean taken;

    Open(KernelFiles files, Path path, PathBytes bytes, int flags, OpenMode mode) {
      super(files, "open", path, bytes, null, null);
      this.flags = flags;
      this.mode = mode;
    }

    @Override
    KernelRequest first() {
      return new KernelRequest(
          FileAbi.OP_OPENAT,
          FileAbi.AT_FDCWD,
          0,
          firstAddress(),
          mode.permissions(),
          flags | PosixAbi.O_NONBLOCK);
    }

    /** What the kernel has said is an answer, also if it has refused. */
    @Override
    boolean isAnswer(int errno) {
      return errno == Errno.ENXIO || errno == Errno.EAGAIN;
    }

    Opened opened() throws IOException {
      int fd = answer();
      if (fd < 0) {
        return new Opened(null, false);
      }
      Opened opened = PathOperations.opened(files, path(), fd, mode);
      taken = true;
      opened.adopted(); // or it is closed
      return opened;
    }

    @Override
    void discard() {
      if (!taken && answer() >= 0) {
        files.close(answer());
      }
    }

    @Override
    FileSystemException failure(int errno, String operation) {
      return mode.failure(errno, operation, path());
    }
  }

  /** Asks for all that is known. */
  static final class Status extends OnNames {
    private final int flags;

    Status(KernelFiles files, Path path, PathBytes bytes, boolean followLinks) {
      super(files, "stat", path, bytes, null, null);
      flags = followLinks ? 0 : FileAbi.AT_SYMLINK_NOFOLLOW;
    }

    @Override
    KernelRequest first() {
      return new KernelRequest(
          FileAbi.OP_STATX,
          FileAbi.AT_FDCWD,
          resultAddress(),
          firstAddress(),
          FileAbi.STATX_ALL,
          flags);
    }

    FileStatus status() {
      return FileAbi.status(memory(), 0);
    }

    /** What is looked for below a file is not there, says the JDK of attributes, if of no else. */
    @Override
    FileSystemException failure(int errno, String operation) {
      return super.failure(errno == Errno.ENOTDIR ? Errno.ENOENT : errno, operation);
    }
  }

  /** Makes a directory. */
  static final class MakeDirectory extends OnNames {
    private final int mode;

    MakeDirectory(KernelFiles files, Path path, PathBytes bytes, int mode) {
      super(files, "create directory", path, bytes, null, null);
      this.mode = mode;
    }

    @Override
    KernelRequest first() {
      return new KernelRequest(FileAbi.OP_MKDIRAT, FileAbi.AT_FDCWD, 0, firstAddress(), mode, 0);
    }
  }

  /** Deletes a file; if it is a directory, that. */
  static final class Delete extends OnNames {
    private boolean directory;

    Delete(KernelFiles files, Path path, PathBytes bytes) {
      super(files, "delete", path, bytes, null, null);
    }

    @Override
    KernelRequest first() {
      return new KernelRequest(
          FileAbi.OP_UNLINKAT,
          FileAbi.AT_FDCWD,
          0,
          firstAddress(),
          0,
          directory ? FileAbi.AT_REMOVEDIR : 0);
    }

    @Override
    @Nullable KernelRequest next(int answer) {
      if (answer != -Errno.EISDIR || directory) {
        return null;
      }
      directory = true;
      return first();
    }

    @Override
    FileSystemException failure(int errno, String operation) {
      return directory && (errno == Errno.ENOTEMPTY || errno == Errno.EEXIST)
          ? new DirectoryNotEmptyException(path().toString())
          : super.failure(errno, operation);
    }
  }

  /** Renames. */
  static final class Rename extends OnNames {
    private final Path target;

    Rename(KernelFiles files, Path source, PathBytes from, Path target, PathBytes to) {
      super(files, "rename", source, from, target, to);
      this.target = target;
    }

    @Override
    KernelRequest first() {
      return new KernelRequest(
          FileAbi.OP_RENAMEAT,
          FileAbi.AT_FDCWD,
          secondAddress(),
          firstAddress(),
          FileAbi.AT_FDCWD,
          0);
    }

    @Override
    FileSystemException failure(int errno, String operation) {
      return errno == Errno.EXDEV
          ? new AtomicMoveNotSupportedException(
              path().toString(), target.toString(), operation + ": " + Errno.describe(errno))
          : super.failure(errno, operation);
    }
  }

  /** Gives a file another name. */
  static final class LinkTo extends OnNames {
    LinkTo(KernelFiles files, Path link, PathBytes to, Path existing, PathBytes from) {
      super(files, "link", link, to, existing, from);
    }

    @Override
    KernelRequest first() {
      return new KernelRequest(
          FileAbi.OP_LINKAT,
          FileAbi.AT_FDCWD,
          firstAddress(),
          secondAddress(),
          FileAbi.AT_FDCWD,
          0);
    }
  }

  /** Makes a name that leads to another. */
  static final class SymbolicLink extends OnNames {
    SymbolicLink(KernelFiles files, Path link, PathBytes to, PathBytes target) {
      super(files, "symbolic link", link, to, null, target);
    }

    @Override
    KernelRequest first() {
      return new KernelRequest(
          FileAbi.OP_SYMLINKAT, FileAbi.AT_FDCWD, firstAddress(), secondAddress(), 0, 0);
    }
  }
}
