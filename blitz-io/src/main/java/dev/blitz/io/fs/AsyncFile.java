package dev.blitz.io.fs;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.DirectInput;
import dev.blitz.io.bytes.GuardedStream;
import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.LostHandles;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.file.DirectAccess;
import dev.blitz.io.internal.file.FileOperation;
import dev.blitz.io.internal.file.Gather;
import dev.blitz.io.internal.file.OpenFile;
import dev.blitz.io.internal.wait.Watched;
import dev.blitz.io.stream.IoSource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file that is open. It is a stream of bytes as others are, with a position that reads and writes
 * share and move on; and it is read and written at any place, by any number of tasks at once
 * ({@link #readAt}, {@link #writeAllAt}). No operation blocks a worker.
 *
 * {@snippet :
 * try (var in = AsyncFile.open(a).await(); var out = AsyncFile.create(b).await()) {
 *   var buffer = ByteBuffer.allocateDirect(1 << 16);
 *   while (in.read(buffer.clear()).await() >= 0) {
 *     out.writeAll(buffer.flip()).await();
 *   }
 * }
 * byte[] config = AsyncFile.readAll(path).await();
 * }
 *
 * <p>An operation may be dropped at any time, and never holds the caller's memory while it waits. A
 * dropped read has moved nothing. A dropped write has taken what the buffer's position says, and
 * writes that; later operations of this file come after it. Operations move up to 256 KB at a time;
 * what reads or writes all of something repeats them.
 *
 * <p>{@link #write}, {@link #writeAll} and their like have ended when the bytes are in the file.
 * Whoever writes through {@link #pollWrite} or a half has to {@linkplain #flush() flush}: until
 * then bytes are on their way. {@link #force} makes them last.
 *
 * <p>Closing never waits. Bytes that were taken are still written. {@link #tryRead} finds something
 * only where the system can tell that no disk has to be waited for.
 */
/* Implementation notes
 *
 *   field      | who                                       | mode
 *   position   | both sides, position(long)                | volatile; a read moves it by CAS from where it was read
 *   reading    | the owner of the reading side             | plain; Side has the edges
 *   writing, copying | the owner of the writing side       | plain
 *   inputEnded, outputEnded                                | volatile, only ever set
 *
 * It stays one class because both sides share the position; what needs none (Positioned, Steps, LockFuture, WholeFiles) is elsewhere, and only named here.
 */
public final class AsyncFile extends GuardedStream {
  private static final VarHandle POSITION =
      Fields.of(MethodHandles.lookup(), "position", long.class);

  private final OpenFile file;
  private final boolean readable;
  private final boolean writable;
  private final boolean append;
  private final Cleaner.Cleanable lost;

  private volatile long position;

  private final OpenFile.StragglerWait readerWait = new OpenFile.StragglerWait();
  private @Nullable FileOperation reading;
  private long readingAt;
  private volatile boolean inputEnded;

  private final OpenFile.StragglerWait writerWait = new OpenFile.StragglerWait();
  private @Nullable FileOperation writing;
  private @Nullable Copying copying;
  private volatile boolean outputEnded;

  /**
   * What {@link #writing} copies from another file. The positions of both have been moved on.
   *
   * @param from the other file
   * @param start where in it
   * @param at where in this one
   * @param length how many bytes, if the other one does not become shorter
   */
  private record Copying(AsyncFile from, long start, long at, long length) {}

  private AsyncFile(OpenFile file, Set<? extends OpenOption> options) {
    this.file = file;
    append = options.contains(StandardOpenOption.APPEND);
    writable = append || options.contains(StandardOpenOption.WRITE);
    readable = !writable || options.contains(StandardOpenOption.READ);
    lost = LostHandles.watch(this, file, "AsyncFile");
  }

  /** The owner of {@code file}, which is closed if there is no memory for one. */
  private static AsyncFile owning(OpenFile file, Set<? extends OpenOption> options) {
    try {
      return new AsyncFile(file, options);
    } catch (Throwable t) {
      file.close();
      throw t;
    }
  }

  // --- Opening ---

  /**
   * Opens a file; without options, for reading. Options are those of {@link
   * java.nio.channels.FileChannel#open}, see {@link StandardOpenOption}, and {@link FileOption}.
   *
   * <p>The file belongs to the runtime of the task that makes this future, or, if it is made
   * elsewhere, of the one that polls it first, and is closed with it.
   */
  @CheckReturnValue
  public static IoFuture<AsyncFile> open(Path path, OpenOption... options) {
    return open(path, Set.of(options));
  }

  /**
   * As {@link #open(Path, OpenOption...)}; a file that is made has these attributes, such as {@link
   * java.nio.file.attribute.PosixFilePermissions#asFileAttribute}.
   */
  @CheckReturnValue
  public static IoFuture<AsyncFile> open(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
    Objects.requireNonNull(path, "path");
    Set<OpenOption> wanted = Set.copyOf(options);
    FileAttribute<?>[] given = attributes.clone();
    return FileHost.watched(
        files -> files.open(path, known(wanted), given).map(file -> owning(file, wanted)));
  }

  private static Set<OpenOption> known(Set<OpenOption> options) {
    if (!options.contains(FileOption.DIRECT)) {
      return options;
    }
    Set<OpenOption> known = new HashSet<>(options);
    known.remove(FileOption.DIRECT);
    known.add(DirectAccess.DIRECT);
    return known;
  }

  static FileHost<AsyncFile> opening(Path path) {
    return FileHost.on(files -> files.open(path, Set.of()).map(file -> owning(file, Set.of())));
  }

  /** Opens a file for writing that is empty: one that is there is cut off, else one is made. */
  @CheckReturnValue
  public static IoFuture<AsyncFile> create(Path path, FileAttribute<?>... attributes) {
    return open(
        path,
        Set.of(
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE),
        attributes);
  }

  // --- Whole files ---

  /**
   * All bytes of a file.
   *
   * @see #readAll(Path, int)
   */
  @CheckReturnValue
  public static IoFuture<byte[]> readAll(Path path) {
    return readAll(path, WholeFiles.MOST_BYTES);
  }

  /**
   * All bytes of a file that has no more than {@code limit}; else it fails with a {@link
   * java.nio.file.FileSystemException} that says so, and has not read it all.
   */
  @CheckReturnValue
  public static IoFuture<byte[]> readAll(Path path, int limit) {
    Objects.requireNonNull(path, "path");
    WholeFiles.checkLimit(limit);
    return FileHost.watched(files -> WholeFiles.read(files, path, limit));
  }

  /**
   * The text of a file in UTF-8; malformed bytes fail as {@link java.nio.file.Files#readString}.
   */
  @CheckReturnValue
  public static IoFuture<String> readText(Path path) {
    return readText(path, StandardCharsets.UTF_8);
  }

  /** The text of a file. */
  @CheckReturnValue
  public static IoFuture<String> readText(Path path, Charset charset) {
    Objects.requireNonNull(charset, "charset");
    return readAll(path).map(bytes -> WholeFiles.decode(bytes, charset));
  }

  /**
   * The lines of a file in UTF-8, one after the other, never more than a buffer of it in memory.
   * The file is opened with the first of them.
   *
   * {@snippet :
   * try (var lines = AsyncFile.lines(path)) {
   *   for (String line : lines) {
   *     if (line.contains("ERROR")) errors++;
   *   }
   * }
   * }
   *
   * <p>A line ends with {@code \n} or {@code \r\n}, or with the file. One with more than a mebibyte
   * fails with a {@link java.nio.file.FileSystemException}; malformed bytes with a {@link
   * java.nio.charset.MalformedInputException}.
   */
  public static IoSource<String> lines(Path path) {
    return lines(path, StandardCharsets.UTF_8, FileLines.MOST_BYTES);
  }

  /**
   * As {@link #lines(Path)}.
   *
   * @param charset in which a line's end is a byte of its own: UTF-8, or one with a byte for each
   *     character
   * @param limit the most bytes of a line, without its ending
   */
  public static IoSource<String> lines(Path path, Charset charset, int limit) {
    return new FileLines(path, charset, limit);
  }

  /** Makes {@code bytes} all that is in a file, which is made if there is none. */
  @CheckReturnValue
  public static IoFuture<Done> overwrite(Path path, byte[] bytes) {
    return WholeFiles.write(
        path,
        bytes,
        Set.of(
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE));
  }

  /** Adds {@code bytes} to the end of a file, which is made if there is none. */
  @CheckReturnValue
  public static IoFuture<Done> append(Path path, byte[] bytes) {
    return WholeFiles.write(
        path, bytes, Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND));
  }

  /**
   * Puts a new file with {@code bytes} in the place of an old one, or where there was none, at
   * once: whoever opens it sees all of the old or all of the new, also after a failure of the
   * machine. It is written beside it, forced, and renamed. It has the permissions of the old one.
   */
  @CheckReturnValue
  public static IoFuture<Done> replace(Path path, byte[] bytes) {
    Objects.requireNonNull(path, "path");
    byte[] copy = bytes.clone();
    return FileHost.watched(files -> Replacement.of(files, path, copy));
  }

  // --- One after the other ---

  @Override
  protected int doRead(Context cx, ByteBuffer target) throws IOException {
    return readInto(cx, target);
  }

  @Override
  protected long doReadVectored(Context cx, ByteBuffer... targets) throws IOException {
    return readInto(cx, targets);
  }

  private int readInto(Context cx, ByteBuffer... targets) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    requireReadable();
    if (reading == null) {
      requireOpen();
    }
    int wanted = Gather.remaining(targets);
    if (wanted == 0 || inputEnded) {
      return wanted == 0 ? 0 : EOF;
    }
    for (; ; ) {
      FileOperation now = reading;
      if (now == null) {
        if (!file.awaitStragglers(readerWait, cx.waker())) {
          cx.refund();
          return PENDING;
        }
        long at = position;
        int n = targets.length == 1 ? readNow(targets[0], at) : PENDING;
        if (n != PENDING) {
          return n;
        }
        now = file.read(wanted, at);
        readingAt = at;
        reading = now;
      }
      long n = pollRead(now, cx);
      if (n == PENDING) {
        cx.refund();
        return PENDING;
      }
      if (!file.isSeekable()) {
        return n < 0 ? ended(now) : handOut(now, targets);
      }
      reading = null;
      try {
        if (n < 0 && position == readingAt) {
          return EOF;
        }
        int moved = Math.min(now.bytes().remaining(), wanted);
        if (n >= 0 && POSITION.compareAndSet(this, readingAt, readingAt + moved)) {
          copyOrStay(now, moved, targets);
          return moved;
        } // else it has been moved meanwhile: once more, from there
      } finally {
        now.release();
      }
    }
  }

  /** What can be had without waiting; PENDING if there may be more to be had by an operation. */
  private int readNow(ByteBuffer target, long at) throws IOException {
    int before = target.position();
    int n = file.readNow(target, at);
    if (n > 0 ? POSITION.compareAndSet(this, at, at + n) : position == at) {
      return n;
    }
    target.position(before); // the position was moved meanwhile
    return PENDING;
  }

  private long pollRead(FileOperation operation, Context cx) throws IOException {
    boolean failed = true;
    try {
      long n = operation.poll(cx.waker());
      failed = false;
      return n;
    } finally {
      if (failed) {
        operation.abandon();
        reading = null;
      }
    }
  }

  /** The position has been moved: back, if the bytes cannot be handed out. */
  private void copyOrStay(FileOperation operation, int moved, ByteBuffer... targets) {
    boolean copied = false;
    try {
      Gather.into(targets, operation.bytes());
      copied = true;
    } finally {
      if (!copied) {
        POSITION.compareAndSet(this, readingAt + moved, readingAt);
      }
    }
  }

  /** Of what has no offsets: what does not fit stays for the next read. */
  private int handOut(FileOperation operation, ByteBuffer... targets) {
    int n = Gather.into(targets, operation.bytes());
    if (!operation.bytes().hasRemaining()) {
      reading = null;
      operation.release();
    }
    return n;
  }

  private int ended(FileOperation operation) {
    reading = null;
    operation.release();
    return EOF;
  }

  @Override
  public void forgetRead() {
    FileOperation now = reading;
    if (now != null) {
      if (file.isSeekable()) {
        now.abandon(); // at the end of the stack it overflows before it has done anything
        reading = null;
      } else {
        now.forget();
      }
    }
    file.forget(readerWait);
  }

  @Override
  protected int doWrite(Context cx, ByteBuffer source) throws IOException {
    return writeFrom(cx, source);
  }

  @Override
  protected long doWriteVectored(Context cx, ByteBuffer... sources) throws IOException {
    return writeFrom(cx, sources);
  }

  private int writeFrom(Context cx, ByteBuffer... sources) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    requireWritable();
    boolean written = pollWritten(cx);
    requireOpenToWrite();
    if (!written || !file.awaitStragglers(writerWait, cx.waker())) {
      cx.refund();
      return PENDING;
    }
    int wanted = Gather.remaining(sources);
    if (wanted > 0) {
      long at = position;
      writing = file.write(sources, at);
      if (!append) {
        POSITION.compareAndSet(this, at, behind(at, wanted)); // else somebody has set it meanwhile
      }
    }
    return wanted;
  }

  /** No position is behind the last one: what is written there fails. */
  private static long behind(long at, long length) {
    return at + Math.min(length, Long.MAX_VALUE - at);
  }

  /** Whether the bytes that were taken last are in the file. */
  private boolean pollWritten(Context cx) throws IOException {
    return writing == null || pollWriting(writing, cx) != PENDING;
  }

  private long pollWriting(FileOperation now, Context cx) throws IOException {
    boolean ends = true;
    try {
      long result = now.poll(cx.waker());
      ends = result != PENDING;
      return result;
    } finally {
      if (ends) {
        now.abandon();
        writing = null;
      }
    }
  }

  // --- Without memory in between ---

  @Override
  protected @Nullable DirectInput directInput() {
    return readable && file.isSeekable() && file.number() >= 0 ? new FileInput(this) : null;
  }

  /** Whether what is at the position comes next, and nothing is about to change it. */
  private boolean isStill() {
    return reading == null && !inputEnded && !file.hasStragglers();
  }

  /** See {@link DirectInput#move}. */
  long move(DirectInput.Move move, PresentBytes present) throws IOException {
    StackRoom.forCalls(); // to let go of what is in use, and to note what was taken
    if (!isStill() || !file.tryUse()) {
      return BY_MEMORY;
    }
    try {
      long at = position;
      int most = present.count(file.number(), at, FileInput.SENT_BYTES);
      if (most == 0) {
        return BY_MEMORY;
      }
      long n = move.make(file.number(), at, most);
      present.taken(n);
      if (n > 0) {
        POSITION.compareAndSet(this, at, at + n); // else somebody has set it meanwhile
      }
      return n;
    } finally {
      file.release();
    }
  }

  /** From file to file the system copies by itself. */
  @Override
  protected long doTransfer(Context cx, DirectInput input) throws IOException {
    if (!(input instanceof FileInput other) || other.file() == this || append) {
      return BY_MEMORY;
    }
    if (!cx.proceed()) {
      return PENDING;
    }
    requireWritable();
    if (copying == null) {
      boolean written = pollWritten(cx);
      requireOpenToWrite();
      if (!written || !file.awaitStragglers(writerWait, cx.waker())) {
        cx.refund();
        return PENDING;
      }
      if (!tryBeginCopy(other.file())) {
        cx.refund();
        return BY_MEMORY;
      }
    }
    long n = pollCopied(cx);
    if (n <= 0) {
      cx.refund();
    }
    return n == 0 ? BY_MEMORY : n;
  }

  private boolean tryBeginCopy(AsyncFile from) throws IOException {
    StackRoom.forCalls(); // to let go of what is in use
    if (file.number() < 0 || !from.isStill() || !from.file.tryUse()) {
      return false;
    }
    long start = from.position;
    long length;
    try {
      length = Math.min(FileInput.COPIED_BYTES, from.file.sizeNow() - start);
    } finally {
      from.file.release();
    }
    if (length < FileInput.LEAST_COPIED_BYTES) {
      return false;
    }
    var next = new Copying(from, start, position, length);
    StackRoom.forCalls(); // what has begun is noted
    writing = file.copyFrom(from.file, start, next.at, length);
    copying = next;
    POSITION.compareAndSet(this, next.at, behind(next.at, length));
    POSITION.compareAndSet(from, start, start + length);
    return true;
  }

  /** How many bytes were copied, 0 if the other file has become too short; or PENDING. */
  private long pollCopied(Context cx) throws IOException {
    Copying now = Objects.requireNonNull(copying);
    boolean ends = true;
    try {
      long n = pollWriting(Objects.requireNonNull(writing), cx);
      ends = n != PENDING;
      if (ends && n < now.length) {
        POSITION.compareAndSet(this, behind(now.at, now.length), now.at + n);
        POSITION.compareAndSet(now.from, now.start + now.length, now.start + n);
      }
      return n;
    } finally {
      if (ends) {
        copying = null;
      }
    }
  }

  @Override
  protected boolean doFlush(Context cx) throws IOException {
    if (!cx.proceed()) {
      return false;
    }
    boolean written = pollWritten(cx);
    requireOpen();
    if (!written) {
      cx.refund();
      return false;
    }
    return true;
  }

  /** Nothing more is written; what was is in the file when this is done. */
  @Override
  protected boolean doShutdown(Context cx) throws IOException {
    outputEnded = true;
    return doFlush(cx);
  }

  @Override
  public void forgetWrite() {
    copying = null;
    FileOperation now = writing;
    if (now != null) {
      now.leave();
    }
    file.forget(writerWait);
  }

  @Override
  public void shutdownInput() {
    inputEnded = true;
  }

  @Override
  @CheckReturnValue
  public IoFuture<Integer> write(ByteBuffer source) {
    return new FlushedWrite<>(super.write(source), flush());
  }

  @Override
  @CheckReturnValue
  public IoFuture<Integer> write(MemorySegment source) {
    return new FlushedWrite<>(super.write(source), flush());
  }

  @Override
  @CheckReturnValue
  public IoFuture<Done> writeAll(ByteBuffer source) {
    return new FlushedWrite<>(super.writeAll(source), flush());
  }

  @Override
  @CheckReturnValue
  public IoFuture<Done> writeAll(MemorySegment source) {
    return new FlushedWrite<>(super.writeAll(source), flush());
  }

  @Override
  @CheckReturnValue
  public IoFuture<Long> writeVectored(ByteBuffer... sources) {
    return new FlushedWrite<>(super.writeVectored(sources), flush());
  }

  @Override
  @CheckReturnValue
  public IoFuture<Done> writeAllVectored(ByteBuffer... sources) {
    return new FlushedWrite<>(super.writeAllVectored(sources), flush());
  }

  /** Where the next read or write begins. Means nothing where bytes have no offsets. */
  public long position() {
    return position;
  }

  /** Lets the next read or write begin at {@code position}, which may be behind the end. */
  public void position(long position) {
    this.position = Checks.position(position);
  }

  // --- At any place ---

  /**
   * Reads what is at {@code position}, at least a byte, into what remains of {@code targets}, one
   * after the other. Any number may do so at a time.
   *
   * @return how many bytes; -1 if the file ends there
   */
  @CheckReturnValue
  public IoFuture<Integer> readAt(long position, ByteBuffer... targets) {
    return Watched.io(
        new Positioned.Read(this, Checks.position(position), Checks.writable(targets)));
  }

  /**
   * Fills {@code targets} from {@code position} on; if the file ends before, fails with {@link
   * java.io.EOFException}.
   */
  @CheckReturnValue
  public IoFuture<Done> readFullyAt(long position, ByteBuffer... targets) {
    return Watched.io(
        new Positioned.ReadFully(this, Checks.position(position), Checks.writable(targets)));
  }

  /**
   * What is at {@code position}, up to {@code length} bytes of it, as a reader of its own, which
   * ends with the file at the latest. Any number may be used at a time, each by one task; none uses
   * or moves the file's position. While what it has brought is used, the next is being read: so
   * what is written there meanwhile may not be seen.
   *
   * {@snippet :
   * long copied = Bytes.copy(file.range(from, length), socket).await();
   * }
   */
  public ByteReader range(long position, long length) {
    return new FileRange(this, Checks.position(position), Checks.position(length));
  }

  /**
   * Writes all that remains in {@code sources} from {@code position} on; to the end, if the file
   * was opened to append.
   */
  @CheckReturnValue
  public IoFuture<Done> writeAllAt(long position, ByteBuffer... sources) {
    return Watched.io(new Positioned.WriteAll(this, Checks.position(position), sources.clone()));
  }

  // --- The file ---

  /** What it was opened by. */
  public Path path() {
    return file.path();
  }

  /** How many bytes it has. */
  @CheckReturnValue
  public IoFuture<Long> size() {
    return Watched.io(new Steps.Size(this));
  }

  /** Cuts the file off, or lets it grow by zeros. The position stays. */
  @CheckReturnValue
  public IoFuture<Done> setLength(long length) {
    return Watched.io(new Steps.SetLength(this, Checks.position(length)));
  }

  /**
   * Makes last what was written, also if the machine fails; with the times and the like if so
   * asked.
   */
  @CheckReturnValue
  public IoFuture<Done> force(boolean metadata) {
    return Watched.io(new Steps.Force(this, metadata));
  }

  /**
   * Maps {@code length} bytes at {@code position} into memory, to be read. What is mapped does not
   * need the file, nor the runtime: it stays until it is closed itself.
   *
   * <p>If those bytes are not all there it fails with {@link java.io.EOFException}; if there is no
   * room for so many, with a {@link java.nio.file.FileSystemException}.
   *
   * @throws IllegalArgumentException if {@code length} is not positive
   */
  @CheckReturnValue
  public IoFuture<FileMapping> map(long position, long length) {
    return Watched.io(
        new Steps.Map(this, Checks.position(position), Checks.mapped(position, length)));
  }

  // --- Locks ---

  /**
   * Locks all of the file, however long it becomes, for this {@code AsyncFile} alone.
   *
   * @see #lock(long, long, boolean)
   */
  @CheckReturnValue
  public IoFuture<FileRangeLock> lock() {
    return lock(0, Long.MAX_VALUE, false);
  }

  /**
   * Locks a part of the file, and waits while somebody else has it, or some of it: another process,
   * or another {@code AsyncFile}, which may belong to the same task. Any number may share a part;
   * else one has it, and the file must have been opened for writing. Locks are for those who ask
   * for them: reads and writes do not.
   *
   * <p>While it waits it holds no thread; it asks again after pauses that grow up to 64 ms, so
   * whoever has waited for longest is not the next. Dropped, it has locked nothing, or gives that
   * back.
   *
   * <p>On Linux the lock belongs to this {@code AsyncFile} (an open file description lock). Where
   * native code may not be called it is one of the JDK's, and belongs to the process: the system
   * then gives it back as soon as the process closes <em>any</em> channel of the same file, also
   * one that has merely read it, and two files of one process cannot share a part.
   *
   * @param length how many bytes, which need not be in the file; 0 for all behind {@code position}
   * @param shared whether others who share it may have it at the same time
   * @throws java.nio.channels.OverlappingFileLockException by the future, if this {@code AsyncFile}
   *     has locked some of it, or waits for that
   */
  @CheckReturnValue
  public IoFuture<FileRangeLock> lock(long position, long length, boolean shared) {
    return Watched.io(new LockFuture.Waiting(this, Checks.range(file, position, length, shared)));
  }

  /** As {@link #tryLock(long, long, boolean)} of all of the file, for this one alone. */
  @CheckReturnValue
  public IoFuture<Optional<FileRangeLock>> tryLock() {
    return tryLock(0, Long.MAX_VALUE, false);
  }

  /**
   * As {@link #lock(long, long, boolean)}, but empty if somebody else has it: the system is waited
   * for, the lock is not.
   */
  @CheckReturnValue
  public IoFuture<Optional<FileRangeLock>> tryLock(long position, long length, boolean shared) {
    return Watched.io(new LockFuture.Once(this, Checks.range(file, position, length, shared)));
  }

  /** Whether nobody has closed it. */
  public boolean isOpen() {
    return file.isOpen();
  }

  /**
   * Closes the file, without waiting: its descriptor is closed when what is under way has ended.
   * Who waits gets {@link java.nio.channels.AsynchronousCloseException}.
   */
  @Override
  public void close() {
    file.close();
    lost.clean();
  }

  OpenFile file() {
    return file;
  }

  void requireReadable() {
    if (!readable) {
      throw new NonReadableChannelException();
    }
  }

  void requireWritable() {
    if (!writable) {
      throw new NonWritableChannelException();
    }
  }

  private void requireOpenToWrite() throws ClosedChannelException {
    requireOpen();
    if (outputEnded) {
      throw new ClosedChannelException();
    }
  }

  private void requireOpen() throws ClosedChannelException {
    if (!file.isOpen()) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public String toString() {
    return "AsyncFile[" + path() + (isOpen() ? "]" : ", closed]");
  }
}
