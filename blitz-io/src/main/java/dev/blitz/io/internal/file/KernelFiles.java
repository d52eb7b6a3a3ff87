package dev.blitz.io.internal.file;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.driver.EndpointRegistry;
import dev.blitz.io.internal.driver.KernelCall;
import dev.blitz.io.internal.driver.KernelCalls;
import dev.blitz.io.internal.driver.KernelRequest;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Files by the kernel's own operations. What it has none for, and paths of other file systems, are
 * the lane's.
 */
public final class KernelFiles implements FileDriver {
  private static final int DEFAULT_MODE = 0777;

  private final LaneFiles lane;
  private final KernelCalls calls;
  private final String architecture;

  /** {@code lane}: what does the rest. */
  public KernelFiles(LaneFiles lane, KernelCalls calls) {
    this.lane = lane;
    this.calls = calls;
    this.architecture = lane.architecture();
  }

  /** Whether the kernel knows all that is needed. */
  public static boolean isServedBy(KernelCalls calls) {
    return calls.knows(FileAbi.OP_OPENAT)
        && calls.knows(FileAbi.OP_CLOSE)
        && calls.knows(FileAbi.OP_STATX)
        && calls.knows(FileAbi.OP_POLL_ADD)
        && calls.knows(FileAbi.OP_READ)
        && calls.knows(FileAbi.OP_WRITE)
        && calls.knows(FileAbi.OP_FSYNC);
  }

  LaneFiles lane() {
    return lane;
  }

  KernelCalls calls() {
    return calls;
  }

  StagingBuffers staging() {
    return lane.staging();
  }

  EndpointRegistry<OpenFile> registry() {
    return lane.registry();
  }

  static long address(ByteBuffer buffer) {
    return MemorySegment.ofBuffer(buffer.duplicate().clear()).address();
  }

  /** Closes a number, once; by the kernel, by a thread that may wait, or else by this one. */
  void close(int fd) {
    KernelCall close;
    try {
      close = new Close(fd);
      calls.submit(close);
    } catch (IOException | RuntimeException | Error e) {
      closeOnLane(fd);
      return;
    }
    close.drop();
  }

  private void closeOnLane(int fd) {
    Runnable close;
    try {
      close = () -> PosixCalls.close(fd);
    } catch (OutOfMemoryError e) {
      PosixCalls.close(fd); // takes none
      return;
    }
    lane.release(close);
  }

  /** Nobody waits for it. */
  private static final class Close extends KernelCall {
    private final int fd;

    Close(int fd) {
      super(new KernelRequest(FileAbi.OP_CLOSE, fd, 0, 0, 0, 0), null, null);
      this.fd = fd;
    }

    /** One that was cancelled, with its runtime, has not been done. */
    @Override
    protected void abandoned(int result) {
      if (result == -Errno.ECANCELED && !isMemoryLost()) {
        PosixCalls.close(fd);
      }
    }
  }

  private @Nullable PathBytes bytes(int opcode, Path path) {
    return calls.knows(opcode) ? PathBytes.of(path) : null;
  }

  // --- FileDriver ---

  @Override
  public IoFuture<OpenFile> open(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
    PathBytes bytes = PathBytes.of(path);
    OpenMode mode = OpenMode.of(options, attributes);
    if (bytes == null || mode == null) {
      return lane.open(path, options, attributes);
    }
    if (mode.direct()) {
      return lane.openDirect(
          path,
          bytes,
          mode,
          channel -> new KernelFile(this, path, channel.fd(), channel.plain(), mode.appends()));
    }
    IoFuture<PathOperations.Opened> atOnce =
        new OperationFuture<PathOperations.Opened, PathOperations.Open>() {
          @Override
          protected PathOperations.Open begin() throws IOException {
            return PathOperations.begun(
                new PathOperations.Open(
                    KernelFiles.this, path, bytes, mode.flags(architecture), mode));
          }

          @Override
          protected PathOperations.Opened value(PathOperations.Open opened) throws IOException {
            return opened.opened();
          }

          @Override
          public String toString() {
            return "the open of " + path;
          }
        };
    IoFuture<PathOperations.Opened> first =
        mode.onlyReads()
            ? new FirstLook<>(() -> openedNow(path, bytes, mode), () -> atOnce)
            : atOnce;
    return first.andThen(opened -> {
      OpenFile file = opened.file();
      if (file == null) {
        return lane.open(path, options, attributes);
      }
      try {
        return opened.waits() ? whenWritten(file, options) : Futures.ready(file);
      } catch (Throwable t) {
        file.discard(); // there is no memory to hand it on
        throw t;
      }
    });
  }

