package dev.blitz.io.internal.file;

import dev.blitz.io.internal.driver.KernelRequest;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file whose operations the kernel does. */
final class KernelFile extends OpenFile {
  private final KernelFiles files;
  private final int fd;
  private final boolean seekable;

  /** Whether the file system can tell what it has in memory; a wrong guess costs a call. */
  private volatile boolean tells = true;

  /** Owns {@code fd}. */
  KernelFile(KernelFiles files, Path path, int fd) {
    super(path, files.registry());
    this.files = files;
    this.fd = fd;
    seekable = FileCalls.isSeekable(fd);
  }

  @Override
  public boolean isSeekable() {
    return seekable;
  }

  /** The kernel has the file for as long as an operation has, and is told to end it. */
  @Override
  protected boolean isClosedAtOnce() {
    return false;
  }

  @Override
  protected void closeDescriptor() {
    files.close(fd);
  }

  private <O extends FileStep> O begun(O step) throws IOException {
    step.begin();
    return step;
  }

  /** An operation on this file. */
  private abstract class FileStep extends KernelOperation {
    FileStep(String operation) {
      super(KernelFile.this.files, KernelFile.this, operation);
    }

    @Override
    FileSystemException failure(int errno, String operation) {
      return KernelErrors.of(errno, operation, path().toString(), null);
    }

    @Override
    boolean mayWaitForEver() {
      return !seekable;
    }

    @Override
    protected boolean changesFile() {
      return false;
    }

    final KernelRequest request(int opcode, long position, ByteBuffer bytes) {
      return new KernelRequest(
          opcode,
          fd,
          seekable ? position : FileAbi.OWN_POSITION,
          KernelFiles.address(bytes) + bytes.position(),
          bytes.remaining(),
          0);
    }
  }

  // --- Bytes ---

  @Override
  public int readNow(ByteBuffer target, long position) throws IOException {
    if (!tells || !seekable || !tryUse()) {
      return FileOperation.PENDING;
    }
    try {
      CallFrame frame = CallFrame.take();
      try {
        return readNow(frame, target, position);
      } finally {
        frame.giveBack();
      }
    } finally {
      release();
    }
  }

  private int readNow(CallFrame frame, ByteBuffer target, long position) {
    boolean direct = target.isDirect();
    int length =
        Math.min(target.remaining(), direct ? FileTuning.mostBytes() : CallFrame.STAGING_BYTES);
    MemorySegment memory = direct ? MemorySegment.ofBuffer(target) : frame.staging();
    int n = FileCalls.readNow(frame, fd, memory, length, position);
    if (n < 0) {
      tells = n == -Errno.EAGAIN; // other failures are told by the operation that follows
      return FileOperation.PENDING;
    }
    if (n > 0 && !direct) {
      MemorySegment.copy(memory, 0, MemorySegment.ofBuffer(target), 0, n);
    }
    target.position(target.position() + n);
    return n == 0 ? FileOperation.EOF : n;
  }

  @Override
  public FileOperation read(int length, long position) throws IOException {
    var read = new Read(position);
    begin(read);
    take(read, length);
    return begun(read);
  }

  private void take(FileStep step, int length) {
    boolean taken = false;
    try {
      step.use(files.staging().take(length));
      taken = true;
    } finally {
      if (!taken) {
        step.notBegun();
      }
    }
  }

  private final class Read extends FileStep {
    private final long position;

    Read(long position) {
      super("read");
      this.position = position;
    }

    @Override
    KernelRequest first() {
      return request(FileAbi.OP_READ, position, memory());
    }

    @Override
    void finished(int answer) {
      memory().position(0).limit(Math.max(answer, 0));
    }

    @Override
    long value(int answer) {
      return answer == 0 ? EOF : answer;
    }
  }

  @Override
  public FileOperation write(ByteBuffer[] sources, long position) throws IOException {
    int[] before = Gather.positions(sources);
    var write = new Write(position);
    begin(write);
    boolean copied = false;
    try {
      write.use(Gather.from(sources, files.staging()));
      write.length = write.memory().remaining();
      copied = true;
      write.begin();
    } catch (Throwable t) {
      if (!copied) {
        write.notBegun();
      }
      Gather.rewind(sources, before);
      throw t;
    }
    return write;
  }

  private final class Write extends FileStep {
    private final long position;
    int length;

    Write(long position) {
      super("write");
      this.position = position;
    }

    @Override
    protected boolean changesFile() {
      return true;
    }

    @Override
    KernelRequest first() {
      return request(FileAbi.OP_WRITE, position + memory().position(), memory());
    }

    /** A short write, at a limit or before the disk is full: the rest is told by the next one. */
    @Override
    @Nullable KernelRequest next(int answer) {
      ByteBuffer rest = memory();
      if (answer > 0) {
        rest.position(rest.position() + answer);
      }
      return answer > 0 && rest.hasRemaining() ? first() : null;
    }

    @Override
    long value(int answer) {
      return length;
    }
  }

  // --- The file ---

  @Override
  public FileOperation force(boolean metadata) throws IOException {
    int flags = metadata ? 0 : FileAbi.FSYNC_DATASYNC;
    var force = new Step("force", false, new KernelRequest(FileAbi.OP_FSYNC, fd, 0, 0, 0, flags));
    begin(force);
    return begun(force);
  }

  @Override
  public FileOperation setLength(long length) throws IOException {
    if (!files.calls().knows(FileAbi.OP_FTRUNCATE)) {
      return setLengthOnLane(length);
    }
    var set =
        new Step("set length", true, new KernelRequest(FileAbi.OP_FTRUNCATE, fd, length, 0, 0, 0));
    begin(set);
    return begun(set);
  }

  private FileOperation setLengthOnLane(long length) throws IOException {
    var set =
        LaneStep.of(
            files.lane(),
            this,
            "set length",
            true,
            () -> {
              int r = FileCalls.setLength(fd, length);
              if (r < 0) {
                throw new FileSystemException(path().toString(), null, Errno.describe(-r));
              }
              return 0;
            });
    begin(set);
    set.begin();
    return set;
  }

  /** One call without memory. */
  private final class Step extends FileStep {
    private final boolean changes;
    private final KernelRequest request;

    Step(String operation, boolean changes, KernelRequest request) {
      super(operation);
      this.changes = changes;
      this.request = request;
    }

    @Override
    protected boolean changesFile() {
      return changes;
    }

    @Override
    KernelRequest first() {
      return request;
    }
  }

  @Override
  public FileOperation size() throws IOException {
    var size = new Size();
    begin(size);
    take(size, FileAbi.STATX_BYTES + Long.BYTES);
    return begun(size);
  }

  /** What the system knows of the descriptor; the path is empty. */
  private final class Size extends FileStep {
    Size() {
      super("size");
    }

    @Override
    KernelRequest first() {
      long address = KernelFiles.address(memory());
      memory().put(FileAbi.STATX_BYTES, (byte) 0);
      return new KernelRequest(
          FileAbi.OP_STATX,
          fd,
          address,
          address + FileAbi.STATX_BYTES,
          FileAbi.STATX_SIZE,
          FileAbi.AT_EMPTY_PATH);
    }

    @Override
    long value(int answer) {
      return FileAbi.size(memory(), 0);
    }
  }
}
