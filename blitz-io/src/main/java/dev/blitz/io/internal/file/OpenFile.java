package dev.blitz.io.internal.file;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.LinkList;
import dev.blitz.io.internal.base.LostHandles;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.EndpointRegistry;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.wait.WakerSlot;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file that is open: its operations in flight, and its end. Any thread may begin operations and
 * close.
 */
/* Implementation notes
 *
 * Everything is guarded by the lock of `operations`, which is held for a few instructions; `closed` and `stragglers` are written under it and read
 * by anyone. Wakers are called without it.
 *
 *   open, n operations and calls   begin, tryUse: n + 1      ended, release: n - 1
 *   closed, n                      the latter; who reaches 0 closes the descriptor; so does close() that finds 0
 *
 * Stragglers are those of the operations that were abandoned and change the file. Whoever wants to begin one and finds stragglers waits in
 * `waiting` until the last of them has ended, and looks again.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // stragglers is written under the lock
public abstract class OpenFile implements EndpointRegistry.Registered, LostHandles.Held {
  private final Path path;
  private final EndpointRegistry<OpenFile> registry;
  private long key;

  private final LinkList operations = new LinkList();
  private final LinkList waiting = new LinkList();
  private int calls;
  private int waiters;
  private volatile int stragglers;
  private volatile boolean closed;
  private volatile @Nullable FileLocks locks;

  /** One who waits for stragglers. */
  public static final class StragglerWait extends Link {
    final WakerSlot owner = new WakerSlot();
  }

  protected OpenFile(Path path, EndpointRegistry<OpenFile> registry) {
    this.path = path;
    this.registry = registry;
  }

  @Override
  public final void registeredAs(long key) {
    this.key = key;
  }

  /** Makes it known, so that it is closed with its runtime; if that fails it is closed now. */
  final OpenFile adopted() throws ClosedChannelException {
    boolean adopted = false;
    try {
      registry.adopt(this);
      adopted = true;
      return this;
    } finally {
      if (!adopted) {
        discard();
      }
    }
  }

  /** What it was opened by. */
  public final Path path() {
    return path;
  }

  // --- Operations, each of them begun; they fail with ClosedChannelException after a close ---

  /** Whether bytes have offsets; if not, positions mean nothing. */
  public abstract boolean isSeekable();

  /** Reads up to {@code length} bytes; the result is how many, or EOF. */
  public abstract FileOperation read(int length, long position) throws IOException;

  /**
   * Writes what remains in {@code sources}, up to what an operation can hold; all of that, or it
   * fails. The bytes are copied, and the positions moved on, before this returns.
   */
  public abstract FileOperation write(ByteBuffer[] sources, long position) throws IOException;

  /** Makes what was written last. */
  public abstract FileOperation force(boolean metadata) throws IOException;

  /** Cuts the file off, or lets it grow by zeros; the result means nothing. */
  public abstract FileOperation setLength(long length) throws IOException;

  /** Its size. */
  public abstract FileOperation size() throws IOException;

  /** The system's number, which is good while it is in use; -1 if it cannot be had. */
  public abstract int number();

  /** Whose threads do what the system cannot do by itself. */
  abstract LaneFiles lane();

  /**
   * Copies {@code length} bytes of {@code source}, fewer if it ends before; the result is how many.
   * Both have numbers.
   */
  public final FileOperation copyFrom(
      OpenFile source, long sourcePosition, long position, long length) throws IOException {
    if (!source.tryUse()) {
      throw new ClosedChannelException();
    }
    LaneCopy copy = null;
    try {
      var next = new LaneCopy(lane(), source, sourcePosition, this, position, length);
      begin(next);
      copy = next;
    } finally {
      if (copy == null) {
        source.release();
      }
    }
    copy.begin();
    return copy;
  }

  /** Maps a part of it, to be read. */
  public final LaneMap map(long position, long length) throws IOException {
    var map = new LaneMap(lane(), this, position, length);
    begin(map);
    map.begin();
    return map;
  }

  /** Maps by a channel of this file; on a thread that may wait. */
  abstract MemorySegment mapNow(LaneMap.Mapping mapping) throws IOException;

  // --- Locks ---

  /** Asks once for {@code range}, which has been claimed. */
  public final LaneLock lock(RangeLock range) throws IOException {
    var lock = new LaneLock(lane(), range);
    begin(lock);
    lock.begin();
    return lock;
  }

  /** Locks it, if nobody else has; on a thread that may wait for the system, but for no lock. */
  abstract boolean tryLockNow(RangeLock range) throws IOException;

  /** Gives back what was locked; on a thread that may wait. */
  abstract void unlockNow(RangeLock range) throws IOException;

  /** Its locked parts. */
  public final FileLocks locks() {
    FileLocks there = locks;
    if (there != null) {
      return there;
    }
    var fresh = new FileLocks(this);
    boolean late;
    operations.lock();
    try {
      there = locks;
      if (there == null) {
        there = fresh;
        locks = fresh;
      }
      late = closed;
    } finally {
      operations.unlock();
    }
    if (late) {
      there.fileClosed();
    }
    return there;
  }

  /** The time after {@code count} questions in vain before the next one. */
  public final LockPause lockPause(int count) {
    return LockPause.of(lane().timers(), count);
  }

  /** Its size, as far as that is known at once; -1 if it is not. In use. */
  public final long sizeNow() {
    int fd = number();
    if (fd < 0) {
      return -1;
    }
    CallFrame frame = CallFrame.take();
    try {
      return FileCalls.sizeNow(frame, fd);
    } finally {
      frame.giveBack();
    }
  }

  /** Closes what the system has; may wait, never throws. Called once, after the last operation. */
  protected abstract void closeDescriptor();

  /** Whether operations may never end by themselves, and are ended by closing the descriptor. */
  protected boolean isClosedAtOnce() {
    return !isSeekable();
  }

  /**
   * Takes what can be had without waiting, if that can be told.
   *
   * @return how many bytes, EOF, or PENDING: an operation must tell
   */
  public int readNow(ByteBuffer target, long position) {
    return FileOperation.PENDING;
  }

  // --- Their life ---

  /** Counts an operation that is about to begin. */
  protected final void begin(FileOperation operation) throws ClosedChannelException {
    StackRoom.forMany(); // what is counted begins, or ends
    operations.lock();
    try {
      if (closed) {
        throw new ClosedChannelException();
      }
      operations.add(operation);
    } finally {
      operations.unlock();
    }
  }

  /**
   * Begins a call on the descriptor that does not wait; false after a close. Ended by {@link
   * #release}.
   */
  public final boolean tryUse() {
    operations.lock();
    try {
      if (closed) {
        return false;
      }
      calls++;
      return true;
    } finally {
      operations.unlock();
    }
  }

  /** Ends such a call. */
  public final void release() {
    boolean last;
    operations.lock();
    try {
      calls--;
      last = isUnused();
    } finally {
      operations.unlock();
    }
    if (last) {
      closeDescriptor();
    }
  }

  /** Under the lock: whether the descriptor is to be closed by whoever has found this. */
  private boolean isUnused() {
    return closed && calls == 0 && operations.isEmpty() && !isClosedAtOnce();
  }

  final void straggles(FileOperation operation) {
    operations.lock();
    try {
      if (operation.isLinked() && !operation.straggler) {
        operation.straggler = true;
        stragglers++;
      }
    } finally {
      operations.unlock();
    }
  }

  /** An operation has ended, or could not begin. */
  final void ended(FileOperation operation) {
    boolean last;
    int free = 0;
    operations.lock();
    try {
      if (!operations.remove(operation)) {
        return;
      }
      if (operation.straggler) {
        operation.straggler = false;
        if (--stragglers == 0) {
          free = waiters;
        }
      }
      last = isUnused();
    } finally {
      operations.unlock();
    }
    wakeWaiters(free);
    if (last) {
      closeDescriptor();
    }
  }

  /** One by one, as each may be back in the list before the next is taken. */
  private void wakeWaiters(int count) {
    for (int left = count; left > 0; left--) {
      StragglerWait next;
      operations.lock();
      try {
        next = (StragglerWait) waiting.takeFirst();
        if (next == null) {
          return;
        }
        waiters--;
      } finally {
        operations.unlock();
      }
      next.owner.wake();
    }
  }

  /**
   * Whether no dropped change is under way.
   *
   * @return false if one is: {@code waker} will be woken, unless {@link #forget} comes before
   */
  public final boolean awaitStragglers(StragglerWait wait, Waker waker)
      throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
    if (stragglers == 0) {
      return true;
    }
    operations.lock();
    try {
      if (stragglers == 0 || closed) {
        return true;
      }
      wait.owner.set(waker);
      if (!wait.isLinked()) {
        waiting.add(wait);
        waiters++;
      }
      return false;
    } finally {
      operations.unlock();
    }
  }

  /** Whether it is open, and no dropped change is under way. */
  public final boolean isStill() {
    return !closed && stragglers == 0;
  }

  /** Whether a dropped change is under way. */
  public final boolean hasStragglers() {
    return stragglers != 0;
  }

  /** Ends a wait for stragglers. */
  public final void forget(StragglerWait wait) {
    if (wait.isLinked()) {
      operations.lock();
      try {
        if (waiting.remove(wait)) {
          waiters--;
        }
      } finally {
        operations.unlock();
      }
    }
    wait.owner.clear();
  }

  // --- The end ---

  /** Whether {@link #close} has not been called. */
  @Override
  public final boolean isOpen() {
    return !closed;
  }

  /** What whoever waits is told. */
  final AsynchronousCloseException closedMeanwhile() {
    return new AsynchronousCloseException();
  }

  /** Never waits. Those who wait are woken, and fail. */
  @Override
  public final void close() {
    StackRoom.forMany(); // it is done once
    discard();
  }

  /** As {@link #close}, by one who has looked for the stack that it needs. */
  final void discard() {
    List<FileOperation> pending;
    int free;
    boolean last;
    operations.lock();
    try {
      if (closed) {
        return;
      }
      pending = operations.isEmpty() ? List.of() : new ArrayList<>(); // no memory for nothing
      for (Link link = operations.first(); link != null; link = link.following()) {
        pending.add((FileOperation) link);
      }
      closed = true;
      free = waiters;
      last = isClosedAtOnce() || isUnused();
    } finally {
      operations.unlock();
    }
    registry.forget(key);
    pending.forEach(FileOperation::fileClosed);
    wakeWaiters(free);
    FileLocks locked = locks;
    if (locked != null) {
      locked.fileClosed();
    }
    if (last) {
      closeDescriptor();
    }
  }
}