  /** Of a file that is there, where that can be told; null if not. */
  private PathOperations.@Nullable Opened openedNow(Path path, PathBytes bytes, OpenMode mode)
      throws IOException {
    int fd = lane.quick().open(path, bytes, mode.flags(architecture));
    if (fd < 0) {
      return null;
    }
    PathOperations.Opened opened = null;
    try {
      opened = PathOperations.opened(this, path, fd, mode);
    } finally {
      if (opened == null) {
        close(fd);
      }
    }
    opened.adopted(); // or it is closed
    return opened;
  }

  private IoFuture<OpenFile> whenWritten(OpenFile fifo, Set<? extends OpenOption> options) {
    var gate = new FifoGate();
    return new FifoOpening((KernelFile) fifo, lane.openFifo(fifo.path(), options, gate), gate);
  }

  @Override
  public IoFuture<FileStatus> status(Path path, boolean followLinks) {
    PathBytes bytes = PathBytes.of(path);
    return bytes == null
        ? lane.status(path, followLinks)
        : lane.status(path, followLinks, () -> statusByKernel(path, bytes, followLinks));
  }

  private IoFuture<FileStatus> statusByKernel(Path path, PathBytes bytes, boolean followLinks) {
    return new OperationFuture<FileStatus, PathOperations.Status>() {
      @Override
      protected PathOperations.Status begin() throws IOException {
        return PathOperations.begun(
            new PathOperations.Status(KernelFiles.this, path, bytes, followLinks));
      }

      @Override
      protected FileStatus value(PathOperations.Status ended) {
        return ended.status();
      }

      @Override
      public String toString() {
        return "the stat of " + path;
      }
    };
  }

  @Override
  public IoFuture<byte[]> readAll(Path path, int limit, Call<byte[]> otherwise) {
    return lane.readAll(path, limit, otherwise);
  }

  @Override
  public IoFuture<DirectoryChanges> watch(Path directory) {
    return lane.watch(directory);
  }

  /** Makes an operation on names. */
  @FunctionalInterface
  private interface Maker {
    PathOperations.OnNames make();
  }

  private static IoFuture<Done> names(String operation, Path path, Maker maker) {
    return new OperationFuture<Done, PathOperations.OnNames>() {
      @Override
      protected PathOperations.OnNames begin() throws IOException {
        return PathOperations.begun(maker.make());
      }

      @Override
      protected Done value(PathOperations.OnNames ended) {
        return Done.DONE;
      }

      @Override
      public String toString() {
        return "the " + operation + " of " + path;
      }
    };
  }

  @Override
  public IoFuture<Done> createDirectory(Path directory, FileAttribute<?>... attributes) {
    PathBytes bytes = bytes(FileAbi.OP_MKDIRAT, directory);
    int mode = OpenMode.permissions(DEFAULT_MODE, attributes);
    return bytes == null || mode < 0
        ? lane.createDirectory(directory, attributes)
        : names(
            "create directory",
            directory,
            () -> new PathOperations.MakeDirectory(this, directory, bytes, mode));
  }

  @Override
  public IoFuture<Done> delete(Path path) {
    PathBytes bytes = bytes(FileAbi.OP_UNLINKAT, path);
    return bytes == null
        ? lane.delete(path)
        : names("delete", path, () -> new PathOperations.Delete(this, path, bytes));
  }

  @Override
  public IoFuture<Done> rename(Path source, Path target) {
    PathBytes from = bytes(FileAbi.OP_RENAMEAT, source);
    PathBytes to = PathBytes.of(target);
    return from == null || to == null
        ? lane.rename(source, target)
        : names("rename", source, () -> new PathOperations.Rename(this, source, from, target, to));
  }

  @Override
  public IoFuture<Done> link(Path link, Path existing) {
    PathBytes to = bytes(FileAbi.OP_LINKAT, link);
    PathBytes from = PathBytes.of(existing);
    return from == null || to == null
        ? lane.link(link, existing)
        : names("link", link, () -> new PathOperations.LinkTo(this, link, to, existing, from));
  }

  @Override
  public IoFuture<Done> symbolicLink(Path link, Path target) {
    PathBytes to = bytes(FileAbi.OP_SYMLINKAT, link);
    PathBytes from = PathBytes.asGiven(target);
    return from == null || to == null
        ? lane.symbolicLink(link, target)
        : names("symbolic link", link, () -> new PathOperations.SymbolicLink(this, link, to, from));
  }

  @Override
  public <T> IoFuture<T> call(
      String operation, Path path, Call<? extends T> call, Discard<? super T> discard) {
    return lane.call(operation, path, call, discard);
  }

  @Override
  public <T> IoFuture<T> callOpening(String operation, Path path, Call<? extends T> call) {
    return lane.callOpening(operation, path, call);
  }

  @Override
  public void release(Runnable call) {
    lane.release(call);
  }
}
