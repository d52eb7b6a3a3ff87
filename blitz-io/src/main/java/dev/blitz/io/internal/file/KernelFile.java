package dev.blitz.io.internal.file;

import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.KernelRequest;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A file whose operations the kernel does. */
final class KernelFile extends OpenFile {
  private final KernelFiles files;
  private final int fd;
  private final boolean seekable;
  private final NowReads now;

  /** The same file, not direct; {@code fd} itself if that is not. */
  private final int plain;

  private final boolean append;

  /** Owns {@code fd}. */
  KernelFile(KernelFiles files, Path path, int fd) {
    this(files, path, fd, fd, false);
  }

  /** Owns both; {@code append}: whether each write goes to the end. */
  KernelFile(KernelFiles files, Path path, int fd, int plain, boolean append) {
    super(path, files.registry());
    this.plain = plain;
    this.append = append;
    this.files = files;
    this.fd = fd;
    seekable = FileCalls.isSeekable(fd);
    now = new NowReads(fd);
  }

  @Override
  public int number() {
    return seekable && !isDirect() ? fd : -1;
  }

  private boolean isDirect() {
    return plain != fd;
  }

  @Override
  LaneFiles lane() {
    return files.lane();
  }

  @Override
  MemorySegment mapNow(LaneMap.Mapping mapping) throws IOException {
    return NativeChannel.map(path(), plain, mapping);
  }

  @Override
  boolean tryLockNow(RangeLock range) throws IOException {
    return NativeLocks.tryLock(fd, range);
  }

  @Override
  void unlockNow(RangeLock range) throws IOException {
    NativeLocks.unlock(fd, range);
  }

  @Override
  public boolean isSeekable() {
    return seekable;
  }

  /** Whether it is an end of a pipe. */
  boolean isPipe() {
    CallFrame frame = CallFrame.take();
    try {
      return PosixCalls.fileType(frame, fd) == PosixAbi.S_IFIFO;
    } finally {
      frame.giveBack();
    }
  }

  /** Opens both ends of this FIFO, which waits for nobody, and for which nobody waits any more. */
  FileChannel openBothEnds() throws IOException {
    return FileChannel.open(
        Path.of("/proc/self/fd/" + fd), StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /** What it was opened with is for the open alone; {@code plain}: it was nothing else. */
  void setBlocking(boolean plain) {
    CallFrame frame = CallFrame.take();
    try {
      if (plain) {
        FileCalls.setPlain(frame, fd);
      } else {
        FileCalls.setBlocking(frame, fd);
      }
    } finally {
      frame.giveBack();
    }
  }

  /** The kernel has the file for as long as an operation has, and is told to end it. */
  @Override
  protected boolean isClosedAtOnce() {
    return false;
  }

  @Override
  protected void closeDescriptor() {
    if (isDirect()) {
      files.close(plain);
    }
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

    final KernelRequest request(int opcode, int number, long position, ByteBuffer bytes) {
      return new KernelRequest(
          opcode,
          number,
          seekable ? position : FileAbi.OWN_POSITION,
          KernelFiles.address(bytes) + bytes.position(),
          bytes.remaining(),
          0);
    }
  }

  // --- Bytes ---

  @Override
  public int readNow(ByteBuffer target, long position) {
    StackRoom.forCalls(); // to let go of what is in use, and to close it
    if (number() < 0 || !tryUse()) {
      return FileOperation.PENDING;
    }
    try {
      return now.read(target, position);
    } finally {
      release();
    }
  }

  @Override
  public FileOperation read(int length, long position) throws IOException {
    if (isDirect()) {
      long floor = DirectAccess.floor(position);
      int skipped = (int) (position - floor);
      return read(
          new Read(floor, skipped, skipped + length, true), DirectAccess.ceiling(skipped + length));
    }
    boolean waits = seekable && now.takeLack(position, length);
    return read(new Read(position, 0, length, waits), length);
  }

  private FileOperation read(Read read, int length) throws IOException {
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
    private final int skipped;
    private final int end;
    private final boolean waits;

    /**
     * Hands out what is between {@code skipped} and {@code end} of what it reads.
     *
     * @param waits whether a disk will be waited for
     */
    Read(long position, int skipped, int end, boolean waits) {
      super("read");
      this.waits = waits;
      this.position = position;
      this.skipped = skipped;
      this.end = end;
    }

    @Override
    KernelRequest first() {
      return request(FileAbi.OP_READ, fd, position, memory());
    }

    @Override
    boolean goesAtOnce() {
      return waits;
    }

    @Override
    void finished(int answer) {
      int limit = Math.max(Math.min(answer, end), skipped);
      memory().position(0).limit(limit).position(skipped);
    }

    @Override
    long value(int answer) {
      int n = Math.min(answer, end) - skipped;
      return n <= 0 ? EOF : n;
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
      long at = position + memory().position();
      boolean whole = !append && DirectAccess.isWhole(at, memory().remaining());
      return request(FileAbi.OP_WRITE, whole ? fd : plain, at, memory());
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

  /** Ends when there is something to be read, or somebody has been there to write. */
  FileOperation awaitWriter() throws IOException {
    var wait =
        new Step(
            "open", false, new KernelRequest(FileAbi.OP_POLL_ADD, fd, 0, 0, 0, PosixAbi.POLLIN));
    begin(wait);
    return begun(wait);
  }

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
